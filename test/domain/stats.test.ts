import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, TRIAL } from '../../domain/event.ts';
import { firstIdAt } from '../../domain/id.ts';
import {
  dayOf,
  lastDays,
  partsOf,
  sumCounts,
  tallyEvent,
  tallyPayment,
} from '../../domain/stats.ts';
import { makeEventAbout } from '../support/rows/event.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';

const m = 'mer_1:test';
const MIDNIGHT = Date.parse('2026-11-22T00:00:00.000Z');
const payment = makePayment({
  _id: firstIdAt('payment', MIDNIGHT - 1),
  m,
  amount: 1_999,
  currency: 'USD',
  attempts: [makeAttempt({ status: 'declined', failure_code: 'insufficient_funds' })],
});
const refund = makeRefund({ m, payment_id: payment._id, amount: 500, currency: 'USD' });
const eventId = firstIdAt('event', MIDNIGHT);
const day = '2026-11-22';

describe('tallyEvent', () => {
  const declined = [{ m, day, name: 'declined:insufficient_funds', by: 1 }];
  const COUNTED: Partial<Record<(typeof EVENT_TYPES)[number], object[]>> = {
    'payment.completed': [
      { m, day, name: 'completed:USD:count', by: 1 },
      { m, day, name: 'completed:USD:amount', by: 1_999 },
      { m, day: '2026-11-21', name: 'converted', by: 1 },
    ],
    'payment.attempt_failed': declined,
    'payment.failed': declined,
    'refund.completed': [
      { m, day, name: 'refunded:USD:count', by: 1 },
      { m, day, name: 'refunded:USD:amount', by: 500 },
    ],
    'refund.failed': [{ m, day, name: 'refunds_failed', by: 1 }],
  };

  it.each(EVENT_TYPES)('counts an event by its own day and its payment: %s', (type) => {
    const about = type.startsWith('refund.') ? refund : payment;
    expect(tallyEvent(makeEventAbout(about, type, eventId))).toEqual(COUNTED[type] ?? []);
  });

  it('counts the end of the lifetime as a decline only if the bank declined', () => {
    const event = makeEventAbout(payment, 'payment.expired', eventId);
    expect(tallyEvent({ ...event, cause: `${payment._id}:expired` })).toEqual([]);
    const cause = `${payment._id}:att_1:declined_at_end`;
    expect(tallyEvent({ ...event, cause })).toEqual(declined);
  });

  it.each(EVENT_TYPES)('counts no test event: %s', (type) => {
    const event = makeEventAbout(payment, type, eventId);
    expect(tallyEvent({ ...event, cause: `we_1${TRIAL}${eventId}` })).toEqual([]);
  });
});

describe('tallyPayment', () => {
  it('counts a payment on the UTC day of its id', () => {
    expect(tallyPayment(payment)).toEqual({ m, day: '2026-11-21', name: 'created', by: 1 });
  });
});

describe('days', () => {
  it('end at midnight UTC', () => {
    expect([dayOf(MIDNIGHT - 1), dayOf(MIDNIGHT)]).toEqual(['2026-11-21', '2026-11-22']);
    const now = new Date('2026-03-01T23:59:59.999Z');
    expect(lastDays(now, 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});

describe('sumCounts', () => {
  it('adds up days with different counts', () => {
    const days = [
      { created: 2, 'completed:USD:count': 1 },
      {},
      { 'completed:AMD:count': 3, created: 1 },
    ];
    const sums = sumCounts(days);
    expect(sums).toEqual({ created: 3, 'completed:USD:count': 1, 'completed:AMD:count': 3 });
    expect(partsOf(sums, 'completed')).toEqual(['AMD', 'USD']);
    expect(partsOf(sums, 'declined')).toEqual([]);
  });
});
