import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { makeSealer } from '../../store/seal.ts';

const KEY = randomBytes(32);
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const sealer = makeSealer(KEY);

/** The sealed text with one bit of that byte turned over. */
function damage(sealed: string, place: number): string {
  const [id, body = ''] = sealed.split(':');
  const bytes = Buffer.from(body, 'base64');
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return `${id}:${bytes.toString('base64')}`;
}

describe('makeSealer', () => {
  it.each([0, 16, 31, 33])('refuses a key of %i bytes', (length) => {
    expect(() => makeSealer(Buffer.alloc(length))).toThrow('32 bytes');
  });
});

describe('unseal', () => {
  it('refuses what was sealed for another row', () => {
    const sealed = sealer.seal(SECRET, 'we_1');
    expect(() => sealer.unseal(sealed, 'we_2')).toThrow();
  });

  it('refuses what was sealed with another key, and says so', () => {
    const sealed = makeSealer(randomBytes(32)).seal(SECRET, 'we_1');
    expect(() => sealer.unseal(sealed, 'we_1')).toThrow('another key');
  });

  it('refuses another key that claims to be this one', () => {
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
    ['a text that was cut off', (sealed: string) => sealed.slice(0, 30)],
  ])('refuses %s', (_, change) => {
    const sealed = sealer.seal(SECRET, 'we_1');
    expect(() => sealer.unseal(change(sealed), 'we_1')).toThrow();
  });

  it('brings back every text', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, rowId) => {
      expect(sealer.unseal(sealer.seal(text, rowId), rowId)).toBe(text);
    });
    fc.assert(property);
  });
});

describe('seal', () => {
  it('never gives the same text twice, and shows nothing of the secret', () => {
    const sealed = Array.from({ length: 100 }, () => sealer.seal(SECRET, 'we_1'));
    expect(new Set(sealed).size).toBe(sealed.length);
    expect(sealed.join()).not.toContain(SECRET.slice(6, 14));
  });
});
