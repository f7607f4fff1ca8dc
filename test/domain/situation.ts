/** Times of a payment, and attempts in the situations of its life. */
import { sandboxDecision } from '../../domain/bank.ts';
import type { DecisionName } from '../../domain/bank.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';

export const MINUTE_MS = 60_000;
export const BANK_TIMEOUT_MS = 15 * MINUTE_MS;

/** Returns the time `minutes` after noon, when every payment here is created. */
export const at = (minutes: number): Date =>
  new Date(Date.UTC(2026, 0, 1, 12) + minutes * MINUTE_MS);

/** Returns a payment created at noon. */
export function paymentAtNoon(overrides: Partial<Payment> = {}): Payment {
  return makePayment({ created_at: at(0), ...overrides });
}

/** Returns an attempt at the bank, opened a minute after noon. */
export function openedAttempt(overrides: Partial<Attempt> = {}): Attempt {
  return makeAttempt({ created_at: at(1), ...overrides });
}

/** Returns an attempt that the sandbox bank decided two minutes after noon. */
export function decidedAttempt(outcome: DecisionName, overrides: Partial<Attempt> = {}): Attempt {
  return openedAttempt({ bank: sandboxDecision(outcome, at(2)), ...overrides });
}

/** Returns attempts that were declined for insufficient funds. */
export function declinedAttempts(count: number): Attempt[] {
  return Array.from({ length: count }, (_, index) =>
    decidedAttempt('insufficient_funds', {
      number: index + 1,
      status: 'declined',
      failure_code: 'insufficient_funds',
    }),
  );
}

/** Returns an attempt that we gave up on, with a late approval at `dueAt`. */
export function lateAttempt(dueAt: Date): Attempt {
  const decision = sandboxDecision('approve_after_timeout', at(1));
  return openedAttempt({
    status: 'declined',
    failure_code: 'bank_timeout',
    gave_up_at: at(2),
    bank: { ...decision, says: { answer: 'approved' }, due_at: dueAt },
  });
}
