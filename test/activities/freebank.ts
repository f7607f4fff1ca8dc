/** A bank of its own, which approves whenever it likes. */
import type { Bank } from '../../activities/bank.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import type { BankAnswer } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { recordApproval } from '../../store/attempts.ts';
import type { Mongo } from '../../store/mongo.ts';
import { stored } from '../support/bank.ts';

export interface Hooks {
  /** The answer to each question, in order; `none` from then on. */
  says?: readonly BankAnswer['answer'][];
  onQuery?: (count: number) => Promise<void> | void;
  onCancel?: (count: number) => Promise<void> | void;
  /** Whether the first cancels are confirmed, in order; `true` from then on. */
  confirms?: readonly boolean[];
}

/** A bank that keeps its own books; `asked` notes what it was asked. */
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

/** The bank sends its approval of an attempt, the first one if none is named. */
export async function approve(
  mongo: Mongo,
  { _id: id }: Payment,
  attemptId?: string,
): Promise<Payment | null> {
  const approval = sandboxDecision('approve', new Date());
  const { attempts } = await stored(mongo, id);
  return recordApproval(mongo, id, { attemptId: attemptId ?? attempts[0]!.id, approval });
}
