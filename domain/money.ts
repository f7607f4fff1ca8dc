/**
 * Amounts are integers in the currency's minor unit. The table is our own: libraries give AMD two
 * decimals, but its unit here is the whole dram (docs/guides/payment.md).
 */

export interface Currency {
  readonly code: string;
  /** Digits after the decimal point in text for people. */
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

const decimalsOf = new Map(CURRENCIES.map(({ code, decimals }) => [code, decimals]));

/** Returns the amount as an English reader writes it, code last: `12,500 AMD`, `19.99 USD`. */
export function displayAmount(amount: number, code: string): string {
  return `${format(amount, code, { locale: 'en' })} ${code}`;
}

/** Returns the amount in the customer's language with the currency's own sign: `12 500 ֏`. */
export function localAmount(amount: number, code: string, locale: string): string {
  const sign = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const;
  return format(amount, code, { locale, ...sign });
}

function format(
  amount: number,
  code: string,
  { locale, ...style }: Intl.NumberFormatOptions & { locale: string },
): string {
  const decimals = decimalsOf.get(code) ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // As text, so that no amount is rounded.
  const decimal = `${amount}E-${decimals}` as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(locale, { ...style, ...digits }).format(decimal);
}
