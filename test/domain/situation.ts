/** A payment's hours, and the attempts that make up the situations of its life. */
import { sandboxDecision } from '../../domain/bank.ts';
import type { DecisionName } from '../../domain/bank.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';

export const MINUTE_MS = 60_000;
export const BANK_TIMEOUT_MS = 15 * MINUTE_MS;

/** That many minutes after noon, when every payment here is made. */
export const at = (minutes: number): Date =>
  new Date(Date.UTC(2026, 0, 1, 12) + minutes * MINUTE_MS);

/** A payment made at noon. */
export function paymentAtNoon(overrides: Partial<Payment> = {}): Payment {
  return makePayment({ created_at: at(0), ...overrides });
}

/** An attempt that is at the bank, opened a minute after noon. */
export function openedAttempt(overrides: Partial<Attempt> = {}): Attempt {
  return makeAttempt({ created_at: at(1), ...overrides });
}

/** An attempt that the sandbox bank decided two minutes after noon. */
export function decidedAttempt(outcome: DecisionName, overrides: Partial<Attempt> = {}): Attempt {
  return openedAttempt({ bank: sandboxDecision(outcome, at(2)), ...overrides });
}

/** Attempts that were declined for want of funds. */
export function declinedAttempts(count: number): Attempt[] {
  return Array.from({ length: count }, (_, index) =>
    decidedAttempt('insufficient_funds', {
      number: index + 1,
      status: 'declined',
      failure_code: 'insufficient_funds',
    }),
  );
}

/** An attempt that we gave up on, and whose approval comes at `dueAt` all the same. */
export function lateAttempt(dueAt: Date): Attempt {
  const decision = sandboxDecision('approve_after_timeout', at(1));
  return openedAttempt({
    status: 'declined',
    failure_code: 'bank_timeout',
    gave_up_at: at(2),
    bank: { ...decision, says: { answer: 'approved' }, due_at: dueAt },
  });
}
