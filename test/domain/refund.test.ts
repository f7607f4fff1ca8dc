import { describe, expect, it } from 'vitest';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import {
  MAX_REFUNDS,
  REFUND_STATUSES,
  REFUND_TEST_OUTCOMES,
  afterEnd,
  causesSoFar,
  judgeRefund,
  refundableAmount,
  sandboxRefund,
} from '../../domain/refund.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { at } from './situation.ts';

/** Returns a payment of 12,500, of which 2,000 are refunded and 500 reserved. */
const paid = (overrides: Partial<Payment> = {}): Payment =>
  makePayment({
    status: 'completed',
    amount_refunded: 2_000,
    refunds: { pending: 500, count: 3 },
    ...overrides,
  });
const amounts = (amount?: number, expectedRefundable?: number) => ({ amount, expectedRefundable });

describe('refundableAmount', () => {
  it.each(PAYMENT_STATUSES.filter((status) => status !== 'completed'))(
    'is 0 for a payment that is %s',
    (status) => expect(refundableAmount(paid({ status }))).toBe(0),
  );

  it('excludes refunded and reserved amounts', () => {
    expect(refundableAmount(paid())).toBe(10_000);
    expect(refundableAmount(makePayment({ status: 'completed' }))).toBe(12_500);
  });
});

describe('judgeRefund refuses', () => {
  it.each(PAYMENT_STATUSES.filter((status) => status !== 'completed'))(
    'a payment that is %s',
    (status) => {
      const verdict = judgeRefund(paid({ status }), amounts(1));
      expect(verdict).toEqual({ refused: 'payment_not_refundable', refundable: 0 });
    },
  );

  it.each([
    ['one unit too many', paid(), amounts(10_001), 'refund_too_large', 10_000],
    ['an amount that is already refunded', paid({ amount_refunded: 12_000 }), amounts(1), null, 0],
    ['the rest if nothing is left', paid({ amount_refunded: 12_000 }), amounts(), null, 0],
    ['a wrong expected amount', paid(), amounts(1, 9_999), 'refundable_changed', 10_000],
    ['an expected amount of zero', paid(), amounts(undefined, 0), 'refundable_changed', 10_000],
    [
      'one refund too many',
      paid({ refunds: { pending: 500, count: MAX_REFUNDS } }),
      amounts(1),
      'payment_not_refundable',
      10_000,
    ],
  ] as const)('%s', (_, payment, asked, refused, refundable) => {
    const verdict = judgeRefund(payment, asked);
    expect(verdict).toEqual({ refused: refused ?? 'payment_already_refunded', refundable });
  });
});

describe('judgeRefund', () => {
  it.each([
    ['accepts the requested amount', amounts(1), 1],
    ['accepts the whole rest', amounts(10_000), 10_000],
    ['without an amount refunds the rest', amounts(), 10_000],
    ['accepts the right expected amount', amounts(undefined, 10_000), 10_000],
  ])('%s', (_, asked, amount) => expect(judgeRefund(paid(), asked)).toEqual({ amount }));

  it('allows the maximum number of refunds', () => {
    const last = paid({ refunds: { pending: 500, count: MAX_REFUNDS - 1 } });
    expect(judgeRefund(last, amounts(1))).toEqual({ amount: 1 });
  });
});

describe('afterEnd', () => {
  const refund = makeRefund({ created_at: at(0) });

  it.each([
    ['completed', null, at(1)],
    ['failed', 'refund_declined', null],
    ['canceled', null, null],
  ] as const)('a %s refund', (status, code, completedAt) => {
    expect(afterEnd(refund, { status, code, now: at(1) })).toEqual({
      ...refund,
      status,
      failure_code: code,
      updated_at: at(1),
      completed_at: completedAt,
    });
  });
});

describe('causesSoFar', () => {
  const types = {
    pending: ['refund.created'],
    completed: ['refund.created', 'refund.completed', 'payment.refunded'],
    failed: ['refund.created', 'refund.failed'],
    canceled: ['refund.created', 'refund.canceled'],
  };

  it.each(REFUND_STATUSES)('returns the causes of a %s refund', (status) => {
    const wanted = types[status].map((type) => `ref_1:${type}`);
    expect(causesSoFar({ _id: 'ref_1', status })).toEqual(wanted);
  });
});

const refundOf = (outcome?: string) =>
  makeRefund({ created_at: at(1), metadata: outcome ? { test_outcome: outcome } : {} });

describe('sandboxRefund', () => {
  it('completes a refund by default', () => {
    expect(sandboxRefund(refundOf(), at(1))).toEqual({ answer: 'completed' });
    // Old rows may have outcomes that no longer exist. These must not fail.
    expect(sandboxRefund(refundOf('toString'), at(1))).toEqual({ answer: 'completed' });
  });

  it.each(Object.entries(REFUND_TEST_OUTCOMES))('%s', (name, { becomes, delayMs }) => {
    const ended = becomes === 'failed' ? { code: 'refund_declined' } : {};
    const end = { answer: becomes, ...ended };
    // The asking host's clock may be behind or ahead of the host that created the refund.
    for (const asked of [at(0), at(1), at(2)]) {
      const refund = refundOf(name);
      const until = new Date(asked.getTime() + delayMs);
      const first = sandboxRefund(refund, asked);
      expect(first).toEqual(delayMs === 0 ? end : { answer: 'pending', until });
      if (delayMs === 0) continue;
      const waiting = { ...refund, due_at: until };
      const justBefore = new Date(until.getTime() - 1);
      expect(sandboxRefund(waiting, justBefore)).toEqual({ answer: 'pending', until });
      expect(sandboxRefund(waiting, until)).toEqual(end);
    }
  });
});
