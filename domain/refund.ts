/** Refunds, the table of their transitions, and the rules for their amounts. */
import type { EventType } from './event.ts';
import type { TenantRow } from './merchant.ts';
import type { Payment } from './payment.ts';
import type { Trace } from './trace.ts';

export const REFUND_STATUSES = ['pending', 'completed', 'failed', 'canceled'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];
export type FinalRefundStatus = Exclude<RefundStatus, 'pending'>;

export const REFUND_REASONS = [
  'duplicate',
  'fraudulent',
  'requested_by_customer',
  'other',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export const REFUND_FAILURE_CODES = ['refund_declined'] as const;
type RefundFailureCode = (typeof REFUND_FAILURE_CODES)[number];

/** The most refunds of a payment: each adds a document and a call to the bank. */
export const MAX_REFUNDS = 100;

export interface Refund extends TenantRow {
  _id: string;
  livemode: boolean;
  payment_id: string;
  amount: number;
  currency: string;
  status: RefundStatus;
  reason: RefundReason | null;
  description: string | null;
  failure_code: RefundFailureCode | null;
  metadata: Record<string, string>;
  initiated_by: 'api' | 'dashboard';
  /** The trace of the request that created it. Absent without one, and in earlier versions. */
  trace?: Trace;
  /** When to ask the bank next. The sweep wakes overdue refunds. */
  due_at: Date;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}

type RefundEventType = Extract<EventType, `refund.${string}`>;

/** The bank's answer about a refund. While it is `pending`, ask again at `until`. */
export type RefundAnswer =
  | { readonly answer: 'completed' | 'canceled' }
  | { readonly answer: 'failed'; readonly code: RefundFailureCode }
  | { readonly answer: 'pending'; readonly until: Date };

interface RefundTransition {
  readonly event: RefundEventType;
  /** True if the customer gets the reserved amount back; otherwise it is refundable again. */
  readonly refunds: boolean;
}

/** Every change of a refund's status, from `pending`. The other statuses are final. */
export const REFUND_TRANSITIONS = {
  completed: { event: 'refund.completed', refunds: true },
  failed: { event: 'refund.failed', refunds: false },
  canceled: { event: 'refund.canceled', refunds: false },
} as const satisfies Record<FinalRefundStatus, RefundTransition>;

/** Returns the amount that is neither refunded nor reserved by a pending refund, in minor units. */
export function refundableAmount(
  payment: Pick<Payment, 'status' | 'amount' | 'amount_refunded' | 'refunds'>,
): number {
  if (payment.status !== 'completed') return 0;
  return payment.amount - payment.amount_refunded - (payment.refunds?.pending ?? 0);
}

interface RefundAmounts {
  /** By default, the whole refundable amount. */
  readonly amount?: number | undefined;
  /** The amount that the caller believes to be refundable. */
  readonly expectedRefundable?: number | undefined;
}

export type RefundRefusal =
  'payment_not_refundable' | 'payment_already_refunded' | 'refundable_changed' | 'refund_too_large';

/** Returns the amount to reserve, or the reason for a refusal and the amount that is refundable. */
export function judgeRefund(
  payment: Payment,
  { amount, expectedRefundable }: RefundAmounts,
): { readonly amount: number } | { readonly refused: RefundRefusal; readonly refundable: number } {
  const refundable = refundableAmount(payment);
  const refuse = (refused: RefundRefusal) => ({ refused, refundable });
  if (payment.status !== 'completed') return refuse('payment_not_refundable');
  if (expectedRefundable !== undefined && expectedRefundable !== refundable) {
    return refuse('refundable_changed');
  }
  if (refundable === 0) return refuse('payment_already_refunded');
  if ((payment.refunds?.count ?? 0) >= MAX_REFUNDS) return refuse('payment_not_refundable');
  const asked = amount ?? refundable;
  return asked > refundable ? refuse('refund_too_large') : { amount: asked };
}

/** Returns the cause of a refund's event of that type. */
export function refundCause(
  refund: Pick<Refund, '_id'>,
  type: RefundEventType | 'payment.refunded',
): string {
  return `${refund._id}:${type}`;
}

/** Returns the causes of all events of the refund up to its present status. */
export function causesSoFar(refund: Pick<Refund, '_id' | 'status'>): string[] {
  const created = refundCause(refund, 'refund.created');
  if (refund.status === 'pending') return [created];
  const { event, refunds } = REFUND_TRANSITIONS[refund.status];
  const ended = [created, refundCause(refund, event)];
  return refunds ? [...ended, refundCause(refund, 'payment.refunded')] : ended;
}

/** The end of a refund at the bank, at `now`. */
export interface RefundEnd {
  readonly status: FinalRefundStatus;
  readonly code: RefundFailureCode | null;
  readonly now: Date;
}

/** Returns the refund after its end. Pure, so that the refund's event can be composed from it. */
export function afterEnd(refund: Refund, { status, code, now }: RefundEnd): Refund {
  const completedAt = status === 'completed' ? now : null;
  return { ...refund, status, failure_code: code, updated_at: now, completed_at: completedAt };
}

/** The key of a refund's metadata that chooses its outcome at the sandbox bank. */
export const REFUND_TEST_KEY = 'test_outcome';

interface SandboxRefund {
  readonly becomes: FinalRefundStatus;
  /** The time from the first request to the bank's answer, in milliseconds. */
  readonly delayMs: number;
}

export const REFUND_TEST_OUTCOMES = {
  complete: { becomes: 'completed', delayMs: 0 },
  fail: { becomes: 'failed', delayMs: 0 },
  cancel: { becomes: 'canceled', delayMs: 0 },
  complete_after_5s: { becomes: 'completed', delayMs: 5_000 },
  complete_after_30s: { becomes: 'completed', delayMs: 30_000 },
  fail_after_5s: { becomes: 'failed', delayMs: 5_000 },
  fail_after_30s: { becomes: 'failed', delayMs: 30_000 },
} as const satisfies Record<string, SandboxRefund>;

export type RefundTestOutcome = keyof typeof REFUND_TEST_OUTCOMES;

/**
 * Returns the sandbox bank's answer about a refund at `now`. The delay counts from the first
 * request. After that request, the refund's `due_at` differs from its `created_at`.
 */
export function sandboxRefund(
  refund: Pick<Refund, 'metadata' | 'created_at' | 'due_at'>,
  now: Date,
): RefundAnswer {
  const name = refund.metadata[REFUND_TEST_KEY] ?? 'complete';
  const { becomes, delayMs } = Object.hasOwn(REFUND_TEST_OUTCOMES, name)
    ? REFUND_TEST_OUTCOMES[name as RefundTestOutcome]
    : REFUND_TEST_OUTCOMES.complete;
  const isFirst = refund.due_at.getTime() === refund.created_at.getTime();
  const until = isFirst ? new Date(now.getTime() + delayMs) : refund.due_at;
  if (delayMs > 0 && now < until) return { answer: 'pending', until };
  return becomes === 'failed' ? { answer: 'failed', code: 'refund_declined' } : { answer: becomes };
}
