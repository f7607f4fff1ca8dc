/** The columns of each export, in the order of the file (docs/guides/exports.md). */
import type { Delivery } from '../../domain/delivery.ts';
import type { Event } from '../../domain/event.ts';
import { plainAmount } from '../../domain/money.ts';
import { lastCard, lastMethod, lastReference } from '../../domain/method.ts';
import { countAttempts, lastAttempt } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';

/** Null is an empty cell. */
type Cell = string | number | null;
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** A delivery with the type and the payment of its event, if the event is stored. */
export interface DeliveryLine {
  readonly delivery: Delivery;
  readonly event: Pick<Event, 'type' | 'payment_id'> | undefined;
}

const time = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

/** Returns the object as JSON; null if it is empty. */
const json = (object: object): string | null =>
  Object.keys(object).length > 0 ? JSON.stringify(object) : null;

export const PAYMENT_COLUMNS: Columns<Payment> = {
  id: ({ _id }) => _id,
  status: ({ status }) => status,
  amount: ({ amount, currency }) => plainAmount(amount, currency),
  amount_minor: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  amount_refunded: (payment) => plainAmount(payment.amount_refunded, payment.currency),
  amount_refunded_minor: (payment) => payment.amount_refunded,
  order_id: (payment) => payment.order_id,
  description: ({ description }) => description,
  card_brand: (payment) => lastCard(payment)?.brand ?? null,
  card_last4: (payment) => lastCard(payment)?.last4 ?? null,
  attempts_count: countAttempts,
  failure_code: (payment) => payment.failure_code ?? lastAttempt(payment)?.failure_code ?? null,
  metadata: ({ metadata }) => json(metadata),
  created_at: (payment) => time(payment.created_at),
  updated_at: (payment) => time(payment.updated_at),
  expires_at: (payment) => time(payment.expires_at),
  completed_at: (payment) => time(payment.completed_at),
  failed_at: (payment) => time(payment.failed_at),
  canceled_at: (payment) => time(payment.canceled_at),
  expired_at: (payment) => time(payment.expired_at),
  // Last, so that programs that read the columns by their places go on working.
  payment_method: (payment) => lastMethod(payment)?.type ?? null,
  transfer_reference: lastReference,
};

export const REFUND_COLUMNS: Columns<Refund> = {
  id: ({ _id }) => _id,
  payment_id: (refund) => refund.payment_id,
  status: ({ status }) => status,
  amount: ({ amount, currency }) => plainAmount(amount, currency),
  amount_minor: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  reason: ({ reason }) => reason,
  description: ({ description }) => description,
  failure_code: (refund) => refund.failure_code,
  initiated_by: (refund) => refund.initiated_by,
  metadata: ({ metadata }) => json(metadata),
  created_at: (refund) => time(refund.created_at),
  updated_at: (refund) => time(refund.updated_at),
  completed_at: (refund) => time(refund.completed_at),
};

export const DELIVERY_COLUMNS: Columns<DeliveryLine> = {
  id: ({ delivery }) => delivery._id,
  endpoint_id: ({ delivery }) => delivery.endpoint_id,
  event_id: ({ delivery }) => delivery.event_id,
  event_type: ({ event }) => event?.type ?? null,
  payment_id: ({ event }) => event?.payment_id ?? null,
  state: ({ delivery }) => delivery.state,
  trigger: ({ delivery }) => delivery.trigger ?? 'automatic',
  attempts_count: ({ delivery }) => delivery.attempts.length,
  last_attempt_at: ({ delivery }) => time(delivery.attempts.at(-1)?.at),
  last_status: ({ delivery }) => delivery.attempts.at(-1)?.status ?? null,
  last_error: ({ delivery }) => delivery.attempts.at(-1)?.error ?? null,
  last_duration_ms: ({ delivery }) => delivery.attempts.at(-1)?.duration_ms ?? null,
  next_attempt_at: ({ delivery }) => time(delivery.next_attempt_at),
  created_at: ({ delivery }) => time(delivery.created_at),
};

/** Returns the cells of a row, in the order of the columns. */
export function cellsOf<Row>(columns: Columns<Row>, row: Row): Cell[] {
  return Object.values(columns).map((cell) => cell(row));
}
