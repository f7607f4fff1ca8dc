/**
 * What a customer typed into the card form. Only a test card leaves this file, and only its brand
 * and last four digits: nothing typed is kept, logged or written back into a page.
 */
import { findTestCard } from '../domain/bank.ts';
import type { Card } from '../domain/payment.ts';
import type { Form } from './form.ts';
import type { TextKey } from './text.ts';

export const CARD_FIELDS = ['card_number', 'expiry', 'cvc'] as const;
type CardField = (typeof CARD_FIELDS)[number];

export type CardErrors = Partial<Record<CardField, TextKey>>;

type CardCheck = { readonly card: Card } | { readonly errors: CardErrors };

const LAST_DIGITS = 4;
const EXPIRY = /^(0?[1-9]|1[0-2])\s*[/.\-\s]?\s*(\d{2}|\d{4})$/;
const CVC = /^\d{3,4}$/;

/** The card, or the text that says what is wrong with each field. */
export function checkCard(form: Form): CardCheck {
  const typed = form.get('card_number') ?? '';
  const found = findTestCard(typed);
  const errors: CardErrors = {};
  if (typed === '') errors.card_number = 'error.card_missing';
  else if (!found) errors.card_number = 'error.card_refused';
  // A test card has no date of its own, so a date in the past is as good as any.
  if (!EXPIRY.test(form.get('expiry') ?? '')) errors.expiry = 'error.expiry';
  if (!CVC.test(form.get('cvc') ?? '')) errors.cvc = 'error.cvc';
  if (!found || Object.keys(errors).length > 0) return { errors };
  return { card: { brand: found.brand, last4: found.number.slice(-LAST_DIGITS) } };
}
