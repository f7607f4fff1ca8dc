/** The port to a bank, and the sandbox bank, its only adapter. */
import { LATE_APPROVAL_DELAY_MS } from '../domain/bank.ts';
import type { BankAnswer } from '../domain/bank.ts';
import type { Attempt, Payment } from '../domain/payment.ts';
import { sandboxRefund } from '../domain/refund.ts';
import type { Refund, RefundAnswer } from '../domain/refund.ts';
import { recordApproval } from '../store/approvals.ts';
import type { Mongo } from '../store/mongo.ts';
import { idAttribute, inSpan } from '../tracing/span.ts';

export interface Bank {
  /** Returns the bank's decision on the attempt; `none` before it has decided. */
  query(payment: Payment, attempt: Attempt): Promise<BankAnswer>;
  /**
   * Cancels an attempt, or reverses its approval. May be repeated. Only a confirmed cancel lets the
   * customer try again. If the bank still approves later, `recordApproval` stores the approval, and
   * it is reversed.
   */
  cancel(payment: Payment, attempt: Attempt): Promise<{ confirmed: boolean }>;
  /**
   * Refunds money, and returns the state of the refund at `now`. Repeated calls with the same
   * refund id pay once.
   */
  refund(payment: Payment, refund: Refund, now: Date): Promise<RefundAnswer>;
}

/** The bank of test mode. Its decision is stored in the attempt itself (`attempt.bank`). */
export function sandboxBank(mongo: Mongo): Bank {
  return {
    async query(_payment, attempt) {
      return attempt.bank?.says ?? { answer: 'none' };
    },
    async cancel(payment, attempt) {
      const { bank, status, id: attemptId } = attempt;
      if (bank?.outcome === 'approve_after_timeout' && status === 'pending') {
        // Imitates banks that confirm the cancel and still send an approval later.
        const now = new Date();
        const times = { decided_at: now, due_at: new Date(now.getTime() + LATE_APPROVAL_DELAY_MS) };
        const approval = { ...bank, ...times, says: { answer: 'approved' } as const };
        await recordApproval(mongo, payment._id, { attemptId, approval });
      }
      return { confirmed: true };
    },
    async refund(_payment, refund, now) {
      return sandboxRefund(refund, now);
    },
  };
}

const spanOf = (name: string, { _id }: Payment) =>
  ({ name, kind: 'client', attributes: idAttribute(_id) }) as const;

/** Returns the bank with a span for each call. */
export function tracedBank(bank: Bank): Bank {
  return {
    query: async (payment, attempt) =>
      inSpan(spanOf('bank query', payment), async () => bank.query(payment, attempt)),
    cancel: async (payment, attempt) =>
      inSpan(spanOf('bank cancel', payment), async () => bank.cancel(payment, attempt)),
    refund: async (payment, refund, now) =>
      inSpan(spanOf('bank refund', payment), async () => bank.refund(payment, refund, now)),
  };
}
