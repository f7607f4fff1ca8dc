/** Rows of a merchant with many payments, as some months of trade leave them. */
import { ulid } from 'ulid';
import { tagsOf } from '../../domain/call.ts';
import type { Call } from '../../domain/call.ts';
import type { Delivery, DeliveryAttempt, DeliveryState } from '../../domain/delivery.ts';
import type { Event, EventType } from '../../domain/event.ts';
import { PREFIXES } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { isFinal } from '../../domain/payment.ts';
import type { Attempt, PaymentStatus } from '../../domain/payment.ts';
import { searchTerms } from '../../domain/search.ts';
import { addTally, tallyEvent, tallyPayment } from '../../domain/stats.ts';
import type { Counts, Tally } from '../../domain/stats.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { PaymentRow } from '../../store/rows.ts';
import { statsState } from '../../store/stats.ts';
import { makeEntry } from '../../test/support/audit.ts';
import { makeDelivery, makeEndpoint } from '../../test/support/rows/endpoint.ts';
import { makeEventAbout } from '../../test/support/rows/event.ts';
import { makeAttempt, makePayment } from '../../test/support/rows/payment.ts';
import { makeRefund } from '../../test/support/rows/refund.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The time over which the payments are spread. */
const PERIOD_MS = 90 * DAY_MS;
/** Payments in one round of inserts. */
const ROUND = 250;
/** The newest payments of a bare merchant, which have events and deliveries, too. */
const WHOLE = 2_000;
/** The newest payments, some of which are still open. */
const YOUNG = 200;

/** Of every twenty payments that have ended. */
const ENDED: readonly PaymentStatus[] = [
  ...Array<PaymentStatus>(14).fill('completed'),
  ...Array<PaymentStatus>(3).fill('expired'),
  'failed',
  'failed',
  'canceled',
];
const OPEN: readonly PaymentStatus[] = ['created', 'processing', 'completed'];
const EVENTS: Partial<Record<PaymentStatus, EventType>> = {
  completed: 'payment.completed',
  failed: 'payment.failed',
  canceled: 'payment.canceled',
  expired: 'payment.expired',
};
const CODES = ['insufficient_funds', 'card_declined', 'lost_or_stolen'] as const;

export interface Place {
  readonly merchantId: string;
  readonly tenant: string;
  /** Enabled endpoints. The first gets every event. */
  readonly endpoints: readonly string[];
}

const idAt = (kind: IdKind, at: Date): string => PREFIXES[kind] + ulid(at.getTime());
const later = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * MINUTE_MS);

export async function seedEndpoints(
  mongo: Mongo,
  { merchantId, tenant }: Omit<Place, 'endpoints'>,
): Promise<Place> {
  const rows = Array.from({ length: 4 }, () => makeEndpoint({ m: tenant }));
  await mongo.endpoints.insertMany(rows);
  return { merchantId, tenant, endpoints: rows.map(({ _id }) => _id) };
}

/**
 * Inserts that many payments, the newest first, with what belongs to them, and their counts by day.
 * If `isBare`, only the newest have events and deliveries. `onProgress` gets the number of payments
 * after each round.
 */
export async function seedPayments(
  mongo: Mongo,
  place: Place,
  options: { count: number; isBare: boolean; onProgress: (count: number) => void },
): Promise<void> {
  const { count, isBare, onProgress } = options;
  const startMs = Date.now() - MINUTE_MS;
  const days = new Map<string, Counts>();
  for (let done = 0; done < count; done += ROUND) {
    const numbers = Array.from({ length: Math.min(ROUND, count - done) }, (_, n) => done + n);
    const payments = numbers.map((nth) =>
      paymentOf(place, nth, new Date(startMs - (nth * PERIOD_MS) / count)),
    );
    const isWhole = !isBare || done < WHOLE;
    const events = isWhole ? await insertOthers(mongo, place, payments) : [];
    await mongo.payments.insertMany(payments, { ordered: false });
    addTo(days, [...payments.map(tallyPayment), ...events.flatMap(tallyEvent)]);
    onProgress(done + numbers.length);
  }
  const { current } = await statsState(mongo);
  const generation = String(current.number).padStart(6, '0');
  const rows = [...days].map(([key, counts]) => ({ _id: `${generation}:${key}`, counts }));
  for (const { _id, counts } of rows) {
    await mongo.dayStats.replaceOne({ _id }, { counts }, { upsert: true });
  }
}

function addTo(days: Map<string, Counts>, tallies: readonly Tally[]): void {
  for (const tally of tallies) {
    const key = `${tally.m}:${tally.day}`;
    const counts = days.get(key) ?? {};
    addTally(counts, tally);
    days.set(key, counts);
  }
}

/** Marks everything up to now as counted, so that the worker does not count while we measure. */
export async function skipCounting(mongo: Mongo): Promise<void> {
  await statsState(mongo);
  const now = new Date();
  const place = { events: idAt('event', now), payments: idAt('payment', now) };
  const set = { 'current.events': place.events, 'current.payments': place.payments };
  await mongo.statsState.updateOne({ _id: 'stats' }, { $set: set });
}

