/** Approvals by the bank that arrive at any time, and the reversal of those that are too late. */
import type { BankDecision } from '../domain/bank.ts';
import { UNPAID, isFinal, lateApproval, timeOfChange } from '../domain/payment.ts';
import type { Attempt, Payment } from '../domain/payment.ts';
import { change } from './attempts.ts';
import type { Mongo } from './mongo.ts';
import { attemptPath } from './payments.ts';

/** The most tries to store an approval. A try fails if the payment changes meanwhile. */
const MAX_ROUNDS = 100;

/**
 * Stores an approval by the bank, in any state of its attempt and payment. The approval completes
 * the payment if the attempt is open, or else is reversed. Either is due at `approval.due_at`.
 * Returns the payment, or null if the attempt was approved before. Throws if there is no such
 * attempt: the bank has to repeat its approval.
 */
export async function recordApproval(
  mongo: Mongo,
  paymentId: string,
  { attemptId, approval }: { attemptId: string; approval: BankDecision },
): Promise<Payment | null> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const current = await mongo.payments.findOne({ _id: paymentId });
    const attempt = current?.attempts.find(({ id }) => id === attemptId);
    if (!current || !attempt) break;
    if (attempt.bank?.says.answer === 'approved') return null;
    const { path, is } = attemptPath(current, attempt);
    const { updated_at: seen } = current;
    const updated_at = timeOfChange(current, approval.decided_at);
    const changes = { [`${path}.bank`]: approval, open: true as const, updated_at };
    const due = { due_at: approval.due_at };
    const stored = await change(mongo, current, {
      when: { ...is, updated_at: seen, [`${path}.bank.says.answer`]: { $ne: 'approved' } },
      update: isFinal(current.status)
        ? { $set: { ...changes, ...due } }
        : { $set: changes, $min: due },
    });
    if (stored) return stored;
  }
  throw new Error(`The approval of ${attemptId} could not be stored with ${paymentId}.`);
}

/** Records that the bank cancelled a late approval, unless the payment has since changed. */
export async function reverseAttempt(
  mongo: Mongo,
  payment: Payment,
  { attempt, now }: { attempt: Attempt; now: Date },
): Promise<void> {
  const { path, is } = attemptPath(payment, attempt);
  const late = { [`${path}.status`]: { $in: UNPAID }, [`${path}.bank.says.answer`]: 'approved' };
  const others = payment.attempts.filter((other) => other !== attempt);
  const closes = isFinal(payment.status) && !lateApproval({ attempts: others });
  await mongo.payments.updateOne(
    { _id: payment._id, ...is, status: payment.status, updated_at: payment.updated_at, ...late },
    {
      $set: { [`${path}.status`]: 'reversed', updated_at: timeOfChange(payment, now) },
      ...(closes ? { $unset: { open: '' } } : {}),
    },
  );
}
