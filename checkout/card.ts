/**
 * The check of the card form. It returns only the brand and last four digits of a test card.
 * Nothing that a customer types is stored, logged or written back into a page.
 */
import { findTestCard } from '../domain/bank.ts';
import type { Card } from '../domain/payment.ts';
import type { FieldErrors, Form } from './form.ts';

export const CARD_FIELDS = ['card_number', 'expiry', 'cvc'] as const;
export type CardField = (typeof CARD_FIELDS)[number];

const LAST_DIGITS = 4;
const EXPIRY = /^(0?[1-9]|1[0-2])\s*[/.\-\s]?\s*(\d{2}|\d{4})$/;
const CVC = /^\d{3,4}$/;

/** Returns the card, or the errors of its fields. */
export function checkCard(form: Form): { card: Card } | { errors: FieldErrors } {
  const number = form.get('card_number') ?? '';
  const found = findTestCard(number);
  const errors: FieldErrors = {};
  if (number === '') errors.card_number = 'error.card_missing';
  else if (!found) errors.card_number = 'error.card_refused';
  // A test card has no expiry date of its own, so a past date is accepted too.
  if (!EXPIRY.test(form.get('expiry') ?? '')) errors.expiry = 'error.expiry';
  if (!CVC.test(form.get('cvc') ?? '')) errors.cvc = 'error.cvc';
  if (!found || Object.keys(errors).length > 0) return { errors };
  return { card: { brand: found.brand, last4: found.number.slice(-LAST_DIGITS) } };
}
