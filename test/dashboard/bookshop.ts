/** A month of a small book shop: the data of the documentation's pictures. Each run has the same. */
import { sandboxDecision } from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { composeEvent } from '../../domain/event.ts';
import type { Event, EventType } from '../../domain/event.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { refundCause } from '../../domain/refund.ts';
import type { Refund } from '../../domain/refund.ts';
import { publicPayment, publicRefund } from '../../domain/wire.ts';
import type { Mongo } from '../../store/mongo.ts';
import { idAt } from '../support/history.ts';
import { insertAll } from '../support/insert.ts';
import { makeDelivery, makeEndpoint } from '../support/rows/endpoint.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAYS = 30;
const LINKS = { checkoutUrl: 'https://pay.example' };
/** Sales of each day of the week, Sunday first. */
const RHYTHM = [15, 9, 8, 10, 11, 16, 22];
const CURRENCY = 'EUR';
const PRICES = [890, 1_190, 1_450, 1_790, 2_400, 2_950, 3_900, 5_400];
const BOOKS = ['The Fountain', 'Ancient Songs', 'A Winter in Gyumri', 'Atlas of Birds'];
const DECLINES: readonly FailureCode[] = [
  'insufficient_funds',
  'insufficient_funds',
  'insufficient_funds',
  'card_declined',
  'card_declined',
  'incorrect_cvc',
  'expired_card',
  'limit_exceeded',
];

/** Returns a function that returns the same numbers from 0 to 1 in each run (mulberry32). */
function makeDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Books {
  readonly payments: Payment[];
  readonly refunds: Refund[];
  readonly events: Event[];
}

/** Adds an event at a time in unix milliseconds, with the cause that the service would name. */
function addEvent(
  books: Books,
  { type, about, ms }: { type: EventType; about: Payment | Refund; ms: number },
): Event {
  const isRefund = 'payment_id' in about;
  const event = composeEvent({
    id: idAt('event', ms),
    tenant: about.m,
    type,
    paymentId: isRefund ? about.payment_id : about._id,
    cause: isRefund
      ? refundCause(about, 'refund.completed')
      : [about._id, about.attempts.at(-1)?.id, type.split('.')[1]].join(':'),
    object: isRefund ? publicRefund(about) : publicPayment(about, LINKS),
    request: null,
  });
  books.events.push(event);
  return event;
}

/** Adds one sale: most are paid, some after a decline, and a few are refunded. */
function addSale(
  books: Books,
  dice: () => number,
  { m, at, nth }: { m: string; at: number; nth: number },
): void {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)]!;
  const [isPaid, isDeclined, isRefunded] = [dice() < 0.83, dice() < 0.12, dice() < 0.04];
  const opened = { created_at: new Date(at + MINUTE_MS), opened_at: new Date(at + MINUTE_MS) };
  const payment = makePayment({
    _id: idAt('payment', at),
    m,
    merchant_id: m.split(':')[0]!,
    amount: pick(PRICES),
    currency: CURRENCY,
    order_id: String(1_001 + nth),
    description: pick(BOOKS),
    status: isPaid ? 'completed' : 'expired',
    created_at: new Date(at),
    updated_at: new Date(at + 2 * MINUTE_MS),
    attempts: [makeAttempt({ ...opened, status: isPaid ? 'approved' : 'declined' })],
  });
  books.payments.push(payment);
  if (isDeclined) {
    const declined = { ...opened, status: 'declined', failure_code: pick(DECLINES) } as const;
    const attempts = [makeAttempt(declined)];
    addEvent(books, {
      type: 'payment.attempt_failed',
      about: { ...payment, attempts },
      ms: at + MINUTE_MS,
    });
  }
  if (!isPaid) return;
  addEvent(books, { type: 'payment.completed', about: payment, ms: at + 2 * MINUTE_MS });
  if (!isRefunded) return;
  const [asked, ended] = [at + 29 * MINUTE_MS, at + 30 * MINUTE_MS];
  const refund = makeRefund({
    _id: idAt('refund', asked),
    m,
    payment_id: payment._id,
    amount: payment.amount,
    currency: CURRENCY,
    status: 'completed',
    created_at: new Date(asked),
    updated_at: new Date(ended),
  });
  books.refunds.push(refund);
  addEvent(books, { type: 'refund.completed', about: refund, ms: ended });
}

