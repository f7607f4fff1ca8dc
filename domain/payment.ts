/**
 * Payments and the table of their transitions. The filter of every status write, the checkout pages
 * and the tests are derived from this table.
 */
import type { BankDecision, FailureCode } from './bank.ts';
import type { EventType } from './event.ts';
import type { Locale, TenantRow } from './merchant.ts';
import type { Trace } from './trace.ts';

const FINAL_STATUSES = ['completed', 'failed', 'canceled', 'expired'] as const;
export const PAYMENT_STATUSES = ['created', 'processing', ...FINAL_STATUSES] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The most declines of a payment. The last one ends it. */
export const MAX_ATTEMPTS = 5;

/**
 * The most visits to the bank for one payment, including those turned back. Each visit adds an
 * attempt to the document, and an order and a cancel at the bank. The last one ends the payment.
 */
export const MAX_VISITS = 30;

/** How long a payment lives unless its merchant says otherwise, in milliseconds. */
export const DEFAULT_LIFETIME_MS = 30 * 60 * 1000;
/** The shortest and the longest default that a merchant may choose. */
export const MIN_LIFETIME_MS = 5 * 60 * 1000;
export const MAX_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** The most keys of a payment's metadata. As in other payment services: references, not files. */
export const MAX_METADATA_KEYS = 50;

export interface Card {
  readonly brand: string;
  readonly last4: string;
}

/** What a bank transfer is recognised by. */
export interface Transfer {
  readonly reference: string;
}

/** Attempts of earlier versions have no `method`. They are by card. */
interface ByCard {
  method?: 'card';
  card: Card;
}

interface ByTransfer {
  method: 'bank_transfer';
  transfer: Transfer;
}

export type Attempt = AttemptState & (ByCard | ByTransfer);

interface AttemptState {
  id: string;
  number: number;
  /** `reversed`: the bank approved after the attempt had ended, and cancelled that approval. */
  status: 'pending' | 'approved' | 'declined' | 'turned_back' | 'reversed';
  failure_code: FailureCode | null;
  created_at: Date;
  /** When the customer went to the bank. A card's time limit counts from here. */
  opened_at: Date;
  bank: BankDecision | null;
  /** Set when the customer asked to turn back. The bank may still decide until `gave_up_at`. */
  turned_back_at?: Date;
  /** The number of wrong 3-D Secure codes that could be corrected. Absent before the first. */
  wrong_codes?: number;
  /** When we gave up on the bank. From then on, an approval is reversed. */
  gave_up_at: Date | null;
  /** The request that last advanced the bank's answer. Test mode only. */
  advanced_by?: string;
}

export interface Cancellation {
  by: 'merchant' | 'customer';
  reason: string | null;
}

export interface Payment extends TenantRow {
  _id: string;
  merchant_id: string;
  livemode: boolean;
  status: PaymentStatus;
  /** Present until nothing more can happen. The sweep's index has open payments only. */
  open?: true;
  /** When the next step is due. The sweep wakes overdue payments. */
  due_at: Date;
  amount: number;
  currency: string;
  amount_refunded: number;
  /** The amount reserved by pending refunds, and the number of all. Absent before the first one. */
  refunds?: { pending: number; count: number };
  order_id: string | null;
  description: string | null;
  return_url: string;
  cancel_url: string | null;
  locale: Locale;
  metadata: Record<string, string>;
  /** The trace of the request that created it. Absent without one, and in earlier versions. */
  trace?: Trace;
  checkout_token: string;
  /** When the checkout page was first opened. Absent before that. */
  checkout_opened_at?: Date;
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

interface Transition {
  readonly from: PaymentStatus;
  readonly to: PaymentStatus;
  readonly event: EventType | null;
}

/** Every change of a payment's status. */
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
export type PaymentEventType = NonNullable<(typeof TRANSITIONS)[TransitionName]['event']>;

/** Returns true if the status never changes again. */
export function isFinal(status: PaymentStatus): boolean {
  return (FINAL_STATUSES as readonly PaymentStatus[]).includes(status);
}

/** The fields that the merchant can change while a payment is open. */
export type Details = Pick<Payment, 'description' | 'metadata'>;

/** A change of the details. Null removes a value, and what is not named stays. */
export interface DetailChanges {
  readonly description?: string | null;
  readonly metadata?: Readonly<Record<string, string | null>> | null;
}

/** Returns the details after the change. */
export function changedDetails(
  before: Details,
  { description = before.description, metadata = {} }: DetailChanges,
): Details {
  const merged = metadata === null ? {} : { ...before.metadata, ...metadata };
  const kept = Object.entries(merged).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
  return { description, metadata: Object.fromEntries(kept) };
}

/** Returns the names of the details that differ, such as `metadata.basket`. Never their values. */
export function differingDetails(before: Details, after: Details): string[] {
  const keys = [...new Set([before, after].flatMap(({ metadata }) => Object.keys(metadata)))];
  return [
    ...(before.description === after.description ? [] : ['description']),
    ...keys
      .filter((key) => before.metadata[key] !== after.metadata[key])
      .map((key) => `metadata.${key}`),
  ];
}

/** Returns the newest attempt. */
export function lastAttempt(payment: Pick<Payment, 'attempts'>): Attempt | undefined {
  return payment.attempts.at(-1);
}

/** Returns the number of attempts, without those turned back. */
export function countAttempts({ attempts }: Pick<Payment, 'attempts'>): number {
  return attempts.filter(
    ({ status, failure_code: code }) =>
      status === 'pending' || status === 'approved' || code !== null,
  ).length;
}

/** Returns how often the customer may still go to the bank. */
export function attemptsLeft(payment: Pick<Payment, 'attempts'>): number {
  return Math.min(MAX_ATTEMPTS - countAttempts(payment), MAX_VISITS - payment.attempts.length);
}

/** Returns true if the payment has used all its visits to the bank. */
export function hasNoVisitsLeft({ attempts }: Pick<Payment, 'attempts'>): boolean {
  return attempts.length >= MAX_VISITS;
}

/** Returns true if the customer may go to the bank now. */
export function mayOpenAttempt(payment: Payment, now: Date): boolean {
  return payment.status === 'created' && now < payment.expires_at && attemptsLeft(payment) > 0;
}

/** Returns true if the bank has approved or declined the attempt. */
export function isAnswered({ bank }: Pick<Attempt, 'bank'>): boolean {
  return bank !== null && bank.says.answer !== 'none';
}

/** The final statuses of an attempt after which no money may move. */
export const UNPAID: readonly Attempt['status'][] = ['declined', 'turned_back'];

/** Returns an unpaid attempt that the bank has approved or will approve, if there is one. */
export function lateApproval(payment: Pick<Payment, 'attempts'>): Attempt | undefined {
  return payment.attempts.find(
    ({ status, bank }) => UNPAID.includes(status) && bank?.says.answer === 'approved',
  );
}

/**
 * Returns the `updated_at` of a change made at `now`. It is later than the last change even if
 * hosts have different clocks. So an unchanged `updated_at` means an unchanged payment.
 */
export function timeOfChange({ updated_at: last }: Pick<Payment, 'updated_at'>, now: Date): Date {
  return now > last ? now : new Date(last.getTime() + 1);
}

/** Returns when the payment ended; null if it has not ended. */
export function endedAt(payment: Payment): Date | null {
  return payment.completed_at ?? payment.failed_at ?? payment.canceled_at ?? payment.expired_at;
}
