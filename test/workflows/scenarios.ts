/** Lives of payments and refunds on a real server: their histories are what test/histories/ keeps. */
import type { DecisionName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { insertPayment } from '../../store/payments.ts';
import { reserveRefund } from '../../store/refunds.ts';
import { chooseAtBank, stored } from '../support/bank.ts';
import { makePayment } from '../support/payment.ts';
import { makeRefund } from '../support/refund.ts';
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

/** How each recorded refund ends, and what the sandbox bank is told to make of it. */
export const REFUND_SCENARIOS: Readonly<Record<string, { ends: string; outcome: string }>> = {
  refunded: { ends: 'completed', outcome: 'complete' },
  'refund-failed-later': { ends: 'failed', outcome: 'fail_after_5s' },
};

/** Lives through a refund and answers the workflow's result and history, as JSON. */
export async function recordRefund(ground: Ground, name: string) {
  const { outcome } = REFUND_SCENARIOS[name]!;
  const payment = makePayment({ status: 'completed' });
  const metadata = { test_outcome: outcome };
  const row = makeRefund({ m: payment.m, payment_id: payment._id, metadata });
  await insertPayment(ground.mongo, payment);
  await ground.mongo.transact(async (session) =>
    reserveRefund(ground.mongo, session, { payment, row }),
  );
  await ground.temporal.startRefund(row);
  return outcomeOf(ground, row._id);
}

/** Lives through a scenario and answers the workflow's result and history, as JSON. */
export async function record(ground: Ground, name: string) {
  const { live } = SCENARIOS[name]!;
  const createdAt = new Date();
  const short = { expires_at: new Date(createdAt.getTime() + SHORT_LIFE_MS) };
  const payment = makePayment({ created_at: createdAt, ...(name === 'expired' ? short : {}) });
  await insertPayment(ground.mongo, payment);
  await ground.temporal.startPayment(payment);
  await live(ground, payment);
  return outcomeOf(ground, payment._id);
}

async function outcomeOf(ground: Ground, id: string) {
  const handle = ground.client.workflow.getHandle(ground.idPrefix + id);
  const result: unknown = await handle.result();
  return { result, history: writeHistory(await handle.fetchHistory()) };
}
