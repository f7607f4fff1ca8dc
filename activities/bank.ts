/** Banks stand behind one port; the sandbox bank is its first adapter. */
import { LATE_APPROVAL_DELAY_MS } from '../domain/bank.ts';
import type { BankAnswer } from '../domain/bank.ts';
import type { Attempt, Payment } from '../domain/payment.ts';
import { sandboxRefund } from '../domain/refund.ts';
import type { Refund, RefundAnswer } from '../domain/refund.ts';
import { recordLateApproval } from '../store/attempts.ts';
import type { Mongo } from '../store/mongo.ts';

export interface Bank {
  /** What the bank has decided of the attempt; `none` while it has not. */
  query(payment: Payment, attempt: Attempt): Promise<BankAnswer>;
  /**
   * Cancels an attempt, or reverses its approval; may be repeated. Only a confirmed cancel lets
   * the customer try again.
   */
  cancel(payment: Payment, attempt: Attempt): Promise<{ confirmed: boolean }>;
  /**
   * Gives money back, once for each refund id however often it is asked, and says what has become
   * of it at `now`.
   */
  refund(payment: Payment, refund: Refund, now: Date): Promise<RefundAnswer>;
}

/** The bank of test mode. Its side of an attempt lies in the attempt itself (`attempt.bank`). */
export function sandboxBank(mongo: Mongo): Bank {
  return {
    async query(_payment, attempt) {
      return attempt.bank?.says ?? { answer: 'none' };
    },
    async cancel(payment, attempt) {
      if (attempt.bank?.outcome === 'approve_after_timeout' && attempt.status === 'pending') {
        // This bank confirms the cancel and sends its approval all the same, as some do.
        const dueAt = new Date(Date.now() + LATE_APPROVAL_DELAY_MS);
        await recordLateApproval(mongo, payment, { attempt, dueAt });
      }
      return { confirmed: true };
    },
    async refund(_payment, refund, now) {
      return sandboxRefund(refund, now);
    },
  };
}
