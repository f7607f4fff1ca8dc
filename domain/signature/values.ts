/** Reading a signature that somebody computed or received, in whatever way it is written. */
import { FORM_NAMES, fromBase64 } from './forms.ts';
import type { Algorithm, Form } from './forms.ts';

export type Encoding = 'hex' | 'upper_hex' | 'base64' | 'base64url' | 'base64_of_hex';

/** One signature of a value. */
export interface GivenDigest {
  readonly digest: Uint8Array;
  readonly algorithm: Algorithm;
  readonly encoding: Encoding;
  /** What stood before it, as in `v1=`. */
  readonly prefix: string;
}

const ALGORITHMS: Readonly<Record<number, Algorithm>> = {
  20: 'sha1',
  32: 'sha256',
  48: 'sha384',
  64: 'sha512',
};

const PREFIX = /^(?:v\d+[=,]|sha\d+=)/i;

/** The signatures in that value: none when it holds nothing that could be one. */
export function readDigests(value: string): GivenDigest[] {
  const bare = value.trim().replaceAll(/^["']|["']$/g, '');
  // A comma belongs to `v1,` in the one form and stands between two signatures in the other.
  const tokens = bare.split(/\s+|,(?=v\d+[=,])|(?<!^v\d+|\sv\d+),/).filter((token) => token !== '');
  return tokens.map(readDigest).filter((digest) => digest !== undefined);
}

function readDigest(token: string): GivenDigest | undefined {
  const [prefix = ''] = PREFIX.exec(token) ?? [];
  const text = token.slice(prefix.length);
  const found = decode(text);
  const algorithm = found && ALGORITHMS[found.digest.length];
  return found && algorithm ? { ...found, algorithm, prefix } : undefined;
}

function decode(text: string): Pick<GivenDigest, 'digest' | 'encoding'> | undefined {
  if (isHex(text)) {
    return { digest: fromHex(text), encoding: /[A-F]/.test(text) ? 'upper_hex' : 'hex' };
  }
  const digest = fromBase64(text);
  if (!digest) return undefined;
  const inner = new TextDecoder().decode(digest);
  if (isHex(inner)) return { digest: fromHex(inner), encoding: 'base64_of_hex' };
  const isPlain = !/[-_]/.test(text) && text.length % 4 === 0;
  return { digest, encoding: isPlain ? 'base64' : 'base64url' };
}

/** Hexadecimal of a whole digest: 64 such characters would also pass as base64. */
const isHex = (text: string): boolean => {
  return /^[0-9a-f]+$/i.test(text) && ALGORITHMS[text.length / 2] !== undefined;
};

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** How a signature is written, where that differs from the form: what is wrong, what to know. */
export interface Writing {
  readonly code: 'encoding' | 'prefix';
  readonly says: string;
}

/** Undefined when it is written as the header has it. */
export function writingOf(form: Form, { encoding, prefix }: GivenDigest): Writing | undefined {
  const wanted = form === 'service' ? 'hex in small letters' : 'base64';
  if (encoding === 'base64_of_hex') {
    const says = `The HMAC's hex text was encoded in base64: write its bytes as ${wanted}, once.`;
    return { code: 'encoding', says };
  }
  const right = form === 'service' ? 'hex' : 'base64';
  if (encoding !== right) {
    const says = `The HMAC is written as ${NAMES[encoding]}: ${FORM_NAMES[form]} has ${wanted}.`;
    return { code: 'encoding', says };
  }
  const start = form === 'service' ? 'v1=' : 'v1,';
  if (prefix === start) return undefined;
  const instead = prefix === '' ? 'and this has not' : `and this has ${prefix}`;
  const says =
    `${FORM_NAMES[form]} has ${start} before the value, ${instead}: compare the whole value, or ` +
    'cut it from both.';
  return { code: 'prefix', says };
}

const NAMES: Readonly<Record<Encoding, string>> = {
  hex: 'hex',
  upper_hex: 'hex in capital letters',
  base64: 'base64',
  base64url: 'base64url or without its padding',
  base64_of_hex: 'base64 of hex',
};
