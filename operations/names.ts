/** Names in error messages: the name that was probably meant, and those that may be repeated. */
import { closestMatch } from 'leven';
import { containsCardNumber } from '../domain/cardnumber.ts';
import { MAX_ECHO_LENGTH } from './refusal.ts';

/** Longer texts are not misspelt names, and would take long to compare. */
const MAX_NAME_LENGTH = 40;
/** A name may have one typing error in this many characters, up to MAX_TYPOS. */
const CHARACTERS_PER_TYPO = 4;
const MAX_TYPOS = 2;
/** The shortest beginning that is completed, such as `meta` for `metadata`. */
const MIN_BEGINNING = 4;

/** Splits `orderId`, `order-id` and `Order ID` into `order` and `id`. The star is a word too. */
function wordsOf(name: string): string[] {
  const spaced = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  return spaced.split(/[^a-z\d*]+/).filter(Boolean);
}

const plainOf = (name: string): string => wordsOf(name).join('');

/**
 * Returns the one of `names` that `given` probably means, or undefined if none is near. Ignores case
 * and separators. Allows for typing errors, and for missing and additional words at the end.
 */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const plain = given.length > MAX_NAME_LENGTH ? '' : plainOf(given);
  if (plain === '') return undefined;
  const known = new Map(names.map((name) => [plainOf(name), name]));
  const maxDistance = Math.min(MAX_TYPOS, Math.floor(plain.length / CHARACTERS_PER_TYPO));
  const similar = closestMatch(plain, [...known.keys()], { maxDistance });
  return known.get(similar ?? '') ?? completionOf(plain, known) ?? beginningOf(given, names);
}

/** Returns the name that begins with that text, if there is exactly one. */
function completionOf(plain: string, known: ReadonlyMap<string, string>): string | undefined {
  const longer = [...known.keys()].filter((name) => name.startsWith(plain));
  return plain.length >= MIN_BEGINNING && longer.length === 1
    ? known.get(longer[0] ?? '')
    : undefined;
}

/** Returns the name that the text begins with, as in `amount_cents`. */
function beginningOf(given: string, names: readonly string[]): string | undefined {
  const words = wordsOf(given);
  return names.find((name) => wordsOf(name).every((word, index) => words[index] === word));
}

/** Returns the question whether one of `names` was meant, after a space; empty if none is near. */
export function suggestion(given: unknown, names: readonly string[]): string {
  const near = typeof given === 'string' ? nearest(given, names) : undefined;
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** The length of the shortest card number. */
const MIN_CARD_LENGTH = 13;

/** Returns the name as messages repeat it; undefined if it may be a card number or a secret. */
export function shownName(name: string): string | undefined {
  const hasCard = name.length >= MIN_CARD_LENGTH && containsCardNumber(name);
  if (hasCard || /(?<![a-z])(?:sk_(?:test|live)|whsec)_/i.test(name)) return undefined;
  return name.slice(0, MAX_ECHO_LENGTH);
}
