/**
 * Search terms: a payment is found by its amount, the last four digits of its cards, the references
 * of its transfers, the parts of its order id and its metadata. A term is an exact text in an
 * index. Whole order ids have an index of their own, too.
 */
import { containsCardNumber } from './cardnumber.ts';
import { PREFIXES, isId } from './id.ts';
import type { IdKind } from './id.ts';
import { CURRENCIES, currencyOfSign, decimalsOf, parseAmount, plainAmount } from './money.ts';
import type { Attempt, Payment } from './payment.ts';

/** The most characters of a term. Values of metadata may have 500, and most are short ids. */
const MAX_TERM_CHARS = 80;
/** The most characters of a pair that `pairTerm` takes: less than a term, with its colon. */
export const MAX_PAIR_CHARS = MAX_TERM_CHARS - 2;
/** The most pairs of metadata that a payment is found by: each is an entry in the index. */
export const MAX_SEARCHED_PAIRS = 20;
/** The most terms of an order id: the whole, and its longest parts. */
export const MAX_ORDER_TERMS = 6;
/** The fewest characters of a part of an order id. Shorter ones are on too many payments. */
const MIN_PART_CHARS = 2;
/** The most meanings of a text that are searched: each is a query. */
const MAX_READINGS = 3;

/** One meaning of a searched text. Each is an equality in an index. */
export type Reading =
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'part'; readonly term: string; readonly words: readonly string[] }
  | { readonly kind: 'card'; readonly term: string; readonly last4: string }
  /** Four digits: of a card, or in an order id. */
  | { readonly kind: 'digits'; readonly term: string; readonly last4: string }
  | { readonly kind: 'amount'; readonly term: string; readonly currency?: string }
  | {
      readonly kind: 'metadata';
      readonly term: string;
      readonly key: string;
      readonly value: string;
    };

/** The fields by which a payment is found. */
type Searched = Pick<Payment, 'amount' | 'currency' | 'order_id' | 'metadata' | 'attempts'>;

/** Returns the terms by which the payment is found. Never returns an empty list. */
export function searchTerms(payment: Searched): string[] {
  const { amount, currency, order_id: orderId, metadata, attempts } = payment;
  const pairs = Object.entries(metadata).slice(0, MAX_SEARCHED_PAIRS);
  const terms = [
    amountTerm(plainAmount(amount, currency)),
    ...attemptTerms(attempts),
    ...orderTerms(orderId ?? ''),
    ...pairs.map(([key, value]) => metadataTerm(key, value)),
  ];
  return [...new Set(terms)];
}

/** Returns the terms of attempts: their cards, and the references of their transfers. */
export function attemptTerms(attempts: readonly Attempt[]): string[] {
  const references = referencesOf(attempts).map((reference) => wordsOf(reference).join(''));
  return [...cardsOf(attempts), ...references].map(partTerm);
}

/** Returns the terms of the whole order id and of its longest parts. */
function orderTerms(orderId: string): string[] {
  const words = wordsOf(orderId);
  const runs = fold(orderId).split(/[^\p{L}\p{M}\p{N}]+/u);
  const parts = [...runs, ...words].filter(({ length }) => length >= MIN_PART_CHARS);
  // Of equal lengths the last comes first, because order ids differ at the end.
  const longest = parts.toReversed().toSorted((a, b) => b.length - a.length);
  const terms = [words.join(''), ...longest].filter((part) => part !== '').map(partTerm);
  return [...new Set(terms)].slice(0, MAX_ORDER_TERMS);
}

/** Returns the runs of letters and the runs of digits in a text. */
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];

/** `=125.5`, without zeros at the end. Only a term about metadata has a colon. */
const amountTerm = (major: string): string =>
  `=${major.includes('.') ? major.replace(/\.?0+$/, '') : major}`;

/** The last digits of a card, references, and parts of order ids: one query finds them all. */
const partTerm = (part: string): string => cut(`*${part}`);

const metadataTerm = (key: string, value: string): string => cut(wholeTerm(key, value));

const wholeTerm = (key: string, value: string): string => `${fold(key)}:${fold(value)}`;

/**
 * Returns the term that a payment has if its metadata has the pair; undefined if the pair is too
 * long. A shorter term is never a longer one that was cut.
 */
export function pairTerm(key: string, value: string): string | undefined {
  const term = wholeTerm(key, value);
  return Array.from(term).length <= MAX_PAIR_CHARS + 1 ? term : undefined;
}

const cut = (term: string): string => Array.from(term).slice(0, MAX_TERM_CHARS).join('');

