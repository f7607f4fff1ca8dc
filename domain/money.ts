/**
 * Amounts are integers in the currency's minor unit. The table is our own: libraries give AMD two
 * decimals, but its unit here is the whole dram (docs/guides/payment.md).
 */
import { LOCALES } from './merchant.ts';

export interface Currency {
  readonly code: string;
  /** Digits after the decimal point in text for people. */
  readonly decimals: number;
  /** The smallest amount that can be paid, in minor units. */
  readonly min: number;
}

const NO_BREAK = '\u00a0';

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

const DECIMALS = new Map(CURRENCIES.map(({ code, decimals }) => [code, decimals]));

/** Returns the digits after the decimal point of a currency. */
export const decimalsOf = (code: string): number => DECIMALS.get(code) ?? 0;

/** Returns the amount as an English reader writes it, code last: `12,500 AMD`, `19.99 USD`. */
export function displayAmount(amount: number, code: string): string {
  return `${format(amount, code, { locale: 'en' })} ${code}`;
}

/**
 * Returns the amount as readers of the language write it: with the currency's own sign in Armenian
 * and Russian (`12 500 ֏`), with its code in English, where few know the sign (`12,500 AMD`).
 */
export function localAmount(amount: number, code: string, locale: string): string {
  if (locale === 'en') return displayAmount(amount, code).replace(' ', NO_BREAK);
  const sign = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const;
  // The Russian data of Unicode has the letter of the Georgian alphabet, not the sign.
  return format(amount, code, { locale, ...sign }).replace('ლ', '₾');
}

interface Style extends Intl.NumberFormatOptions {
  readonly locale: string;
}

/** By currency, language and style. Making one takes 60 µs, using it 3 µs. */
const formats = new Map<string, Intl.NumberFormat>();

function format(amount: number, code: string, style: Style): string {
  const decimals = decimalsOf(code);
  const key = `${code} ${style.locale} ${style.style ?? ''}`;
  const found = formats.get(key) ?? makeFormat(decimals, style);
  formats.set(key, found);
  // As text, so that no amount is rounded.
  return found.format(`${amount}E-${decimals}` as Intl.StringNumericLiteral);
}

function makeFormat(decimals: number, { locale, ...style }: Style): Intl.NumberFormat {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, { ...style, ...digits });
}

/** Returns the amount with digits and a point only, as in `12500` or `19.90`. */
export function plainAmount(amount: number, code: string): string {
  const decimals = decimalsOf(code);
  const digits = String(amount).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Returns the currency of a code in any case, or of a sign in any language, such as `֏`. */
export function currencyOfSign(text: string): string | undefined {
  const found = CURRENCIES.find(
    ({ code }) =>
      code === text.toUpperCase() || LOCALES.some((locale) => signOf(code, locale) === text),
  );
  return found?.code;
}

const signOf = (code: string, locale: string): string =>
  localAmount(0, code, locale).replaceAll(/[\d.,\s]/g, '');

const WHOLE = /^(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)$/;

/**
 * Returns an amount that a person typed in major units, in minor units. Spaces, commas and points
 * may group the digits by three, and a comma or a point may precede the decimals. Returns undefined
 * for other texts, for more decimals than the currency has, and for amounts that are not possible.
 */
export function parseAmount(text: string, decimals: number): number | undefined {
  const typed = text.replaceAll(/[\s'’]/g, '');
  const [, head = typed, mark = '', tail = ''] = /^(.*)([.,])(\d+)$/.exec(typed) ?? [];
  const isFraction = mark !== '' && tail.length <= decimals;
  const whole = isFraction ? head : typed;
  if (!WHOLE.test(whole) || (isFraction && whole.includes(mark))) return undefined;
  const fraction = isFraction ? tail : '';
  const amount = Number(whole.replaceAll(/[.,]/g, '') + fraction.padEnd(decimals, '0'));
  return amount >= 1 && amount <= MAX_AMOUNT ? amount : undefined;
}
