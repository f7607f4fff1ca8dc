/**
 * The errors of a form in the language links of its page, so that the page in another language has
 * them too. They name a fault, and never what was typed.
 */
import type { FieldErrors } from './form.ts';
import type { TextKey } from './text.ts';

/** The errors of each field that an address may have. */
const KEPT = {
  card_number: ['error.card_missing', 'error.card_number', 'error.card_refused'],
  expiry: ['error.expiry', 'error.expiry_past', 'error.expiry_far'],
  cvc: ['error.cvc', 'error.cvc_3', 'error.cvc_4'],
  outcome: ['error.outcome'],
  code: ['error.code'],
  method: ['error.method'],
} as const satisfies Record<keyof FieldErrors, readonly TextKey[]>;

const FIELDS = Object.keys(KEPT) as (keyof FieldErrors)[];
const PREFIX = 'error.';

/** Returns the errors as a parameter of an address: `card_number,cvc_3`. */
export function writeErrors(errors: FieldErrors): string {
  return FIELDS.flatMap((field) => errors[field]?.slice(PREFIX.length) ?? []).join(',');
}

/** Returns the errors in a parameter of an address. Ignores unknown ones. */
export function readErrors(parameter: unknown): FieldErrors {
  const names = typeof parameter === 'string' ? parameter.split(',') : [];
  const errors: FieldErrors = {};
  for (const field of FIELDS) {
    const known: readonly TextKey[] = KEPT[field];
    const key = known.find((each) => names.includes(each.slice(PREFIX.length)));
    if (key) errors[field] = key;
  }
  return errors;
}
