import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { array, assert, constantFrom, property } from 'fast-check';
import { containsCardNumber, containsWrittenCardNumber } from '../../domain/cardnumber.ts';

/** Returns true if the Luhn checksum is right, computed digit by digit. */
const luhn = (digits: string): boolean =>
  Array.from(digits)
    .toReversed()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 2))
    .reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) %
    10 ===
  0;

const isVisa = (digits: string): boolean =>
  [13, 16, 19].includes(digits.length) && digits.startsWith('4') && luhn(digits);

/** Returns the processor time of ten runs, in milliseconds. A single one is too short to measure. */
function timeOf(text: string): number {
  const begun = process.cpuUsage();
  for (let run = 0; run < 10; run += 1) containsCardNumber(text);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

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
    ['４２４２４２４２４２４２４２４２'],
    ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢'],
    ['४२४२४२४२४२४२४२४२'],
    ['𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐'],
    ['④②④②④②④②④②④②④②④②'],
    ['4️⃣2️⃣4️⃣2️⃣4️⃣2️⃣4️⃣2️⃣4️⃣2️⃣4️⃣2️⃣4️⃣2️⃣4️⃣2️⃣'],
    ['4242\u200b4242\u00ad4242\u20604242'],
    ['4242/4242/4242/4242'],
    ['4242_4242_4242_4242'],
    ['4242 / 4242 / 4242 / 4242'],
    ['4242\n4242\r\n4242\n4242'],
    ['4242|4242,4242;4242 12/28 123'],
    ['3782/822463/10005'],
    ['4/2/4/2/4/2/4/2/4/2/4/2/4/2/4/2'],
    ['https://shop.example/?n=4242%204242%204242%204242'],
    ['https://shop.example/%34%32%34%32%34%32%34%32%34%32%34%32%34%32%34%32'],
    ['https://shop.example/#４２４２４２４２４２４２４２４２'],
    ['100%4242424242424242'],
  ])('is true for %p', (text) => {
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
    ['4242 and 4242 and 4242 and 4242'],
    ['40.1772, 44.50349'],
    ['4,2,4,2,4,2,4,2,4,2,4,2,4,2,4,2,4,2,4,2,4'],
    ['b0cc4242-4242-4242-8242-4242ffffffff'],
    ['9f4242424242424242abcdef'],
    ['%ff%fe%zz'],
  ])('is false for %p', (text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it('finds a number in the digits of any script', () => {
    for (const zero of ['0', '٠', '०', '০', '๐', '０', '𝟎', '𞥐']) {
      const first = zero.codePointAt(0) ?? 0;
      const card = '4242424242424242'.replaceAll(/\d/g, (digit) =>
        String.fromCodePoint(first + Number(digit)),
      );
      expect([zero, containsCardNumber(`a ${card} b`)]).toEqual([zero, true]);
      expect([zero, containsCardNumber(`a ${card}${zero}${zero}${zero}${zero} b`)]).toEqual([
        zero,
        false,
      ]);
    }
  });

  it('agrees with a plain check of every part of random digits', () => {
    const groups = constantFrom('4', '42', '424', '4242', '9').chain((group) =>
      constantFrom(group, `${group}7`),
    );
    assert(
      property(array(groups, { minLength: 6, maxLength: 12 }), (parts) => {
        const parted = parts.flatMap((_, first) =>
          parts.slice(first).map((__, count) => parts.slice(first, first + count + 1).join('')),
        );
        return containsCardNumber(parts.join('-')) === parted.some(isVisa);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to the length of the text', () => {
    for (const unit of ['0 ', '4 ', '4/', '4444-', '4', '٤ ', '50/', '\u0300\u0316', 'a1']) {
      const [short, long] = [1_000, 16_000].map((units) => timeOf(unit.repeat(units)));
      // Time in proportion to the square would be 256 times as long.
      expect([unit, long! < 16 * 8 * Math.max(short!, 1)]).toEqual([unit, true]);
    }
  });
});

describe('containsWrittenCardNumber', () => {
  it.each([
    ['4242-4242-4242-4242'],
    ['order 4242 4242 4242 4242'],
    ['4242_4242_4242_4242'],
    ['4242/4242/4242/4242'],
    ['٤٢٤٢-٤٢٤٢-٤٢٤٢-٤٢٤٢'],
    ['3782-822463-10005'],
    ['3056-930902-5904'],
    ['4222-222-222-222'],
  ])('is true for %p', (text) => {
    expect(containsWrittenCardNumber(text)).toBe(true);
  });

  it.each([
    ['4242424242424242'],
    ['order-4242424242424242'],
    ['42424242-42424242'],
    ['4242-4242-4242-4241'],
    ['1111-1111-1111-1117'],
    ['a4242-4242-4242-4242'],
    ['b0cc4242-4242-4242-4242-4242ffffffff'],
  ])('is false for %p', (text) => {
    expect(containsWrittenCardNumber(text)).toBe(false);
  });

  it('finds nothing in UUIDs', () => {
    const found = Array.from({ length: 20_000 }, () => randomUUID()).filter(
      (id) => containsWrittenCardNumber(id) || containsCardNumber(id),
    );
    expect(found).toEqual([]);
  });
});
