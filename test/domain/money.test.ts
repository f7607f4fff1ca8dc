import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  CURRENCIES,
  MAX_AMOUNT,
  currencyOfSign,
  decimalsOf,
  displayAmount,
  localAmount,
  parseAmount,
  plainAmount,
} from '../../domain/money.ts';

/** Code, decimals and smallest amount; then the texts of 1, 12,500 and the largest amount. */
const TABLE = [
  ['AMD', 0, 10, '1 AMD', '12,500 AMD', '99,999,999 AMD'],
  ['USD', 2, 1, '0.01 USD', '125.00 USD', '999,999.99 USD'],
  ['EUR', 2, 1, '0.01 EUR', '125.00 EUR', '999,999.99 EUR'],
  ['RUB', 2, 1, '0.01 RUB', '125.00 RUB', '999,999.99 RUB'],
  ['GEL', 2, 1, '0.01 GEL', '125.00 GEL', '999,999.99 GEL'],
  ['GBP', 2, 1, '0.01 GBP', '125.00 GBP', '999,999.99 GBP'],
  ['JPY', 0, 1, '1 JPY', '12,500 JPY', '99,999,999 JPY'],
  ['KWD', 3, 1, '0.001 KWD', '12.500 KWD', '99,999.999 KWD'],
] as const;

describe('CURRENCIES', () => {
  it('has the currencies of the table, with their decimals and smallest amounts', () => {
    const expected = TABLE.map(([code, decimals, min]) => ({ code, decimals, min }));
    expect(CURRENCIES).toEqual(expected);
  });
});

describe('displayAmount', () => {
  it.each(TABLE)('formats amounts in %s', (...row) => {
    const [code, , , one, many, largest] = row;
    const written = [1, 12_500, MAX_AMOUNT].map((amount) => displayAmount(amount, code));
    expect(written).toEqual([one, many, largest]);
  });

  it('formats zero and negative amounts', () => {
    expect(displayAmount(0, 'KWD')).toBe('0.000 KWD');
    expect(displayAmount(-5, 'USD')).toBe('-0.05 USD');
  });

  it('never loses a unit of large amounts', () => {
    const amounts = fc.maxSafeNat();
    const codes = fc.constantFrom(...CURRENCIES.map(({ code }) => code));
    fc.assert(
      fc.property(amounts, codes, (amount, code) => {
        const digits = displayAmount(amount, code).replaceAll(/\D/g, '');
        expect(BigInt(digits)).toBe(BigInt(amount));
      }),
    );
  });
});

describe('localAmount', () => {
  it.each([
    [12_500, 'AMD', 'hy', '12 500 ֏'],
    [12_500, 'AMD', 'ru', '12 500 ֏'],
    [12_500, 'AMD', 'en', '12,500 AMD'],
    [1_999, 'USD', 'en', '19.99 USD'],
    [1_999, 'RUB', 'ru', '19,99 ₽'],
    [12_500, 'KWD', 'en', '12.500 KWD'],
    [1_999, 'GEL', 'ru', '19,99 ₾'],
    [1_999, 'GEL', 'hy', '19,99 ₾'],
  ])('formats %i %s in %s with its sign or code', (amount, code, locale, text) => {
    expect(localAmount(amount, code, locale).replaceAll(/\s/g, ' ')).toBe(text);
  });
});

describe('parseAmount', () => {
  it.each([
    ['12500', 0, 12_500],
    ['12 500', 0, 12_500],
    ['12,500', 0, 12_500],
    ['12.500', 0, 12_500],
    ["1'250'000", 0, 1_250_000],
    ['19.9', 2, 1_990],
    ['19,90', 2, 1_990],
    ['1,234.56', 2, 123_456],
    ['1.234,56', 2, 123_456],
    ['12,500', 2, 1_250_000],
    ['12.500', 3, 12_500],
    ['0.01', 2, 1],
    ['999999.99', 2, MAX_AMOUNT],
  ])('reads %j with %i decimals', (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount);
  });

  it.each([
    ['', 2],
    ['0', 0],
    ['0.00', 2],
    ['-5', 0],
    ['12.5', 0],
    ['12.00', 0],
    ['1.2345', 3],
    ['1,25,00', 2],
    ['1,250,00', 2],
    ['.5', 2],
    ['5.', 2],
    ['1e3', 0],
    ['١٢', 0],
    ['100000000', 0],
    ['1000000.00', 2],
  ])('refuses %j with %i decimals', (text, decimals) => {
    expect(parseAmount(text, decimals)).toBeUndefined();
  });

  it('reads every amount that plainAmount writes', () => {
    const codes = fc.constantFrom(...CURRENCIES.map(({ code }) => code));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), codes, (amount, code) => {
        expect(parseAmount(plainAmount(amount, code), decimalsOf(code))).toBe(amount);
      }),
    );
  });
});

describe('plainAmount', () => {
  it.each([
    [12_500, 'AMD', '12500'],
    [0, 'AMD', '0'],
    [0, 'USD', '0.00'],
    [5, 'USD', '0.05'],
    [1_999, 'USD', '19.99'],
    [7, 'KWD', '0.007'],
    [MAX_AMOUNT, 'KWD', '99999.999'],
  ])('writes %i of %s with digits and a point only', (amount, code, text) => {
    expect(plainAmount(amount, code)).toBe(text);
  });
});

describe('currencyOfSign', () => {
  it.each([
    ['֏', 'AMD'],
    ['$', 'USD'],
    ['€', 'EUR'],
    ['₽', 'RUB'],
    ['₾', 'GEL'],
    ['£', 'GBP'],
    ['¥', 'JPY'],
    ['kwd', 'KWD'],
    ['CHF', undefined],
    ['', undefined],
  ])('reads %j', (text, code) => {
    expect(currencyOfSign(text)).toBe(code);
  });
});
