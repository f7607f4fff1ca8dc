import { describe, expect, it } from 'vitest';
import type { FailureCode } from '../../domain/bank.ts';
import type { Cancellation, Payment, TransitionName } from '../../domain/payment.ts';
import { afterTransition } from '../../domain/verdict.ts';
import {
  at,
  decidedAttempt,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from './situation.ts';

const ENDS = ['completed_at', 'failed_at', 'canceled_at', 'expired_at'] as const;
type End = (typeof ENDS)[number];

interface Expectation {
  code?: FailureCode;
  to: Payment['status'];
  end?: End;
  attempt?: Payment['attempts'][number]['status'];
}

/** Returns every transition that a verdict can have. */
const TABLE: Partial<Record<TransitionName, Expectation>> = {
  turned_back: { to: 'created', attempt: 'turned_back' },
  approved: { to: 'completed', end: 'completed_at', attempt: 'approved' },
  declined: { code: 'card_declined', to: 'created', attempt: 'declined' },
  declined_at_end: {
    code: 'card_declined',
    to: 'expired',
    end: 'expired_at',
    attempt: 'declined',
  },
  declined_for_good: {
    code: 'lost_or_stolen',
    to: 'failed',
    end: 'failed_at',
    attempt: 'declined',
  },
  canceled: { to: 'canceled', end: 'canceled_at' },
  expired: { to: 'expired', end: 'expired_at' },
};
const ROWS = Object.entries(TABLE) as [TransitionName, Expectation][];

const NOW = at(35);

function apply(
  payment: Payment,
  transition: TransitionName,
  how: { now?: Date; code?: FailureCode; cancellation?: Cancellation } = {},
): Payment {
  const { now = NOW, code = null, cancellation = null } = how;
  return afterTransition(payment, transition, { now, code, cancellation });
}

function before(expected: Expectation): Payment {
  const attempts = [...declinedAttempts(1), openedAttempt({ number: 2 })];
  return expected.attempt
    ? paymentAtNoon({ status: 'processing', attempts })
    : paymentAtNoon({ attempts: declinedAttempts(2) });
}

describe('afterTransition', () => {
  it.each(ROWS)('%s sets the status and only the time of that end', (name, expected) => {
    const { code } = expected;
    const payment = apply(before(expected), name, code ? { code } : {});
    expect(payment.status).toBe(expected.to);
    expect(payment.updated_at).toEqual(NOW);
    const ends = Object.fromEntries(ENDS.map((end) => [end, payment[end]]));
    const expectedEnds = ENDS.map((end) => [end, end === expected.end ? NOW : null]);
    expect(ends).toEqual(Object.fromEntries(expectedEnds));
  });

  it.each(ROWS)('%s ends the attempt at the bank and no other', (name, expected) => {
    const { code, attempt } = expected;
    const payment = before(expected);
    const after = apply(payment, name, code ? { code } : {});
    expect(after.attempts[0]).toEqual(payment.attempts[0]);
    expect(after.attempts).toHaveLength(2);
    expect(after.attempts[1]).toEqual({
      ...payment.attempts[1],
      ...(attempt ? { status: attempt, failure_code: code ?? null } : {}),
    });
  });

  it.each(ROWS)('%s keeps the payment open only if something is left to do', (name, expected) => {
    const after = apply(before(expected), name, expected.code ? { code: expected.code } : {});
    expect('open' in after).toBe(expected.end === undefined);
    expect(after.due_at).toEqual(at(30));
  });

  it.each(ROWS)("%s keeps the merchant's fields", (name, expected) => {
    const payment = before(expected);
    const after = apply(payment, name, expected.code ? { code: expected.code } : {});
    const given = ['_id', 'm', 'amount', 'currency', 'order_id', 'description', 'metadata'];
    const more = ['return_url', 'cancel_url', 'locale', 'checkout_token', 'created_at'];
    for (const field of [...given, ...more, 'expires_at', 'amount_refunded'] as (keyof Payment)[]) {
      expect(after[field]).toEqual(payment[field]);
    }
  });

  it('does not change its argument', () => {
    const payment = before({ to: 'completed', attempt: 'approved' });
    const copy = structuredClone(payment);
    apply(payment, 'approved');
    expect(payment).toEqual(copy);
  });

  it('sets the failure code of a failed payment only', () => {
    const code = 'card_declined';
    const payment = before({ to: 'created', attempt: 'declined' });
    expect(apply(payment, 'declined', { code }).failure_code).toBeNull();
    expect(apply(payment, 'declined_at_end', { code }).failure_code).toBeNull();
    expect(apply(payment, 'declined_for_good', { code }).failure_code).toBe(code);
  });

  it('sets the cancellation', () => {
    const cancellation = { by: 'merchant', reason: 'sold out' } as const;
    const after = apply(paymentAtNoon(), 'canceled', { now: at(5), cancellation });
    expect(after.cancellation).toEqual(cancellation);
  });

  it('ends the lifetime now for an early `expire`', () => {
    const after = apply(paymentAtNoon(), 'expired', { now: at(5) });
    expect([after.expires_at, after.expired_at, after.due_at]).toEqual([at(5), at(5), at(5)]);
  });

  it('never extends the lifetime', () => {
    expect(apply(paymentAtNoon(), 'expired', { now: at(35) }).expires_at).toEqual(at(30));
  });

  it.each([
    ['canceled', 20, 20],
    ['canceled', 40, 30],
  ] as const)('%s stays open for a late approval, and is due with it', (name, lateAt, dueAt) => {
    const payment = paymentAtNoon({ attempts: [lateAttempt(at(lateAt))] });
    const after = apply(payment, name, { now: at(10) });
    expect(after.open).toBe(true);
    expect(after.due_at).toEqual(at(dueAt));
  });

  it('stays open for a late approval of the attempt that is given up', () => {
    const attempt = decidedAttempt('approve', { gave_up_at: at(17) });
    const payment = paymentAtNoon({ status: 'processing', attempts: [attempt] });
    const after = apply(payment, 'declined_at_end', { code: 'bank_timeout' });
    expect(after).toMatchObject({ status: 'expired', open: true, due_at: at(2) });
  });

  it('stays open for the late approval of an attempt that is turned back', () => {
    const attempt = decidedAttempt('approve', { turned_back_at: at(1), gave_up_at: at(2) });
    const payment = paymentAtNoon({ status: 'processing', attempts: [attempt] });
    const after = apply(payment, 'turned_back');
    expect(after).toMatchObject({ status: 'created', open: true, due_at: at(2) });
    expect(after.attempts).toMatchObject([{ status: 'turned_back', failure_code: null }]);
  });

  it.each(ROWS)('%s sets a later `updated_at`, whatever the clock', (name, expected) => {
    const { code, end } = expected;
    const payment = { ...before(expected), created_at: at(50), updated_at: at(50) };
    const after = apply(payment, name, code ? { code } : {});
    const justAfter = new Date(at(50).getTime() + 1);
    expect(after.updated_at).toEqual(justAfter);
    if (end) expect(after[end]).toEqual(justAfter);
  });

  it('is closed after the late approval is reversed', () => {
    const reversed = { ...lateAttempt(at(20)), status: 'reversed' as const };
    const after = apply(paymentAtNoon({ attempts: [reversed] }), 'canceled');
    expect(after).not.toHaveProperty('open');
  });
});
