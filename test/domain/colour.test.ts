import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  DEFAULT_COLOUR,
  MIN_CONTRAST,
  contrastOf,
  isReadable,
  readColour,
  readableShade,
} from '../../domain/colour.ts';

const anyColour = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('readColour', () => {
  it.each([
    ['#1F4FD1', '#1f4fd1'],
    [' #ffffff ', '#ffffff'],
    ['#fff', undefined],
    ['red', undefined],
    ['#1f4fd1;x', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, colour) => {
    expect(readColour(text)).toBe(colour);
  });
});

describe('the contrast', () => {
  it.each([
    ['#000000', 19.2],
    ['#ffffff', 1.1],
    ['#767676', 4.2],
  ])('of %s with the checkout is %d', (colour, contrast) => {
    expect(contrastOf(colour)).toBeCloseTo(contrast, 1);
  });

  it('of the checkout’s own colour is enough', () => {
    expect(isReadable(DEFAULT_COLOUR)).toBe(true);
  });

  it('is enough for the nearest readable shade of any colour', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const shade = readableShade(colour);
        expect(readColour(shade)).toBe(shade);
        expect(contrastOf(shade)).toBeGreaterThanOrEqual(MIN_CONTRAST);
        if (isReadable(colour)) expect(shade).toBe(colour);
      }),
    );
  });
});
