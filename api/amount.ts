/** Messages for amounts that are not integers. Most such clients send 19.00 for 19.00 EUR. */
import { CURRENCIES, MAX_AMOUNT, displayAmount } from '../domain/money.ts';
import { MAX_ECHO_LENGTH } from '../operations/refusal.ts';

export const AMOUNT_UNIT =
  "an integer in the currency's minor unit: 12500 is 12,500 AMD (the dram has no smaller unit), " +
  '1999 is 19.99 USD';

/**
 * Returns the message that refuses a number with a decimal point or an exponent. `text` is the
 * number as it was sent. The message suggests the right integer if there is exactly one. `currency`
 * comes from the body and is unchecked.
 */
export function decimalMessage(param: string, text: string, currency: unknown): string {
  const hasExponent = /e/i.test(text);
  const shown = text.length > MAX_ECHO_LENGTH ? `${text.slice(0, MAX_ECHO_LENGTH)}...` : text;
  const fault = hasExponent ? 'is written with an exponent' : 'has a decimal point';
  const known = CURRENCIES.find(({ code }) => code === currency);
  // A number with a point is probably in major units. One with an exponent is in minor units.
  const places = hasExponent ? 0 : known?.decimals;
  const amount = places === undefined ? undefined : integerOf(text, places);
  const isPossible = amount !== undefined && amount >= (known?.min ?? 1) && amount <= MAX_AMOUNT;
  if (!isPossible) return `${param} ${shown} ${fault}. Send ${AMOUNT_UNIT}.`;
  const meaning = known ? ` for ${displayAmount(amount, known.code)}` : '';
  return `${param} ${shown} ${fault}. Send ${amount}${meaning}.`;
}

/** A number without a sign. Its exponent has at most two digits, which bounds its size. */
const NUMBER = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i;

/** Returns the number times ten to the power of `places`, or undefined if not an integer. */
function integerOf(text: string, places: number): number | undefined {
  const [, whole, fraction = '', exponent = '0'] =
    text.length > MAX_ECHO_LENGTH ? [] : (NUMBER.exec(text) ?? []);
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) + places - fraction.length;
  const power = 10n ** BigInt(Math.abs(shift));
  if (shift >= 0) return Number(digits * power);
  return digits % power === 0n ? Number(digits / power) : undefined;
}
