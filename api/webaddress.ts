/**
 * The web addresses that merchants give us. The pattern says to readers and tools what is accepted;
 * whatever fits it is a URL to a browser too, which a test holds it to.
 */
import { MAX_URL_LENGTH } from '../domain/endpoint.ts';

/** Letters of scripts written from the left: alone or side by side they make a valid host. */
const LETTERS = [
  'A-Za-z',
  // Latin with marks, Greek, Cyrillic, Armenian, Georgian.
  '\\u00e0-\\u00f6\\u00f8-\\u017e\\u0391-\\u03a1\\u03a3-\\u03a9\\u03ac-\\u03ce',
  '\\u0400-\\u045f\\u0531-\\u0556\\u0561-\\u0586\\u10d0-\\u10f0',
  // Devanagari, Thai, Hiragana, Katakana, Chinese, Hangul.
  '\\u0904-\\u0939\\u0e01-\\u0e30\\u0e40-\\u0e46\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fa5\\uac00-\\ud7a3',
].join('');
/** Signs of vowels, which no name begins with: Devanagari, Thai. */
const SIGNS = '\\u093e-\\u094d\\u0e31-\\u0e39\\u0e47-\\u0e4e';
/** Hebrew and Arabic letters: names of them stand beside names of Latin letters only. */
const FROM_THE_RIGHT = '[\\u05d0-\\u05ea]+|[\\u0620-\\u063a\\u0641-\\u064a]+';

const label = `[0-9_-]*[${LETTERS}][0-9_${LETTERS}${SIGNS}-]*`;
/** A last name of digits would make it the number of a host. */
const domain = `(?:(?:[0-9_-]+|${label})\\.)*[${LETTERS}][0-9_${LETTERS}${SIGNS}-]*\\.?`;
const plain = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const fromTheRight = `(?:(?:${plain}|${FROM_THE_RIGHT})\\.)*(?:${plain}|${FROM_THE_RIGHT})`;
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = `${byte}(?:\\.${byte}){3}`;
const hex = '[0-9A-Fa-f]{1,4}';
const ipv6 = [
  `(?:${hex}:){7}${hex}`,
  `(?:${hex}(?::${hex}){0,3})?::(?:${hex}(?::${hex}){0,2})?`,
].join('|');
const high = '6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]';
const port = `(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|${high}))?`;

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
/** No space at the end: URLs lose it silently. */
const rest = `(?:[/?#](?:[^${CONTROL}]*[^${CONTROL}\\s])?)?`;

/** An http or https URL without user name and password. */
export const WEB_ADDRESS = `^[Hh][Tt][Tt][Pp][Ss]?://(?:${domain}|${fromTheRight}|${ipv4}|\\[(?:${ipv6})\\])${port}${rest}$`;

/** WHATWG URLs lose these silently, so that the address would not be the one that was given. */
const STRIPPED_BY_URL = /\p{Cc}|^\s|\s$/u;

/** The limit holds once everything is encoded; the slash that a bare host is given is not counted. */
const MAX_HREF_LENGTH = MAX_URL_LENGTH + 1;

/** Not by `URL.canParse`: once V8 has compiled its caller it refuses `ü` in hosts (Node 20, tried). */
function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The URL, if it is one of http or https without userinfo and not too long; else undefined. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = STRIPPED_BY_URL.test(text) ? undefined : parse(text);
  if (!url) return undefined;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const isPlain = url.username === '' && url.password === '' && !/[{}]/.test(url.host);
  return isWeb && isPlain && url.href.length <= MAX_HREF_LENGTH ? url : undefined;
}
