/** A bank with its own records, which may approve at any time. */
import type { Bank } from '../../activities/bank.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import type { BankAnswer } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { recordApproval } from '../../store/approvals.ts';
import type { Mongo } from '../../store/mongo.ts';
import { stored } from '../support/bank.ts';

export interface Hooks {
  /** The reply to each query, in order; `none` after that. */
  says?: readonly BankAnswer['answer'][];
  onQuery?: (count: number) => Promise<void> | void;
  onCancel?: (count: number) => Promise<void> | void;
  /** True for each cancel that is confirmed, in order; `true` after that. */
  confirms?: readonly boolean[];
}

/** Creates a bank. `asked` lists the calls it received. */
export function freeBank({ says = [], onQuery, onCancel, confirms = [] }: Hooks = {}) {
  const asked: string[] = [];
  const count = (name: string) => asked.filter((each) => each === name).length;
  const bank: Bank = {
    query: async () => {
      asked.push('query');
      await onQuery?.(count('query'));
      const answer = says[count('query') - 1] ?? 'none';
      return answer === 'declined' ? { answer, code: 'card_declined' } : { answer };
    },
    cancel: async () => {
      asked.push('cancel');
      await onCancel?.(count('cancel'));
      return { confirmed: confirms[count('cancel') - 1] ?? true };
    },
    refund: async () => ({ answer: 'completed' }),
  };
  return { bank, asked };
}

/** Sends the bank's approval of an attempt, by default the first one. */
export async function approve(
  mongo: Mongo,
  { _id: id }: Payment,
  attemptId?: string,
): Promise<Payment | null> {
  const approval = sandboxDecision('approve', new Date());
  const { attempts } = await stored(mongo, id);
  return recordApproval(mongo, id, { attemptId: attemptId ?? attempts[0]!.id, approval });
}
