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

export interface Card {
  readonly brand: string;
  readonly last4: string;
}

export interface Attempt {
  id: string;
  number: number;
  /** `reversed`: the bank approved after we had given up on it, and was told to cancel. */
  status: 'pending' | 'approved' | 'declined' | 'turned_back' | 'reversed';
  card: Card;
  failure_code: FailureCode | null;
  created_at: Date;
  /** When the customer last went to the bank with it: a turned-back attempt is used again. */
  opened_at: Date;
  bank: BankDecision | null;
  /** From here on only `bank_timeout` can become of it; a later approval is reversed. */
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

export interface Transition {
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

/** Whether a customer may go to the bank now. */
export function mayOpenAttempt(payment: Payment, now: Date): boolean {
  if (payment.status !== 'created' || now >= payment.expires_at) return false;
  return payment.attempts.length < MAX_ATTEMPTS || lastAttempt(payment)?.status === 'turned_back';
}

/** Whether the bank has had its time and said nothing; `bankTimeoutMs` from when it was opened. */
export function isSilenceOver(attempt: Attempt, now: Date, bankTimeoutMs: number): boolean {
  const answered = attempt.bank !== null && attempt.bank.says.answer !== 'none';
  return !answered && now.getTime() >= attempt.opened_at.getTime() + bankTimeoutMs;
}

/** An approval that the bank will still send, or has sent, for an attempt we gave up on. */
export function lateApproval(payment: Pick<Payment, 'attempts'>): Attempt | undefined {
  return payment.attempts.find(
    (attempt) => attempt.status === 'declined' && attempt.bank?.says.answer === 'approved',
  );
}

/** When the payment came to its end; null while it has not. */
export function endedAt(payment: Payment): Date | null {
  return payment.completed_at ?? payment.failed_at ?? payment.canceled_at ?? payment.expired_at;
}
