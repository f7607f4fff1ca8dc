/**
 * The check of the card form. It returns only the brand and last four digits of a test card.
 * Nothing that a customer types is stored, logged or written back into a page.
 */
import { findTestCard } from '../../../domain/bank.ts';
import { containsCardNumber } from '../../../domain/cardnumber.ts';
import type { Tender } from '../../../domain/method.ts';
import { brandOf } from '../../brands.ts';
import { checkExpiry } from '../../expiry.ts';
import type { FieldErrors, Form } from '../../form.ts';
import type { TextKey } from '../../text.ts';

export const CARD_FIELDS = ['card_number', 'expiry', 'cvc'] as const;
export type CardField = (typeof CARD_FIELDS)[number];

const LAST_DIGITS = 4;

/** Returns the card, or the errors of its fields at `now`. */
export function checkCard(form: Form, now: Date): { tender: Tender } | { errors: FieldErrors } {
  const number = (form.get('card_number') ?? '').replaceAll(/[\s-]/g, '');
  const found = findTestCard(number);
  const wrong: Record<CardField, TextKey | undefined> = {
    card_number: found ? undefined : numberError(number),
    expiry: checkExpiry(form.get('expiry') ?? '', now),
    cvc: cvcError(form.get('cvc') ?? '', brandOf(number)?.cvc),
  };
  const errors: FieldErrors = {};
  for (const field of CARD_FIELDS) if (wrong[field]) errors[field] = wrong[field];
  if (!found || Object.keys(errors).length > 0) return { errors };
  const card = { brand: found.brand, last4: found.number.slice(-LAST_DIGITS) };
  return { tender: { type: 'card', card } };
}

/** Returns the error of a number that is no test card's. A real one gets a text of its own. */
function numberError(number: string): TextKey {
  if (number === '') return 'error.card_missing';
  const isReal = /^\d+$/.test(number) && containsCardNumber(number);
  return isReal ? 'error.card_refused' : 'error.card_number';
}

/** Returns the error of a security code. Without a known brand it may have 3 or 4 digits. */
function cvcError(cvc: string, digits: 3 | 4 | undefined): TextKey | undefined {
  if (/^\d{3,4}$/.test(cvc) && (digits === undefined || cvc.length === digits)) return undefined;
  return digits === undefined ? 'error.cvc' : `error.cvc_${digits}`;
}
