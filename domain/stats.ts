/** Counts per tenant and UTC day, derived from payments and events. The store adds them up. */
import { TRIAL } from './event.ts';
import type { Event } from './event.ts';
import { timeOf } from './id.ts';
import type { Payment } from './payment.ts';

/**
 * The counts of a tenant's day by name:
 *
 * - `created`: payments created on that day.
 * - `converted`: those of them that were completed, on whichever day.
 * - `completed:AMD:count` and `completed:AMD:amount`: payments completed on that day, by currency.
 * - `declined:<failure code>`: declines of the bank on that day.
 * - `refunded:AMD:count` and `refunded:AMD:amount`: refunds completed on that day, by currency.
 * - `refunds_failed`: refunds that failed on that day.
 *
 * Amounts are in the currency's minor unit.
 */
export type Counts = Record<string, number>;

/** One addition to a count of a tenant's day. */
export interface Tally {
  readonly m: string;
  readonly day: string;
  readonly name: string;
  readonly by: number;
}

/** The fields of an event that its tallies depend on. */
export type CountedEvent = Pick<Event, '_id' | 'm' | 'type' | 'payment_id' | 'cause' | 'body'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the UTC day of a time in unix milliseconds, as in `2026-11-22`. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Returns that number of days up to the day of `now`, oldest first. */
export function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    dayOf(now.getTime() - back * DAY_MS),
  ).toReversed();
}

/** Returns the tally of a new payment. */
export function tallyPayment({ _id, m }: Pick<Payment, '_id' | 'm'>): Tally {
  return { m, day: dayOf(timeOf(_id)), name: 'created', by: 1 };
}

/** Returns the tallies of an event: none for most types, and for test events. */
export function tallyEvent(event: CountedEvent): Tally[] {
  const { _id, m, type, payment_id: paymentId, cause } = event;
  if (cause.includes(TRIAL)) return [];
  const day = dayOf(timeOf(_id));
  const money = (name: string): Tally[] => {
    const { amount, currency } = objectOf(event);
    return [
      { m, day, name: `${name}:${currency}:count`, by: 1 },
      { m, day, name: `${name}:${currency}:amount`, by: amount },
    ];
  };
  if (type === 'payment.completed' && paymentId !== null) {
    const converted = { m, day: dayOf(timeOf(paymentId)), name: 'converted', by: 1 };
    return [...money('completed'), converted];
  }
  if (type === 'refund.completed') return money('refunded');
  if (type === 'refund.failed') return [{ m, day, name: 'refunds_failed', by: 1 }];
  if (!isDecline(event)) return [];
  const code = objectOf(event).last_attempt?.failure_code ?? 'unknown';
  return [{ m, day, name: `declined:${code}`, by: 1 }];
}

/** Returns true if the bank declined. A payment may also expire while nobody is at the bank. */
function isDecline({ type, cause }: CountedEvent): boolean {
  if (type === 'payment.expired') return cause.endsWith(':declined_at_end');
  return type === 'payment.attempt_failed' || type === 'payment.failed';
}

interface CountedObject {
  readonly amount: number;
  readonly currency: string;
  readonly last_attempt?: { readonly failure_code: string | null } | null;
}

/** Returns the payment or refund in an event's body, which we have written ourselves. */
function objectOf({ body }: CountedEvent): CountedObject {
  return (JSON.parse(body) as { data: { object: CountedObject } }).data.object;
}

/** Adds a tally to counts. */
export function addTally(counts: Counts, { name, by }: Pick<Tally, 'name' | 'by'>): void {
  counts[name] = (counts[name] ?? 0) + by;
}

/** Returns the sums of the counts of several days. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all) {
    for (const [name, by] of Object.entries(counts)) addTally(sums, { name, by });
  }
  return sums;
}

/** Returns the second parts of the names that begin with `family`, such as currencies, in order. */
export function partsOf(counts: Counts, family: string): string[] {
  const names = Object.keys(counts).map((name) => name.split(':'));
  return [
    ...new Set(names.flatMap(([of, part]) => (of === family && part ? [part] : []))),
  ].toSorted();
}
