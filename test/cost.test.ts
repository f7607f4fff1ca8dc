/** The cost of a payment, counted from outside (ARCHITECTURE.md, "What a payment costs"). */
import { describe, expect, it } from 'vitest';
import { insertPayment } from '../store/payments.ts';
import { WEBHOOKS_QUEUE } from '../workflows/messages.ts';
import { chooseAtBank } from './support/bank.ts';
import { makeEndpoint } from './support/rows/endpoint.ts';
import { makePayment } from './support/rows/payment.ts';
import { openReceiver } from './support/receiver.ts';
import { until } from './support/until.ts';
import { startWorkers } from './support/worker.ts';
import type { GroundOptions } from './support/worker.ts';
import { closeAfterTests } from './support/close.ts';

type Interceptor = NonNullable<GroundOptions['interceptors']>[number];

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

/** Names of the commands sent to MongoDB, and of the calls sent to Temporal by the client side. */
const commands: string[] = [];
const calls: string[] = [];

const receiver = closeAfterTests(await openReceiver());
const ground = closeAfterTests(
  await startWorkers('cost', {
    monitor: (command) => commands.push(command),
    interceptors: [
      (options, nextCall) => {
        calls.push(options.method_definition.path.split('/').at(-1) ?? '');
        return nextCall(options) as ReturnType<Interceptor>;
      },
    ],
  }),
);
// The first call of a connection reads the server's features. No payment causes it.
await ground.temporal.isReady();

async function merchantWithEndpoints(count: number) {
  const payment = makePayment();
  for (let i = 0; i < count; i += 1) {
    await ground.mongo.endpoints.insertOne(makeEndpoint({ m: payment.m, url: receiver.url }));
  }
  return payment;
}

/** Returns the number of deliveries that Temporal has run, by its visibility. */
async function countActivities(expected: number): Promise<number> {
  const query = `TaskQueue = '${WEBHOOKS_QUEUE}${ground.queueSuffix}'`;
  const read = async () => (await ground.client.activity.count(query)).count;
  return until(read, (count) => count >= expected);
}

/** Runs `pay` to the end of its workflow and its deliveries, and returns the cost. */
async function costOf(
  endpoints: number,
  pay: (payment: ReturnType<typeof makePayment>) => Promise<void>,
) {
  const payment = await merchantWithEndpoints(endpoints);
  const activitiesBefore = await countActivities(0);
  commands.length = 0;
  calls.length = 0;
  await insertPayment(ground.mongo, payment);
  await ground.temporal.startPayment(payment);
  await pay(payment);
  const handle = ground.client.workflow.getHandle(ground.idPrefix + payment._id);
  await handle.result();
  const deliveries = await ground.mongo.deliveries.find({ m: payment.m }).toArray();
  for (const { _id } of deliveries) {
    await ground.client.activity.getHandle(ground.idPrefix + _id).result();
  }
  const { events } = await handle.fetchHistory();
  return {
    historyEvents: events?.length ?? 0,
    workflowTasks: events?.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    temporalCalls: [...calls],
    writes: commands.filter((command) => WRITES.has(command)).length,
    transactions: commands.filter((command) => command === 'commitTransaction').length,
    activities: (await countActivities(activitiesBefore + deliveries.length)) - activitiesBefore,
  };
}

describe('the cost of a payment', () => {
  it('with one endpoint, approved at the first try, is exactly as documented', async () => {
    const cost = await costOf(1, async (payment) => {
      await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
      await ground.temporal.wakePayment(payment);
    });
    expect(cost).toMatchObject({
      workflowTasks: 1,
      temporalCalls: ['StartWorkflowExecution', 'SignalWithStartWorkflowExecution'],
      activities: 1,
      transactions: 1,
    });
    expect(cost.historyEvents).toBeLessThanOrEqual(8);
    expect(cost.writes).toBeLessThanOrEqual(7);
  });

  it('with two endpoints and a decline is higher in every count', async () => {
    const cost = await costOf(2, async (payment) => {
      for (const outcome of ['card_declined', 'approve'] as const) {
        await chooseAtBank(ground.mongo, payment._id, { outcome });
        await ground.temporal.wakePayment(payment);
        const events = async () => ground.mongo.events.countDocuments({ m: payment.m });
        const expected = outcome === 'approve' ? 2 : 1;
        await until(events, (count) => count === expected);
        // A wake before the end of the task would be part of that task, and cost less.
        const handle = ground.client.workflow.getHandle(ground.idPrefix + payment._id);
        await until(
          async () => (await handle.describe()).raw.pendingWorkflowTask ?? null,
          (task) => task === null,
        );
      }
    });
    expect(cost.workflowTasks).toBe(2);
    expect(cost.historyEvents).toBeGreaterThan(8);
    expect(cost.temporalCalls).toHaveLength(3);
    expect(cost.activities).toBe(4);
    expect(cost.transactions).toBe(2);
    expect(cost.writes).toBeGreaterThan(7);
  });
});
