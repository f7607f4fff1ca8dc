/**
 * Money is an integer in the currency's minor unit. The table is our own: libraries give AMD two
 * decimals, while here its unit is the whole dram (docs/guides/payment.md).
 */

export interface Currency {
  readonly code: string;
  /** Digits after the decimal point when the amount is written for a person. */
  readonly decimals: number;
  /** The smallest amount that can be paid, in minor units. */
  readonly min: number;
}

/** The largest amount of one payment, in minor units of any currency. */
export const MAX_AMOUNT = 99_999_999;

export const CURRENCIES: readonly Currency[] = [
  { code: 'AMD', decimals: 0, min: 10 },
  { code: 'USD', decimals: 2, min: 1 },
  { code: 'EUR', decimals: 2, min: 1 },
  { code: 'RUB', decimals: 2, min: 1 },
  { code: 'GEL', decimals: 2, min: 1 },
  { code: 'GBP', decimals: 2, min: 1 },
  { code: 'JPY', decimals: 0, min: 1 },
  { code: 'KWD', decimals: 3, min: 1 },
];

const byCode = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

function fractionDigits(code: string): {
  minimumFractionDigits: number;
  maximumFractionDigits: number;
} {
  const decimals = byCode.get(code)?.decimals ?? 0;
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
}

function toDecimalText(amount: number, code: string): Intl.StringNumericLiteral {
  const decimals = byCode.get(code)?.decimals ?? 0;
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return (amount < 0 ? `-${text}` : text) as Intl.StringNumericLiteral;
}

/** The amount as an English reader writes it, code last: `12,500 AMD`, `19.99 USD`. */
export function displayAmount(amount: number, code: string): string {
  const number = new Intl.NumberFormat('en', fractionDigits(code));
  return `${number.format(toDecimalText(amount, code))} ${code}`;
}

/** The amount in the customer's language with the currency's own sign: `12 500 ֏`. */
export function localAmount(amount: number, code: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
    ...fractionDigits(code),
  });
  return format.format(toDecimalText(amount, code));
}