function paymentOf({ merchantId }: Place, nth: number, at: Date): PaymentRow {
  const of = nth < YOUNG ? OPEN : ENDED;
  const status = of[nth % of.length] ?? 'completed';
  const row = makePayment({
    _id: idAt('payment', at),
    merchant_id: merchantId,
    status,
    amount: 500 + ((nth * 7_919) % 40_000) * 10,
    order_id: `order-${nth}`,
    description: nth % 3 === 0 ? 'Երկու բաժակ և թեյնիկ' : 'Two tickets, row 7',
    metadata: { basket: `b-${nth}`, cashier: `till ${nth % 7}`, city: 'Երևան' },
    attempts: attemptsOf(status, nth, at),
    failure_code: status === 'failed' ? (CODES[nth % CODES.length] ?? null) : null,
    created_at: at,
    updated_at: later(at, 3),
    // Open payments outlive the measurement, so that no workflow touches them.
    ...(!isFinal(status) && { expires_at: later(new Date(), 24 * 60) }),
  });
  return { ...row, found_by: searchTerms(row) };
}

function attemptsOf(status: PaymentStatus, nth: number, at: Date): Attempt[] {
  if (status === 'created' || status === 'canceled' || status === 'expired') return [];
  const last4 = String(nth % 900).padStart(4, '4');
  const card = { brand: nth % 2 === 0 ? 'visa' : 'mastercard', last4 } as const;
  const failure_code = CODES[nth % CODES.length] ?? null;
  const declined = makeAttempt({
    card,
    created_at: later(at, 1),
    status: 'declined',
    failure_code,
  });
  const last = { card, created_at: later(at, 2), number: nth % 5 === 0 ? 2 : 1 };
  if (status === 'failed') return [declined];
  const whole = makeAttempt(status === 'completed' ? { ...last, status: 'approved' } : last);
  return nth % 5 === 0 ? [declined, whole] : [whole];
}

/** Inserts what belongs to the payments, and returns their events. */
async function insertOthers(mongo: Mongo, place: Place, payments: readonly PaymentRow[]) {
  const { tenant: m, merchantId } = place;
  const refunds = payments
    .filter(({ status }, nth) => status === 'completed' && nth % 12 === 0)
    .map(({ _id, created_at, amount, currency }) => {
      const at = later(created_at, 60);
      const ended = { status: 'completed', completed_at: at, updated_at: at } as const;
      const of = { _id: idAt('refund', at), m, payment_id: _id, amount, currency };
      return makeRefund({ ...of, ...ended, created_at: at });
    });
  const events = [
    ...payments.flatMap((payment) => {
      const type = EVENTS[payment.status];
      return type ? [eventAt(makeEventAbout(payment, type), payment.updated_at)] : [];
    }),
    ...refunds.map((refund) =>
      eventAt(makeEventAbout(refund, 'refund.completed'), refund.created_at),
    ),
  ];
  const deliveries = events.flatMap((event, nth) =>
    place.endpoints
      .filter((_, which) => which === 0 || (nth + which) % 10 === 0)
      .map((endpoint_id) => deliveryOf({ m, endpoint_id, event_id: event._id }, nth, event)),
  );
  const entries = refunds.map(({ payment_id }) =>
    makeEntry({ action: 'refund.create' as never, objectId: payment_id, merchantId }),
  );
  await mongo.events.insertMany(events, { ordered: false });
  await mongo.deliveries.insertMany(deliveries, { ordered: false });
  if (refunds.length > 0) {
    await mongo.refunds.insertMany(refunds, { ordered: false });
    await mongo.auditEntries.insertMany(entries, { ordered: false });
  }
  const calls = payments
    .filter(({ created_at: at }) => at.getTime() > Date.now() - 6 * DAY_MS)
    .map((payment, nth) => callOf(payment, nth));
  if (calls.length > 0) await mongo.calls.insertMany(calls, { ordered: false });
  return events;
}

function eventAt(event: Event, at: Date): Event {
  const id = idAt('event', at);
  return { ...event, _id: id, cause: `${id}:told`, created_at: at };
}

function deliveryOf(
  of: Pick<Delivery, 'm' | 'endpoint_id' | 'event_id'>,
  nth: number,
  { created_at: at, body }: Event,
): Delivery {
  const state: DeliveryState = nth % 25 === 7 ? 'failed' : 'succeeded';
  const status = state === 'failed' ? 503 : 200;
  const attempt: DeliveryAttempt = {
    number: 1,
    at: later(at, 0.01),
    duration_ms: 40 + (nth % 400),
    status,
    error: state === 'failed' ? 'status' : null,
    request: {
      url: 'https://shop.example/hooks',
      headers: [
        ['Content-Type', 'application/json'],
        ['Service-Signature', `v1=${'0f'.repeat(32)}`],
      ],
    },
    response: { headers: [['Content-Type', 'text/plain']], body: 'ok', truncated: false },
    timings: { dns: 3, connect: 12, tls: 24, first_byte: 40 + (body.length % 100) },
  };
  const own = { _id: idAt('delivery', at), created_at: at };
  return makeDelivery({ ...of, ...own, state, attempts: [attempt], next_attempt_at: null });
}

function callOf({ _id, m, created_at: at }: PaymentRow, nth: number): Call {
  const status = nth % 20 === 0 ? 400 : 201;
  const place = { method: 'POST', path: '/v1/payments', status };
  const error =
    status === 201 ? null : { code: 'parameter_invalid', message: 'The amount is wrong.' };
  const sent = { duration_ms: 42, body: '{"amount":12500,"currency":"AMD"}', is_cut: false };
  const made = { _id: idAt('request', at), m, at, key_id: 'key_1', object_id: _id };
  return { ...made, ...place, ...sent, error, tags: tagsOf(place) };
}
