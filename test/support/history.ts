/** Random payments, refunds and events of the past, and their counts by a scan of everything. */
import { randomInt } from 'node:crypto';
import { FAILURE_MESSAGES } from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { composeEvent } from '../../domain/event.ts';
import type { Event, EventType } from '../../domain/event.ts';
import { firstIdAt } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import { publicPayment, publicRefund } from '../../domain/wire.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import { insertAll } from './insert.ts';
import { makeAttempt, makePayment } from './rows/payment.ts';
import { makeRefund } from './rows/refund.ts';

const LINKS = { checkoutUrl: 'https://pay.example' };
const CODES = Object.keys(FAILURE_MESSAGES) as FailureCode[];
const CURRENCIES = ['AMD', 'USD', 'KWD'];

export interface History {
  readonly payments: Payment[];
  readonly refunds: Refund[];
  readonly events: Event[];
}

/** Returns a new id that was created at that time. */
export function idAt(kind: IdKind, ms: number): string {
  return firstIdAt(kind, ms).slice(0, -16) + mintId(kind).slice(-16);
}

function pick<T>(all: readonly T[]): T {
  return all[randomInt(all.length)]!;
}

/** Returns `count` payments of the tenants, with what became of them, between the two times. */
export function makeHistory(
  tenants: readonly string[],
  { fromMs, toMs, count }: { fromMs: number; toMs: number; count: number },
): History {
  const history: History = { payments: [], refunds: [], events: [] };
  for (let nth = 0; nth < count; nth += 1) {
    const m = pick(tenants);
    const times = Array.from({ length: 5 }, () => randomInt(fromMs, toMs));
    addPayment(history, m, times);
  }
  return history;
}

function addPayment(history: History, m: string, times: readonly number[]): void {
  const [created = 0, declined = 0, ended = 0, refunded = 0, over = 0] = times.toSorted(
    (a, b) => a - b,
  );
  const code = pick(CODES);
  const fate = pick(['open', 'completed', 'completed', 'failed', 'expired', 'expired_declined']);
  const attempt = makeAttempt({ status: 'declined', failure_code: code });
  const status = (fate === 'open' ? 'created' : fate.split('_')[0]) as Payment['status'];
  const payment = makePayment({
    _id: idAt('payment', created),
    m,
    merchant_id: m.split(':')[0]!,
    amount: randomInt(10, 100_000),
    currency: pick(CURRENCIES),
    status,
    attempts: [attempt],
    created_at: new Date(created),
    updated_at: new Date(ended),
  });
  history.payments.push(payment);
  const emit = (
    type: EventType,
    ms: number,
    about: Payment | Refund = payment,
    end = type,
  ): void => {
    history.events.push(eventAt(ms, { type, about, cause: `${about._id}:${attempt.id}:${end}` }));
  };
  if (pick([true, false])) emit('payment.attempt_failed', declined);
  if (fate === 'expired') emit('payment.expired', ended);
  if (fate === 'failed') emit('payment.failed', ended);
  if (fate === 'expired_declined') {
    emit('payment.expired', ended, payment, 'declined_at_end' as EventType);
  }
  if (fate !== 'completed') return;
  emit('payment.completed', ended);
  const outcome = pick(['none', 'completed', 'failed'] as const);
  if (outcome === 'none') return;
  const refund = makeRefund({
    _id: idAt('refund', refunded),
    m,
    payment_id: payment._id,
    amount: randomInt(1, payment.amount),
    currency: payment.currency,
    status: outcome,
    created_at: new Date(refunded),
    updated_at: new Date(over),
    completed_at: outcome === 'completed' ? new Date(over) : null,
  });
  history.refunds.push(refund);
  emit('refund.created', refunded, refund);
  emit(`refund.${outcome}`, over, refund);
}

function eventAt(
  ms: number,
  { type, about, cause }: { type: EventType; about: Payment | Refund; cause: string },
): Event {
  const isRefund = 'payment_id' in about;
  return composeEvent({
    id: idAt('event', ms),
    tenant: about.m,
    type,
    paymentId: isRefund ? about.payment_id : about._id,
    cause,
    object: isRefund ? publicRefund(about) : publicPayment(about, LINKS),
    request: null,
  });
}

export async function insertHistory(mongo: Mongo, history: History): Promise<void> {
  await insertAll(mongo.payments, history.payments);
  await insertAll(mongo.refunds, history.refunds);
  await insertAll(mongo.events, history.events);
}
