/**
 * Search terms: a payment is found by its amount, the last four digits of its cards and its
 * metadata. A term is an exact text in an index. Order ids have an index of their own.
 */
import { containsCardNumber } from './cardnumber.ts';
import { PREFIXES, isId } from './id.ts';
import type { IdKind } from './id.ts';
import { CURRENCIES, currencyOfSign, decimalsOf, parseAmount, plainAmount } from './money.ts';
import type { Payment } from './payment.ts';

/** The most characters of a term about metadata. Values may have 500, and most are short ids. */
const MAX_TERM_CHARS = 80;
/** The most pairs of metadata that a payment is found by: each is an entry in the index. */
export const MAX_SEARCHED_PAIRS = 20;

/** One meaning of a searched text. Each is an equality in an index. */
export type Reading =
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'card'; readonly term: string; readonly last4: string }
  | { readonly kind: 'amount'; readonly term: string; readonly currency?: string }
  | {
      readonly kind: 'metadata';
      readonly term: string;
      readonly key: string;
      readonly value: string;
    };

/** The fields by which a payment is found. */
type Searched = Pick<Payment, 'amount' | 'currency' | 'metadata' | 'attempts'>;

/** Returns the terms by which the payment is found. Never returns an empty list. */
export function searchTerms({ amount, currency, metadata, attempts }: Searched): string[] {
  const pairs = Object.entries(metadata).slice(0, MAX_SEARCHED_PAIRS);
  const terms = [
    amountTerm(plainAmount(amount, currency)),
    ...attempts.map(({ card }) => cardTerm(card.last4)),
    ...pairs.map(([key, value]) => metadataTerm(key, value)),
  ];
  return [...new Set(terms)];
}

/** `=125.5`, without zeros at the end. Only a term about metadata has a colon. */
const amountTerm = (major: string): string =>
  `=${major.includes('.') ? major.replace(/\.?0+$/, '') : major}`;

const cardTerm = (last4: string): string => `*${last4}`;

const metadataTerm = (key: string, value: string): string =>
  Array.from(`${fold(key)}:${fold(value)}`)
    .slice(0, MAX_TERM_CHARS)
    .join('');

/** Returns a text as it is compared: without case, and with single spaces. */
const fold = (text: string): string =>
  text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns the id of that kind that the text has in any case; undefined for other texts. */
export function readId(kind: IdKind, text: string): string | undefined {
  const { [kind]: prefix } = PREFIXES;
  const typed = text.trim();
  const id = prefix + typed.slice(prefix.length).toUpperCase();
  return typed.toLowerCase() === id.toLowerCase() && isId(kind, id) ? id : undefined;
}

/** Returns the token of a checkout page's address, which customers pass on; undefined without one. */
export const readCheckoutToken = (text: string): string | undefined =>
  /\/c\/([\w-]{43})(?![\w-])/.exec(text)?.[1];

const CARD = /^[*•.x\s]*(\d{4})$/i;
const WHOLE_CARD = /^\d[\d\s-]*(\d{4})$/;
const PAIR = /^([\w.-]+)\s*:\s*(.*)$/s;
/** A number sign before an order id, as people write it. */
const NUMBER_SIGN = /^[#＃№]\s*(?=.)/s;

/**
 * Returns every meaning that the searched text can have. Any text may be an order id. Full-width
 * digits and signs count as those of ASCII in amounts and cards.
 */
export function readSearch(text: string): Reading[] {
  const typed = text.trim();
  const plain = typed.normalize('NFKC');
  const orderIds = new Set([typed, typed.replace(NUMBER_SIGN, '')]);
  const last4 = readLast4(plain);
  const [, key, value = ''] = PAIR.exec(typed) ?? [];
  return [
    ...[...orderIds].map((orderId) => ({ kind: 'order', orderId }) as const),
    ...(last4 === undefined ? [] : [{ kind: 'card', last4, term: cardTerm(last4) } as const]),
    ...readAmount(plain),
    ...(key === undefined
      ? []
      : [{ kind: 'metadata', term: metadataTerm(key, value), key, value } as const]),
  ];
}

/** Returns the last four digits of a card, which are all that we know of it. */
function readLast4(text: string): string | undefined {
  const whole = containsCardNumber(text) ? WHOLE_CARD.exec(text)?.[1] : undefined;
  return whole ?? CARD.exec(text)?.[1];
}

/** An amount in major units, with a currency's code or sign before or after it. */
const AMOUNT = /^([^\d\s.,'’]{1,4})?\s*(\d[\d\s.,'’]*)([^\d\s.,'’]{1,4})?$/;

function readAmount(text: string): Reading[] {
  const [, before, digits, after] = AMOUNT.exec(text) ?? [];
  const name = before ?? after;
  if (digits === undefined || (before !== undefined && after !== undefined)) return [];
  const currency = name === undefined ? undefined : currencyOfSign(name);
  if (name !== undefined && currency === undefined) return [];
  // Currencies of two or three decimals may read the same text as different amounts.
  const codes = currency === undefined ? CURRENCIES.map(({ code }) => code) : [currency];
  const terms = codes.flatMap((code) => {
    const amount = parseAmount(digits, decimalsOf(code));
    return amount === undefined ? [] : [amountTerm(plainAmount(amount, code))];
  });
  return [...new Set(terms)].map((term) => ({
    kind: 'amount',
    term,
    ...(currency === undefined ? {} : { currency }),
  }));
}

/** Returns true if a payment with the reading's term matches the rest of the reading. */
export function matchesReading(
  reading: Reading,
  { currency, metadata }: Pick<Payment, 'currency' | 'metadata'>,
): boolean {
  if (reading.kind === 'amount') return (reading.currency ?? currency) === currency;
  if (reading.kind !== 'metadata') return true;
  return Object.entries(metadata).some(
    ([key, value]) => fold(key) === fold(reading.key) && fold(value) === fold(reading.value),
  );
}
