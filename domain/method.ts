/** The methods of payment, and the rules in which they differ. */
import type { Attempt, Card, Payment, Transfer } from './payment.ts';
import { isAnswered, lastAttempt } from './payment.ts';

/** Every method, in the order in which the checkout offers them. The first one is the default. */
export const METHOD_TYPES = ['card', 'bank_transfer'] as const;
export type MethodType = (typeof METHOD_TYPES)[number];

/** The method of an attempt, as the API shows it. */
export type PaymentMethod =
  | { readonly type: 'card'; readonly card: Card }
  | { readonly type: 'bank_transfer'; readonly bank_transfer: Transfer };

/** What a customer has given to pay with. */
export type Tender =
  { readonly type: 'card'; readonly card: Card } | { readonly type: 'bank_transfer' };

/** Returns the methods that the customer can choose from. Only the sandbox bank takes transfers. */
export function methodsFor({ livemode }: Pick<Payment, 'livemode'>): readonly MethodType[] {
  return livemode ? ['card'] : METHOD_TYPES;
}

/** Returns the method of an attempt. */
export function methodOf(attempt: Attempt): PaymentMethod {
  if (attempt.method !== 'bank_transfer') return { type: 'card', card: attempt.card };
  return { type: 'bank_transfer', bank_transfer: attempt.transfer };
}

/** Returns the method of the last attempt; undefined before the first one. */
export function lastMethod(payment: Pick<Payment, 'attempts'>): PaymentMethod | undefined {
  const attempt = lastAttempt(payment);
  return attempt && methodOf(attempt);
}

/** Returns the card of the last attempt; undefined if that has no card. */
export function lastCard(payment: Pick<Payment, 'attempts'>): Card | undefined {
  const method = lastMethod(payment);
  return method?.type === 'card' ? method.card : undefined;
}

/** Returns the reference of the last attempt; null if that is no transfer. */
export function lastReference(payment: Pick<Payment, 'attempts'>): string | null {
  const method = lastMethod(payment);
  return method?.type === 'bank_transfer' ? method.bank_transfer.reference : null;
}

/** Returns the fields of a new attempt that say how it is paid. */
export function tenderedBy(tender: Tender, attemptId: string) {
  return tender.type === 'card'
    ? ({ method: 'card', card: tender.card } as const)
    : ({ method: 'bank_transfer', transfer: { reference: referenceOf(attemptId) } } as const);
}

/** The characters of a reference that differ between attempts. They are 40 random bits. */
const REFERENCE_CHARS = 8;

/**
 * Returns the reference that the customer enters at their own bank, such as `TG-7K3M-9P2A`. Two
 * attempts of a payment never have the same one.
 */
function referenceOf(attemptId: string): string {
  const end = attemptId.slice(-REFERENCE_CHARS);
  return `TG-${end.slice(0, REFERENCE_CHARS / 2)}-${end.slice(REFERENCE_CHARS / 2)}`;
}

/**
 * Returns true if the customer pays outside our pages, at any time. That takes instructions, not
 * the page of a bank.
 */
export function isPaidElsewhere({ method }: Pick<Attempt, 'method'>): boolean {
  return method === 'bank_transfer';
}

/**
 * Returns when we stop waiting for the bank's answer. A card is decided while the customer is at
 * the bank, so the bank has `bankTimeoutMs`. A transfer takes hours or days, and the merchant has
 * said how long the order waits: until the payment expires.
 */
export function waitsUntil(
  { expires_at: expiresAt }: Pick<Payment, 'expires_at'>,
  attempt: Pick<Attempt, 'method' | 'opened_at'>,
  bankTimeoutMs: number,
): Date {
  if (isPaidElsewhere(attempt)) return expiresAt;
  return new Date(attempt.opened_at.getTime() + bankTimeoutMs);
}

/** Returns true if the bank has not decided until the time when we stop waiting. */
export function isSilenceOver(
  payment: Pick<Payment, 'expires_at'>,
  attempt: Attempt,
  { now, bankTimeoutMs }: { now: Date; bankTimeoutMs: number },
): boolean {
  return !isAnswered(attempt) && now >= waitsUntil(payment, attempt, bankTimeoutMs);
}
