import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { keyIdOf, makeSealer } from '../../store/seal.ts';

const KEY = randomBytes(32);
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const sealer = makeSealer(KEY);

/** Returns the sealed text with one bit of that byte inverted. */
function damage(sealed: string, place: number): string {
  const [id, body = ''] = sealed.split(':');
  const bytes = Buffer.from(body, 'base64');
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return `${id}:${bytes.toString('base64')}`;
}

describe('makeSealer', () => {
  it.each([0, 16, 31, 33])('refuses a key of %i bytes', (length) => {
    expect(() => makeSealer(Buffer.alloc(length))).toThrow('32 bytes');
    expect(() => makeSealer(KEY, [Buffer.alloc(length)])).toThrow('32 bytes');
  });
});

describe('unseal', () => {
  it('refuses a text that was sealed for another row', () => {
    const sealed = sealer.seal(SECRET, 'we_1');
    expect(() => sealer.unseal(sealed, 'we_2')).toThrow();
  });

  it('refuses a text of another key, with the id of that key and the remedy in the error', () => {
    const other = makeSealer(randomBytes(32));
    const unseal = () => sealer.unseal(other.seal(SECRET, 'we_1'), 'we_1');
    expect(unseal).toThrow(`we_1 was sealed with another key, ${other.keyId}, `);
    expect(unseal).toThrow('add that key to ENCRYPTION_KEY_PREVIOUS');
  });

  it('opens with the key that the text names, in any order of keys', () => {
    const [old, older] = [randomBytes(32), randomBytes(32)];
    const both = makeSealer(KEY, [old, older]);
    for (const key of [KEY, old, older]) {
      const sealed = makeSealer(key).seal(SECRET, 'we_1');
      expect(both.unseal(sealed, 'we_1')).toBe(SECRET);
      expect(() => both.unseal(sealed, 'we_2')).toThrow();
    }
  });

  it('refuses a text of one key with the id of another configured key', () => {
    const old = randomBytes(32);
    const [, body = ''] = makeSealer(old).seal(SECRET, 'we_1').split(':');
    const both = makeSealer(KEY, [old]);
    expect(() => both.unseal(`${both.keyId}:${body}`, 'we_1')).toThrow();
  });

  it('refuses a text of another key with the id of this one', () => {
    const [id = ''] = sealer.seal(SECRET, 'we_1').split(':');
    const [, body = ''] = makeSealer(randomBytes(32)).seal(SECRET, 'we_1').split(':');
    expect(() => sealer.unseal(`${id}:${body}`, 'we_1')).toThrow();
  });

  it('refuses a change of any byte: nonce, tag or text', () => {
    const sealed = sealer.seal(SECRET, 'we_1');
    const { length } = Buffer.from(sealed.split(':')[1] ?? '', 'base64');
    expect(length).toBe(12 + 16 + SECRET.length);
    for (let place = 0; place < length; place += 1) {
      expect(() => sealer.unseal(damage(sealed, place), 'we_1')).toThrow();
    }
  });

  it.each([
    ['nothing', () => ''],
    ['the secret itself', () => SECRET],
    ['only the name of the key', (sealed: string) => sealed.split(':')[0] ?? ''],
    ['a truncated text', (sealed: string) => sealed.slice(0, 30)],
  ])('refuses %s', (_, change) => {
    const sealed = sealer.seal(SECRET, 'we_1');
    expect(() => sealer.unseal(change(sealed), 'we_1')).toThrow();
  });

  it('refuses an unsealed secret, without the secret in the error', () => {
    expect(() => sealer.unseal(SECRET, 'we_1')).toThrow(
      /^The secret of we_1 is not a sealed text.$/,
    );
  });

  it('returns every text unchanged', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, rowId) => {
      expect(sealer.unseal(sealer.seal(text, rowId), rowId)).toBe(text);
    });
    fc.assert(property);
  });
});

describe('reseal', () => {
  const old = randomBytes(32);
  const both = makeSealer(KEY, [old]);

  it('refuses a text that it cannot open', () => {
    const sealed = makeSealer(old).seal(SECRET, 'we_1');
    expect(() => sealer.reseal(sealed, 'we_1')).toThrow('another key');
    expect(() => both.reseal(sealed, 'we_2')).toThrow();
    expect(() => both.reseal(damage(both.seal(SECRET, 'we_1'), 0), 'we_1')).toThrow();
  });

  it('seals the secret with the current key, for its row', () => {
    const sealed = both.reseal(makeSealer(old).seal(SECRET, 'we_1'), 'we_1');
    expect(keyIdOf(sealed)).toBe(sealer.keyId);
    expect(sealer.unseal(sealed, 'we_1')).toBe(SECRET);
    expect(() => sealer.unseal(sealed, 'we_2')).toThrow();
  });

  it('returns a text of the current key unchanged', () => {
    const sealed = sealer.seal(SECRET, 'we_1');
    expect(both.reseal(sealed, 'we_1')).toBe(sealed);
  });
});

describe('seal', () => {
  it('never returns the same text twice, or a part of the secret', () => {
    const sealed = Array.from({ length: 100 }, () => sealer.seal(SECRET, 'we_1'));
    expect(new Set(sealed).size).toBe(sealed.length);
    expect(sealed.join()).not.toContain(SECRET.slice(6, 14));
  });
});
