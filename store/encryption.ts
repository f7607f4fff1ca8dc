/** The encryption keys of an installation, and a key for each purpose out of every one of them. */
import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[\w+/-]{43}=?$/;
/** Each is tried on an address of the bank that the key in use did not sign. */
export const MAX_PREVIOUS_KEYS = 8;

/** The key that seals and signs, and others that open and verify while one replaces another. */
export interface Keys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

/** A key out of its text. Throws an error that says what a key is, and nothing of the text. */
export function parseKey(text: string): Buffer {
  // Node's decoder takes any text: two keys that ran together would become a third one.
  const form = HEX.test(text) ? 'hex' : BASE64.test(text) ? 'base64' : undefined;
  if (!form) throw new Error(`must be ${KEY_BYTES} bytes in base64 or hex`);
  return Buffer.from(text, form);
}

/** Several keys, out of the text of each. Throws as `parseKey` does, and when they are too many. */
export function parsePreviousKeys(texts: readonly string[]): readonly Buffer[] {
  if (texts.length > MAX_PREVIOUS_KEYS)
    throw new Error(`must be at most ${MAX_PREVIOUS_KEYS} keys`);
  return texts.map((text) => {
    try {
      return parseKey(text);
    } catch (error) {
      throw new Error(`each key ${(error as Error).message}`, { cause: error });
    }
  });
}

/** What is configured, as far as it is sound. */
export interface KeyVariables {
  readonly ENCRYPTION_KEY?: Buffer | undefined;
  readonly ENCRYPTION_KEY_PREVIOUS?: readonly Buffer[] | undefined;
}

/** The fault of one key in both places, by its variable: the other key has been forgotten then. */
export function repeatedKey(variables: KeyVariables): Partial<Record<string, Error>> {
  const { ENCRYPTION_KEY: current, ENCRYPTION_KEY_PREVIOUS: previous = [] } = variables;
  if (!current || !previous.some((key) => key.equals(current))) return {};
  const message = 'holds the key that ENCRYPTION_KEY is; it is for the keys beside that one';
  return { ENCRYPTION_KEY_PREVIOUS: new Error(message) };
}

/** The keys of a data folder, and more that open and verify; each of them once. */
export function withMoreKeys({ current, previous }: Keys, more: readonly Buffer[]): Keys {
  const others = [...previous, ...more].filter((key) => !key.equals(current));
  const isFirst = (key: Buffer, n: number) => others.findIndex((each) => each.equals(key)) === n;
  return { current, previous: others.filter(isFirst) };
}

type Purpose = 'webhook secrets' | 'bank addresses';

/** A key for one purpose out of a configured one, so that no key serves two. */
export function deriveKey(key: Buffer, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `tollgate ${purpose}`, KEY_BYTES));
}

/** The same out of all of them. */
export function deriveKeys({ current, previous }: Keys, purpose: Purpose): Keys {
  return {
    current: deriveKey(current, purpose),
    previous: previous.map((key) => deriveKey(key, purpose)),
  };
}
