/** The encryption keys of an installation, and the keys that are derived from them. */
import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[\w+/-]{43}=?$/;
/** The most previous keys. Each is tried on bank addresses that the current key did not sign. */
export const MAX_PREVIOUS_KEYS = 8;

/** The key that seals and signs, and the others, which only open and verify. */
export interface Keys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

/** Returns the key from its text. Throws an error with the form of a key, but without the text. */
export function parseKey(text: string): Buffer {
  // Node decodes any text: two keys without a separator would become a third one.
  const form = HEX.test(text) ? 'hex' : BASE64.test(text) ? 'base64' : undefined;
  if (!form) throw new Error(`must be ${KEY_BYTES} bytes in base64 or hex`);
  return Buffer.from(text, form);
}

/** Returns the keys from their texts. Throws as `parseKey` does, or if there are too many. */
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

/** The configured keys. A malformed one is undefined. */
export interface KeyVariables {
  readonly ENCRYPTION_KEY?: Buffer | undefined;
  readonly ENCRYPTION_KEY_PREVIOUS?: readonly Buffer[] | undefined;
}

/** Returns a fault if a key is both current and previous: one of the two was not updated. */
export function repeatedKey(variables: KeyVariables): Partial<Record<string, Error>> {
  const { ENCRYPTION_KEY: current, ENCRYPTION_KEY_PREVIOUS: previous = [] } = variables;
  if (!current || !previous.some((key) => key.equals(current))) return {};
  const message = 'contains the key in ENCRYPTION_KEY; it is for the other keys only';
  return { ENCRYPTION_KEY_PREVIOUS: new Error(message) };
}

/** Returns the keys with more previous ones, without repetitions. */
export function withMoreKeys({ current, previous }: Keys, more: readonly Buffer[]): Keys {
  const all = [current, ...previous, ...more];
  const isFirst = (key: Buffer, n: number) => all.findIndex((each) => each.equals(key)) === n;
  return { current, previous: all.filter(isFirst).slice(1) };
}

type Purpose = 'webhook secrets' | 'bank addresses' | 'dashboard devices' | 'temporal payloads';

/** Derives a key for one purpose, so that no key has two purposes. */
export function deriveKey(key: Buffer, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `tollgate ${purpose}`, KEY_BYTES));
}

export function deriveKeys({ current, previous }: Keys, purpose: Purpose): Keys {
  return {
    current: deriveKey(current, purpose),
    previous: previous.map((key) => deriveKey(key, purpose)),
  };
}
