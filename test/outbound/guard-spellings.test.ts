import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { parseReceiver, resolveReceiver } from '../../outbound/address.ts';

/** Internal blocks, each with its number of bits. */
const INNER: [string, number][] = [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['0.0.0.0', 8],
  ['240.0.0.0', 4],
];
const numberOf = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (number: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
const DIGITS = [
  (text: string) => text,
  (text: string) => text.toUpperCase().replace('0X', '0x'),
  (text: string) =>
    text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text: string) => text.replaceAll(/[0-9]/g, (digit) => `%3${digit}`),
];
const DOTS = ['.', '。', '．', '｡', '%2e', '%E3%80%82'];

/** Spells an address in `count` parts, each in its own radix. The last has all remaining bits. */
const spelling = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    radices: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    digits: fc.constantFrom(...DIGITS),
    dot: fc.constantFrom(...DOTS),
    end: fc.constantFrom('', '.'),
  })
  .map(({ count, radices, digits, dot, end }) => (address: number) => {
    const leading = dotted(address)
      .split('.')
      .slice(0, count - 1)
      .map(Number);
    const parts = [...leading, address % 2 ** (8 * (5 - count))];
    const prefixes = { 8: '0', 10: '', 16: '0x' };
    const written = parts.map((part, index) => {
      const radix = radices[index] as 8 | 10 | 16;
      return digits(prefixes[radix] + part.toString(radix));
    });
    return written.join(dot) + end;
  });

const lead = async (host: string) =>
  resolveReceiver(parseReceiver(`http://${host}:8080/`), [], async () => []);

describe('an IPv4 address in any spelling', () => {
  it('is blocked if it is internal', async () => {
    const inner = fc
      .tuple(fc.constantFrom(...INNER), fc.nat({ max: 2 ** 31 - 1 }))
      .map(([[base, bits], random]) => numberOf(base) + (random % 2 ** (32 - bits)));
    const property = fc.asyncProperty(inner, spelling, async (address, spell) => {
      await expect(lead(spell(address))).rejects.toMatchObject({ code: 'address_blocked' });
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it('is normalized if it is public', async () => {
    const property = fc.asyncProperty(
      fc.nat({ max: 2 ** 24 - 1 }),
      spelling,
      async (low, spell) => {
        const address = numberOf('8.0.0.0') + low;
        expect(await lead(spell(address))).toEqual({
          addresses: [dotted(address)],
          wasLookedUp: false,
        });
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });
});
