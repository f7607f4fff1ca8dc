/** The 3-D Secure codes that customers enter. The codes themselves are not stored. */
import type { BankDecision } from '../domain/bank.ts';
import { lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { IS_NULL, changeLast } from './attempts.ts';
import type { Mongo } from './mongo.ts';

/**
 * Records that a code was checked: the decision that follows from it, or else one more wrong code.
 * Returns the payment. Returns null if another code was checked since the payment was read, or if
 * the bank has decided. So each write is for one code, and nobody can try many codes at once.
 */
export async function recordCode(
  mongo: Mongo,
  payment: Payment,
  decision: BankDecision | undefined,
): Promise<Payment | null> {
  const count = lastAttempt(payment)?.wrong_codes ?? 0;
  return changeLast(mongo, payment, (path) => ({
    when: {
      [`${path}.bank`]: IS_NULL,
      [`${path}.wrong_codes`]: count === 0 ? { $exists: false } : count,
    },
    update: decision
      ? { $set: { [`${path}.bank`]: decision, due_at: decision.due_at } }
      : { $set: { [`${path}.wrong_codes`]: count + 1 } },
  }));
}
