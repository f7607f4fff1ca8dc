/** The URLs of merchants' pages, such as `return_url`. */
import { MAX_URL_LENGTH } from '../domain/endpoint.ts';
import { parseUrl } from '../domain/url.ts';
import { PLACEHOLDERS } from '../domain/wire.ts';

/** URL parsing strips these silently, so the result would differ from the text. */
const STRIPPED_BY_URL = /\p{Cc}|^\s|\s$/u;
/** URL parsing also accepts other slashes before the host, and drops an empty user name. */
const WITH_PLAIN_HOST = /^https?:\/\/[^\s/\\?#@]+(?:[/?#]|$)/i;

/** The limit of the encoded URL. The slash that is added after a bare host does not count. */
const MAX_HREF_LENGTH = MAX_URL_LENGTH + 1;

/** Examples in messages. */
const EXAMPLE = 'https://shop.example/thanks';
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;
const HAS_USER = /^https?:\/\/[^/\\?#]*@/i;

/** Letters in braces, as URLs spell placeholders: JSON and UUIDs in braces have other characters. */
const IN_BRACES = /\{([A-Za-z]+(?:[_-][A-Za-z]+)*)\}/g;
/** The same with percent-encoded braces, which are data unless they have a name like ours. */
const IN_ESCAPES = /%7B([A-Za-z]+(?:[_-][A-Za-z]+)*)%7D/gi;

/**
 * Returns the end of the message that refuses a URL, after the parameter; undefined if the URL is
 * accepted. Also refuses placeholders that are unknown, because nothing would replace them.
 */
export function faultOfUrl(text: string): string | undefined {
  if (!parseHttpUrl(text)) return faultOfForm(text);
  if (!hasUnknownPlaceholder(text)) return undefined;
  const known = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
  return `has an unknown placeholder in braces. The placeholders are ${known}`;
}

function faultOfForm(text: string): string {
  if (!HAS_SCHEME.test(text)) return `must be absolute, such as ${EXAMPLE}`;
  if (HAS_USER.test(text)) return 'must be a URL without user name and password';
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  return `must be an http or https URL of at most ${MAX_URL_LENGTH} characters, such as ${EXAMPLE}`;
}

const isKnown = (name: string): boolean => PLACEHOLDERS.some((known) => known === name);
const plainOf = (name: string): string => name.replaceAll(/[_-]/g, '').toUpperCase();

function hasUnknownPlaceholder(text: string): boolean {
  const namesIn = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  if (!namesIn(IN_BRACES).every(isKnown)) return true;
  const ours = PLACEHOLDERS.map(plainOf);
  return namesIn(IN_ESCAPES).some((name) => !isKnown(name) && ours.includes(plainOf(name)));
}

/** Returns the URL, or undefined unless it is http or https, without userinfo, and not too long. */
export function parseHttpUrl(text: string): URL | undefined {
  if (text.length > MAX_HREF_LENGTH || STRIPPED_BY_URL.test(text)) return undefined;
  const url = WITH_PLAIN_HOST.test(text) ? parseUrl(text) : undefined;
  if (!url || /[{}]/.test(url.host) || url.href.length > MAX_HREF_LENGTH) return undefined;
  return url;
}
