import { describe, expect, it } from 'vitest';
import { decimalMessage } from '../../api/amount.ts';

const say = (text: string, currency?: unknown): string => decimalMessage('amount', text, currency);

describe('decimalMessage', () => {
  it.each([
    ['19.00', 'EUR', 'has a decimal point. Send 1900 for 19.00 EUR.'],
    ['19.9', 'EUR', 'has a decimal point. Send 1990 for 19.90 EUR.'],
    ['0.1', 'USD', 'has a decimal point. Send 10 for 0.10 USD.'],
    ['0.01', 'USD', 'has a decimal point. Send 1 for 0.01 USD.'],
    ['1250.0', 'GEL', 'has a decimal point. Send 125000 for 1,250.00 GEL.'],
    ['12500.00', 'AMD', 'has a decimal point. Send 12500 for 12,500 AMD.'],
    ['900.0', 'JPY', 'has a decimal point. Send 900 for 900 JPY.'],
    ['1.250', 'KWD', 'has a decimal point. Send 1250 for 1.250 KWD.'],
    ['1.2', 'KWD', 'has a decimal point. Send 1200 for 1.200 KWD.'],
    ['19.000000000000000000', 'EUR', 'has a decimal point. Send 1900 for 19.00 EUR.'],
    ['999999.99', 'EUR', 'has a decimal point. Send 99999999 for 999,999.99 EUR.'],
    ['1e3', 'EUR', 'is written with an exponent. Send 1000 for 10.00 EUR.'],
    ['1.5E+3', 'AMD', 'is written with an exponent. Send 1500 for 1,500 AMD.'],
    ['1000e-1', 'KWD', 'is written with an exponent. Send 100 for 0.100 KWD.'],
    ['1e3', undefined, 'is written with an exponent. Send 1000.'],
    ['1e3', 'XYZ', 'is written with an exponent. Send 1000.'],
  ])('suggests the integer for %s of %s', (text, currency, message) => {
    expect(say(text, currency)).toBe(`amount ${text} ${message}`);
  });

  it.each([
    ['with fewer decimals in the currency', '19.005', 'EUR'],
    ['with a fraction of a dram', '12500.50', 'AMD'],
    ['that rounds to an integer in floating point', '19.99000000000000000001', 'EUR'],
    ['below the minimum', '9.0', 'AMD'],
    ['of zero', '0.00', 'EUR'],
    ['below zero', '-19.00', 'EUR'],
    ['of negative zero', '-0.0', 'EUR'],
    ['above the maximum', '1000000.00', 'EUR'],
    ['without a currency', '19.00', undefined],
    ['with an unknown currency', '19.00', 'XYZ'],
    ['with a currency that is not a string', '19.00', { code: 'EUR' }],
    ['with an exponent that leaves a fraction', '1e-5', 'EUR'],
    ['beyond all limits', '1e999', 'EUR'],
    ['at the limit of what is computed', '1e99', 'EUR'],
    ['with a huge exponent', `1e${'9'.repeat(60)}`, 'EUR'],
  ])('states the rule for a number %s', (_, text, currency) => {
    const fault = /e/.test(text) ? 'is written with an exponent' : 'has a decimal point';
    const unit = "Send an integer in the currency's minor unit: 12500 is 12,500 AMD";
    expect(say(text, currency)).toMatch(`amount ${text} ${fault}. ${unit}`);
  });

  it('quotes only 64 characters of a longer number, and computes nothing', () => {
    const message = say(`1.${'0'.repeat(60_000)}`, 'EUR');
    expect(message).toMatch(`amount 1.${'0'.repeat(62)}... has a decimal point. Send an integer`);
  });
});