/** Inserts a month of sales up to now. */
export async function insertSales(mongo: Mongo, m: string): Promise<void> {
  const books: Books = { payments: [], refunds: [], events: [] };
  const dice = makeDice(1);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  let nth = 0;
  for (let back = DAYS - 1; back >= 0; back -= 1) {
    const day = today - back * DAY_MS;
    const count = RHYTHM[new Date(day).getUTCDay()]! + Math.floor(dice() * 6);
    for (let sale = 0; sale < count; sale += 1) {
      const at = day + Math.floor((8 + 13 * (sale / count)) * 60) * MINUTE_MS;
      if (at > Date.now() - 30 * MINUTE_MS) break;
      addSale(books, dice, { m, at, nth });
      nth += 1;
    }
  }
  await insertAll(mongo.payments, books.payments);
  await insertAll(mongo.refunds, books.refunds);
  await insertAll(mongo.events, books.events);
}

/** Returns a declined attempt, and an approved one with another card. */
function makeAttempts(at: (seconds: number) => Date): Attempt[] {
  const opened = (seconds: number) => ({ created_at: at(seconds), opened_at: at(seconds) });
  const declined = makeAttempt({
    ...opened(41),
    status: 'declined',
    failure_code: 'insufficient_funds',
    bank: sandboxDecision('insufficient_funds', at(58)),
  });
  const approved = makeAttempt({
    ...opened(95),
    number: 2,
    status: 'approved',
    card: { brand: 'mastercard', last4: '4444' },
    bank: sandboxDecision('approve', at(117)),
  });
  return [declined, approved];
}

/**
 * Inserts the shop's receiver, and a payment that was declined once and paid with another card. Its
 * webhook was accepted at the second attempt. Returns the payment's id.
 */
export async function insertStory(mongo: Mongo, m: string): Promise<string> {
  const books: Books = { payments: [], refunds: [], events: [] };
  const start = Date.now() - 9 * MINUTE_MS;
  const at = (seconds: number): Date => new Date(start + seconds * SECOND_MS);
  const payment = makePayment({
    _id: idAt('payment', start),
    m,
    merchant_id: m.split(':')[0]!,
    amount: 4_640,
    currency: CURRENCY,
    order_id: '1042',
    description: 'The Fountain, Atlas of Birds',
    return_url: 'https://nairi-books.example/orders/1042',
    metadata: { customer: 'c-2207' },
    status: 'completed',
    created_at: at(0),
    updated_at: at(117),
    checkout_opened_at: at(6),
    attempts: makeAttempts(at),
  });
  const endpoint = makeEndpoint({ m, url: 'https://nairi-books.example/webhooks' });
  const failed = addEvent(books, {
    type: 'payment.attempt_failed',
    about: { ...payment, attempts: payment.attempts.slice(0, 1) },
    ms: at(58).getTime(),
  });
  const completed = addEvent(books, {
    type: 'payment.completed',
    about: payment,
    ms: at(117).getTime(),
  });
  const attempt = (number: number, seconds: number, status: number) => ({
    number,
    at: at(seconds),
    duration_ms: 40 + status - 200,
    status,
    error: status === 200 ? null : ('status' as const),
  });
  const sent = (event: Event, attempts: ReturnType<typeof attempt>[]) =>
    makeDelivery({
      m,
      endpoint_id: endpoint._id,
      event_id: event._id,
      state: 'succeeded',
      next_attempt_at: null,
      created_at: event.created_at,
      attempts,
    });
  await mongo.endpoints.insertOne(endpoint);
  const idem = { k: 'order-1042', request: '{}', response: '{}' };
  await mongo.payments.insertOne({ ...payment, request_id: idAt('request', start), idem });
  await insertAll(mongo.events, books.events);
  await insertAll(mongo.deliveries, [
    sent(failed, [attempt(1, 59, 200)]),
    sent(completed, [attempt(1, 118, 503), attempt(2, 123, 200)]),
  ]);
  return payment._id;
}
