import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  API_KEY_FORM,
  base62,
  checksumText,
  isKeyOver,
  merchantOf,
  tenantOf,
} from '../../domain/merchant.ts';
import { at } from './situation.ts';

const BODY = 'a1B2'.repeat(8);

describe('API_KEY_FORM', () => {
  it.each([
    ['no prefix', `${BODY}abcdef`],
    ['an unknown mode', `sk_prod_${BODY}abcdef`],
    ['a publishable key', `pk_test_${BODY}abcdef`],
    ['fewer than 32 characters and a checksum', `sk_test_${BODY.slice(1)}abcdef`],
    ['a character outside of base62', `sk_test_${BODY}abc_ef`],
    ['a space at the end', `sk_test_${BODY}abcdef `],
    ['a line break at the end', `sk_test_${BODY}abcdef\n`],
  ])('refuses %s', (_, text) => expect(text).not.toMatch(API_KEY_FORM));

  it.each(['test', 'live'])('parses a %s key', (mode) => {
    expect(API_KEY_FORM.exec(`sk_${mode}_${BODY}abcdef`)?.slice(1)).toEqual([mode, BODY, 'abcdef']);
  });

  it('accepts longer keys, with the checksum at the end', () => {
    expect(API_KEY_FORM.exec(`sk_test_${BODY}Zabcdef`)?.[3]).toBe('abcdef');
  });
});

describe('isKeyOver', () => {
  it.each<[string, Parameters<typeof isKeyOver>[0], boolean]>([
    ['without an expiry time', { revoked_at: null, expires_at: null }, false],
    ['from before keys had expiry times', { revoked_at: null }, false],
    ['that expires in a minute', { revoked_at: null, expires_at: at(6) }, false],
    ['that expires now', { revoked_at: null, expires_at: at(5) }, true],
    ['that was revoked', { revoked_at: at(1) }, true],
    ['that was revoked by a clock ahead of ours', { revoked_at: at(9) }, true],
    ['that was revoked during its overlap', { revoked_at: at(1), expires_at: at(9) }, true],
  ])('judges a key %s', (_, key, isOver) => {
    expect(isKeyOver(key, at(5))).toBe(isOver);
  });
});

describe('merchantOf', () => {
  it.each(['test', 'live'] as const)('inverts tenantOf in %s mode', (mode) => {
    expect(merchantOf(tenantOf('mer_1', mode))).toBe('mer_1');
  });
});

describe('checksumText', () => {
  it.each([
    [0, '000000'],
    [61, '00000z'],
    [62, '000010'],
    [0xffff_ffff, '4gfFC3'],
  ])('returns six characters for %i: %s', (crc, text) => expect(checksumText(crc)).toBe(text));

  it('differs for different checksums', () => {
    const checksums = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(checksums, checksums, (a, b) => {
        expect(checksumText(a) === checksumText(b)).toBe(a === b);
      }),
    );
  });

  it('detects any mistyped character', () => {
    const places = fc.integer({ min: 0, max: BODY.length - 1 });
    const letters = fc.constantFrom(...'0189ABYZabyz'.split(''));
    fc.assert(
      fc.property(places, letters, (place, letter) => {
        const typed = BODY.slice(0, place) + letter + BODY.slice(place + 1);
        expect(checksumText(crc32(typed)) === checksumText(crc32(BODY))).toBe(typed === BODY);
      }),
    );
  });
});

describe('base62', () => {
  it('skips bytes that would bias the characters', () => {
    expect(base62([248, 249, 254, 255])).toBe('');
  });

  it('returns each character for exactly four values of a byte', () => {
    const counts = new Map<string, number>();
    const everyByte = Array.from({ length: 256 }, (_, byte) => byte);
    for (const char of base62(everyByte)) counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });
});

describe('tenantOf', () => {
  it('differs by mode', () => {
    expect([tenantOf('mer_1', 'test'), tenantOf('mer_1', 'live')]).toEqual([
      'mer_1:test',
      'mer_1:live',
    ]);
  });
});
