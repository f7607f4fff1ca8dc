/**
 * A payment's record and the one table of its transitions. The filter of every status write, the
 * checkout pages and the tests are derived from this table.
 */
import type { BankDecision, FailureCode } from './bank.ts';

export const PAYMENT_STATUSES = [
  'created',
  'processing',
  'completed',
  'failed',
  'canceled',
  'expired',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const LOCALES = ['hy', 'en', 'ru'] as const;
export type Locale = (typeof LOCALES)[number];

/** A customer may be declined this often; the last decline ends the payment. */
export const MAX_ATTEMPTS = 5;

/**
 * The maximum number of visits to the bank for one payment, turned back or not. Each visit is an
 * attempt in the document, and costs the bank an order and a cancel. The last one ends the payment.
 */
export const MAX_VISITS = 30;

export interface Card {
  readonly brand: string;
  readonly last4: string;
}

export interface Attempt {
  id: string;
  number: number;
  /** `reversed`: the bank approved after the attempt had ended, and was asked to cancel that. */
  status: 'pending' | 'approved' | 'declined' | 'turned_back' | 'reversed';
  card: Card;
  failure_code: FailureCode | null;
  created_at: Date;
  /** When the customer went to the bank with it; the bank's time counts from here. */
  opened_at: Date;
  bank: BankDecision | null;
  /** Set when the customer asked to turn back. The bank may still decide until `gave_up_at`. */
  turned_back_at?: Date;
  /**
   * When we gave up on the bank. The attempt can then only be turned back or declined. A later
   * approval is reversed.
   */
  gave_up_at: Date | null;
}

export interface Cancellation {
  by: 'merchant' | 'customer';
  reason: string | null;
}

export interface Payment {
  _id: string;
  /** Merchant and mode, as in `mer_...:test`: the tenant, part of every filter. */
  m: string;
  merchant_id: string;
  livemode: boolean;
  status: PaymentStatus;
  /** Present while something is still to happen to it; the sweep's index is partial on it. */
  open?: true;
  /** When something should have happened at the latest; the sweep looks after what is overdue. */
  due_at: Date;
  amount: number;
  currency: string;
  amount_refunded: number;
  /** Present from the first refund on: the amount reserved by those under way, and their number. */
  refunds?: { pending: number; count: number };
  order_id: string | null;
  description: string | null;
  return_url: string;
  cancel_url: string | null;
  locale: Locale;
  metadata: Record<string, string>;
  checkout_token: string;
  attempts: Attempt[];
  failure_code: FailureCode | null;
  cancellation: Cancellation | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  completed_at: Date | null;
  failed_at: Date | null;
  canceled_at: Date | null;
  expired_at: Date | null;
}

export type PaymentEventType =
  | 'payment.completed'
  | 'payment.attempt_failed'
  | 'payment.failed'
  | 'payment.canceled'
  | 'payment.expired';

interface Transition {
  readonly from: PaymentStatus;
  readonly to: PaymentStatus;
  readonly event: PaymentEventType | null;
}

/** Every edge of a payment's life. There is no other way for a status to change. */
export const TRANSITIONS = {
  attempt_opened: { from: 'created', to: 'processing', event: null },
  turned_back: { from: 'processing', to: 'created', event: null },
  approved: { from: 'processing', to: 'completed', event: 'payment.completed' },
  declined: { from: 'processing', to: 'created', event: 'payment.attempt_failed' },
  declined_at_end: { from: 'processing', to: 'expired', event: 'payment.expired' },
  declined_for_good: { from: 'processing', to: 'failed', event: 'payment.failed' },
  canceled: { from: 'created', to: 'canceled', event: 'payment.canceled' },
  expired: { from: 'created', to: 'expired', event: 'payment.expired' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

const FINAL: readonly PaymentStatus[] = ['completed', 'failed', 'canceled', 'expired'];

/** A final status is never left. */
export function isFinal(status: PaymentStatus): boolean {
  return FINAL.includes(status);
}

/** The attempt that is, or was last, at the bank. */
export function lastAttempt(payment: Pick<Payment, 'attempts'>): Attempt | undefined {
  return payment.attempts.at(-1);
}

/**
 * Returns the number of attempts that are at the bank, approved or declined. Those turned back do
 * not count.
 */
export function countAttempts({ attempts }: Pick<Payment, 'attempts'>): number {
  return attempts.filter(
    ({ status, failure_code: code }) =>
      status === 'pending' || status === 'approved' || code !== null,
  ).length;
}

/** Returns whether the payment has used all its visits to the bank. */
export function hasNoVisitsLeft({ attempts }: Pick<Payment, 'attempts'>): boolean {
  return attempts.length >= MAX_VISITS;
}

/** Returns whether a customer may go to the bank now. */
export function mayOpenAttempt(payment: Payment, now: Date): boolean {
  if (payment.status !== 'created' || now >= payment.expires_at) return false;
  return countAttempts(payment) < MAX_ATTEMPTS && !hasNoVisitsLeft(payment);
}

/** Returns whether the bank has approved or declined the attempt. */
export function isAnswered({ bank }: Pick<Attempt, 'bank'>): boolean {
  return bank !== null && bank.says.answer !== 'none';
}

/** Returns whether the bank has not decided within `bankTimeoutMs` of `opened_at`. */
export function isSilenceOver(attempt: Attempt, now: Date, bankTimeoutMs: number): boolean {
  return !isAnswered(attempt) && now.getTime() >= attempt.opened_at.getTime() + bankTimeoutMs;
}

/** The final statuses of an attempt after which no money may move. */
export const UNPAID: readonly Attempt['status'][] = ['declined', 'turned_back'];

/**
 * Returns the ended attempt that the bank has approved or will approve; undefined if there is none.
 */
export function lateApproval(payment: Pick<Payment, 'attempts'>): Attempt | undefined {
  return payment.attempts.find(
    ({ status, bank }) => UNPAID.includes(status) && bank?.says.answer === 'approved',
  );
}

/**
 * Returns the time of a change made at `now`, for `updated_at` and the like. It is always later
 * than the last change, although hosts have different clocks. So if `updated_at` is still the one
 * that was read, nothing has changed since.
 */
export function timeOfChange({ updated_at: last }: Pick<Payment, 'updated_at'>, now: Date): Date {
  return now > last ? now : new Date(last.getTime() + 1);
}

/** Returns the time when the payment ended; null if it has not ended. */
export function endedAt(payment: Payment): Date | null {
  return payment.completed_at ?? payment.failed_at ?? payment.canceled_at ?? payment.expired_at;
}
