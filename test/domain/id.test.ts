import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { decodeTime, ulid } from 'ulid';
import { PREFIXES, firstIdAt, isId } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';

const KINDS = Object.keys(PREFIXES) as IdKind[];
const LARGEST_MS = 2 ** 48 - 1;
const times = fc.integer({ min: 0, max: LARGEST_MS });

describe('isId', () => {
  it.each([
    ['another kind', 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['no prefix', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['lower case', 'pay_01arz3ndektsv4rrffq69g5fav'],
    ['a letter that is not in the alphabet', 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAU'],
    ['a time beyond what a ULID holds', 'pay_81ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['too short', 'pay_01ARZ3NDEKTSV4RRFFQ69G5FA'],
    ['too long', 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAVV'],
    ['a line break at the end', 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAV\n'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => expect(isId('payment', text)).toBe(false));

  it.each(KINDS)('accepts a %s', (kind) => expect(isId(kind, PREFIXES[kind] + ulid())).toBe(true));
});

describe('PREFIXES', () => {
  it('are different for each kind', () => {
    expect(new Set(Object.values(PREFIXES)).size).toBe(KINDS.length);
    for (const prefix of Object.values(PREFIXES)) expect(prefix).toMatch(/^[a-z]+_$/);
  });
});

describe('firstIdAt', () => {
  it('has the form of an id and contains its time', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...KINDS), (timeMs, kind) => {
        const id = firstIdAt(kind, timeMs);
        expect(isId(kind, id)).toBe(true);
        expect(decodeTime(id.slice(PREFIXES[kind].length))).toBe(timeMs);
      }),
    );
  });

  it('is the smallest id of its millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: LARGEST_MS }), (timeMs) => {
        const first = firstIdAt('payment', timeMs);
        expect(first <= PREFIXES.payment + ulid(timeMs)).toBe(true);
        expect(first > PREFIXES.payment + ulid(timeMs - 1)).toBe(true);
      }),
    );
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(firstIdAt('event', a) < firstIdAt('event', b)).toBe(a < b);
      }),
    );
  });

  it.each([
    ['before 1970', -1, 0],
    ['beyond the largest time', LARGEST_MS + 1, LARGEST_MS],
    ['a fraction', 1.9, 1],
  ])('moves %s to the nearest time of a ULID', (_, timeMs, nearest) => {
    expect(firstIdAt('payment', timeMs)).toBe(firstIdAt('payment', nearest));
  });
});