/** Returns a text as it is compared: without case, and with single spaces. */
const fold = (text: string): string =>
  text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/**
 * Returns the id of that kind that the text is, in any case, or that it has in its path if it is an
 * address; undefined for other texts.
 */
export function readId(kind: IdKind, text: string): string | undefined {
  const { [kind]: prefix } = PREFIXES;
  const whole = text.trim();
  const [, path = ''] = /^https?:\/\/[^/]+(\/[^?#\s]*)/i.exec(whole) ?? [];
  const segments = path.split('/').filter((part) => part.toLowerCase().startsWith(prefix));
  const [typed = whole] = segments;
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
 * Returns the meanings that the searched text can have, three at most. Any text may be an order id.
 * Full-width digits and signs count as those of ASCII in amounts and cards.
 */
export function readSearch(text: string): Reading[] {
  const typed = text.trim();
  const plain = typed.normalize('NFKC');
  const unsigned = typed.replace(NUMBER_SIGN, '');
  const card = readCard(plain);
  const amounts = readAmount(plain);
  const [, key, value = ''] = PAIR.exec(typed) ?? [];
  const isNumber = /^\d+$/.test(plain);
  const hasParts = card === undefined && (amounts.length === 0 || isNumber);
  const readings: Reading[] = [
    ...[...new Set([typed, unsigned])].map((orderId) => ({ kind: 'order', orderId }) as const),
    ...(card === undefined ? [] : [card]),
    ...amounts,
    ...(key === undefined
      ? []
      : [{ kind: 'metadata', term: metadataTerm(key, value), key, value } as const]),
    ...(hasParts ? readParts(isNumber ? plain : unsigned) : []),
  ];
  return readings.slice(0, MAX_READINGS);
}

/** Returns the last four digits of a card, which are all that we know of it. */
function readCard(text: string): Reading | undefined {
  const whole = containsCardNumber(text) ? WHOLE_CARD.exec(text)?.[1] : undefined;
  const last4 = whole ?? CARD.exec(text)?.[1];
  if (last4 === undefined) return undefined;
  return { kind: text === last4 ? 'digits' : 'card', last4, term: partTerm(last4) };
}

/**
 * Returns the readings of a text as an order id in another case or with other signs between its
 * parts, and as some of its parts. Of several parts, a number is looked for, because it is on fewer
 * payments than a word.
 */
function readParts(text: string): Reading[] {
  const words = wordsOf(text);
  const ranked = words
    .toReversed()
    .toSorted((a, b) => rankOf(b) - rankOf(a) || b.length - a.length);
  const parts = new Set([words.join(''), ...ranked.slice(0, 1)]);
  return [...parts]
    .filter(({ length }) => length >= MIN_PART_CHARS)
    .map((part) => ({ kind: 'part', term: partTerm(part), words }));
}

/** Zeros after the point, which people also type after amounts without decimals. */
const NO_FRACTION = /[.,]0{1,2}\s*$/;
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
    const decimals = decimalsOf(code);
    const amount =
      parseAmount(digits, decimals) ?? parseAmount(digits.replace(NO_FRACTION, ''), decimals);
    return amount === undefined ? [] : [amountTerm(plainAmount(amount, code))];
  });
  return [...new Set(terms)].map((term) => ({
    kind: 'amount',
    term,
    ...(currency === undefined ? {} : { currency }),
  }));
}

const rankOf = (word: string): number => Number(/\p{N}/u.test(word));

/** Returns true if an order id is made of the words, or has them beside each other. */
const hasWords = (all: readonly string[], words: readonly string[]): boolean =>
  all.join('') === words.join('') || ` ${all.join(' ')} `.includes(` ${words.join(' ')} `);

const cardsOf = (attempts: readonly Attempt[]): string[] =>
  attempts.flatMap((each) => (each.method === 'bank_transfer' ? [] : [each.card.last4]));

const referencesOf = (attempts: readonly Attempt[]): string[] =>
  attempts.flatMap((each) => (each.method === 'bank_transfer' ? [each.transfer.reference] : []));

/** Returns true if a payment with the reading's term matches the rest of the reading. */
export function matchesReading(reading: Reading, payment: Searched): boolean {
  const { currency, metadata, order_id: orderId, attempts } = payment;
  switch (reading.kind) {
    case 'amount':
      return (reading.currency ?? currency) === currency;
    case 'card':
      return cardsOf(attempts).includes(reading.last4);
    case 'part':
      return [orderId ?? '', ...referencesOf(attempts)].some((text) =>
        hasWords(wordsOf(text), reading.words),
      );
    case 'metadata':
      return Object.entries(metadata).some(
        ([key, value]) => fold(key) === fold(reading.key) && fold(value) === fold(reading.value),
      );
    default:
      return true;
  }
}
