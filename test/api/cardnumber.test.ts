import { describe, expect, it } from '@jest/globals';
import { containsCardNumber } from '../../api/cardnumber.ts';

describe('containsCardNumber', () => {
  it.each([
    ['4242424242424242'],
    ['my card is 4242 4242 4242 4242, thanks'],
    ['4242-4242-4242-4242'],
    ['4242.4242.4242.4242'],
    ['4242 -4242 4242 4242'],
    ['row 7 4242 4242 4242 4242'],
    ['4222222222222'],
    ['5555555555554444'],
    ['2223003122003222'],
    ['378282246310005'],
    ['6011111111111117'],
    ['30569309025904'],
    ['3566002020360505'],
    ['2200000000000004'],
    ['9051000000000009'],
    ['x4242424242424242y'],
  ])('finds one in %p', (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it.each([
    [''],
    ['4242424242424241'],
    ['order 12345678901234567890'],
    ['1111111111111117'],
    ['+374 10 123456'],
    ['2026-01-31 12:00:00'],
    ['4242 4242 4242'],
    ['42424242424242424242'],
    ['12.31.2026 10.30.15.999'],
    ['4111.1111'],
  ])('finds none in %p', (text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it('is quick with the longest texts we take', () => {
    const begun = performance.now();
    containsCardNumber('4 '.repeat(32_000));
    expect(performance.now() - begun).toBeLessThan(500);
  });
});
