import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  MAX_PREVIOUS_KEYS,
  deriveKey,
  deriveKeys,
  parseKey,
  parsePreviousKeys,
  repeatedKey,
  withMoreKeys,
} from '../../store/encryption.ts';

const KEY = randomBytes(32);
const [OLD, OLDER] = [randomBytes(32), randomBytes(32)];

describe('parseKey', () => {
  it.each([
    ['nothing', ''],
    ['a word', 'secret'],
    ['31 bytes', KEY.toString('hex').slice(2)],
    ['two keys without a separator', `${KEY.toString('base64')}${OLD.toString('base64')}`],
    ['a key with text after it', `${KEY.toString('base64')}AAAA`],
    ['other characters', `${KEY.toString('base64').slice(0, 40)}?!*=`],
  ])('refuses %s, without the text in the error', (_, text) => {
    expect(() => parseKey(text)).toThrow(/^must be 32 bytes in base64 or hex$/);
  });

  it('reads hex and base64', () => {
    const hex = KEY.toString('hex');
    const texts = [hex, hex.toUpperCase(), KEY.toString('base64'), KEY.toString('base64url')];
    for (const text of texts) expect(parseKey(text)).toEqual(KEY);
  });
});

describe('parsePreviousKeys', () => {
  it('refuses more than the maximum', () => {
    const texts = Array.from({ length: MAX_PREVIOUS_KEYS + 1 }, () => KEY.toString('hex'));
    expect(() => parsePreviousKeys(texts)).toThrow('at most 8');
    expect(parsePreviousKeys(texts.slice(1))).toHaveLength(MAX_PREVIOUS_KEYS);
  });
});

const fault = (current: Buffer | undefined, previous?: Buffer[]) =>
  Object.keys(repeatedKey({ ENCRYPTION_KEY: current, ENCRYPTION_KEY_PREVIOUS: previous }));

describe('repeatedKey', () => {
  it('is a fault only if the current key is also a previous one', () => {
    expect(fault(KEY, [OLD, Buffer.from(KEY)])).toEqual(['ENCRYPTION_KEY_PREVIOUS']);
    expect(fault(KEY, [OLD])).toEqual([]);
    expect(fault(KEY)).toEqual([]);
    expect(fault(undefined, [KEY])).toEqual([]);
  });
});

describe('withMoreKeys', () => {
  it('removes repetitions and the current key', () => {
    const keys = withMoreKeys({ current: KEY, previous: [OLD] }, [OLDER, OLD, KEY]);
    expect(keys).toEqual({ current: KEY, previous: [OLD, OLDER] });
  });
});

describe('deriveKeys', () => {
  it('derives a key of 32 bytes for each purpose from each key', () => {
    const keys = { current: KEY, previous: [OLD, OLDER] };
    const secrets = deriveKeys(keys, 'webhook secrets');
    const addresses = deriveKeys(keys, 'bank addresses');
    const all = [secrets, addresses].flatMap(({ current, previous }) => [current, ...previous]);
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(6);
    for (const key of all) expect(key).toHaveLength(32);
    expect(secrets.previous).toEqual([OLD, OLDER].map((key) => deriveKey(key, 'webhook secrets')));
  });
});
