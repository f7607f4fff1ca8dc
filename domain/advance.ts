/**
 * The time machine of test mode. It moves the due times of one payment to the present, so nothing
 * that is stored lies in the future, and no other time is changed.
 */
import { isPaidElsewhere } from './method.ts';
import { isAnswered, lastAttempt, lateApproval } from './payment.ts';
import type { Attempt, Payment } from './payment.ts';

/** The times that a payment can be advanced to. */
export const ADVANCES = ['expiry', 'bank_answer', 'next_webhook_attempt'] as const;
export type Advance = (typeof ADVANCES)[number];

/** The longest difference between the clocks of two machines that is allowed for, in ms. */
const CLOCKS_MS = 60_000;

interface Move {
  readonly attempt: Attempt;
  /** The same attempt with its bank's answer due at once. */
  readonly moved: Attempt;
}

/**
 * Returns the attempt that waits for the bank, and the attempt with its answer due at once: the
 * delay of a decision ends, or the time limit of a silent bank. Returns undefined if no attempt
 * waits for the bank.
 */
export function answerAhead(
  payment: Payment,
  { now, bankTimeoutMs }: { now: Date; bankTimeoutMs: number },
): Move | undefined {
  const last = lastAttempt(payment);
  const isAtBank = payment.status === 'processing' && last?.status === 'pending';
  const attempt = isAtBank ? last : lateApproval(payment);
  if (!attempt) return undefined;
  const { bank } = attempt;
  if (bank && isAnswered(attempt)) {
    // Every clock considers a decision without a delay as due.
    return { attempt, moved: { ...attempt, bank: { ...bank, due_at: bank.decided_at } } };
  }
  // A transfer is waited for until the payment expires, so its limit is advanced with that.
  if (isPaidElsewhere(attempt)) return undefined;
  const over = new Date(now.getTime() - bankTimeoutMs - CLOCKS_MS);
  const opened_at = over < attempt.opened_at ? over : attempt.opened_at;
  return { attempt, moved: { ...attempt, opened_at } };
}
