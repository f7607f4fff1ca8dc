/** Lives of payments on a real server: their histories are what test/histories/ keeps. */
import type { DecisionName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { insertPayment } from '../../store/payments.ts';
import { chooseAtBank, stored } from '../support/bank.ts';
import { makePayment } from '../support/payment.ts';
import { until } from '../support/until.ts';
import type { Ground } from '../support/worker.ts';
import { writeHistory } from './history.ts';

const SHORT_LIFE_MS = 1_200;

type Scenario = (ground: Ground, payment: Payment) => Promise<void>;

async function choose(ground: Ground, payment: Payment, outcome: DecisionName): Promise<void> {
  await chooseAtBank(ground.mongo, payment._id, { outcome });
  await ground.temporal.wakePayment(payment);
}

/** How each of them ends, and what happens until then. */
export const SCENARIOS: Readonly<Record<string, { ends: string; live: Scenario }>> = {
  approved: {
    ends: 'completed',
    live: async (ground, payment) => choose(ground, payment, 'approve'),
  },
  'declined-then-approved': {
    ends: 'completed',
    live: async (ground, payment) => {
      await choose(ground, payment, 'insufficient_funds');
      await until(
        async () => stored(ground.mongo, payment._id),
        ({ status }) => status === 'created',
      );
      await choose(ground, payment, 'approve');
    },
  },
  expired: { ends: 'expired', live: async () => undefined },
  canceled: {
    ends: 'canceled',
    live: async (ground, payment) => {
      const wish = { kind: 'cancel', by: 'merchant', request_id: 'req_1' } as const;
      await ground.temporal.askPayment(payment, wish, 'req_1');
    },
  },
  'delayed-answer': {
    ends: 'completed',
    live: async (ground, payment) => choose(ground, payment, 'approve_after_5s'),
  },
};

/** Lives through a scenario and answers the workflow's result and history, as JSON. */
export async function record(ground: Ground, name: string) {
  const { live } = SCENARIOS[name]!;
  const createdAt = new Date();
  const short = { expires_at: new Date(createdAt.getTime() + SHORT_LIFE_MS) };
  const payment = makePayment({ created_at: createdAt, ...(name === 'expired' ? short : {}) });
  await insertPayment(ground.mongo, payment);
  await ground.temporal.startPayment(payment);
  await live(ground, payment);
  const handle = ground.client.workflow.getHandle(ground.idPrefix + payment._id);
  const result: unknown = await handle.result();
  return { result, history: writeHistory(await handle.fetchHistory()) };
}
