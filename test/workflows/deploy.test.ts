/** Deploying workflow code that does not fit the histories of open runs. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { recordDecision } from '../../store/attempts.ts';
import { insertPayment } from '../../store/payments.ts';
import { reserveRefund } from '../../store/refunds.ts';
import { ensureSweep } from '../../temporal/setup.ts';
import { PAYMENT_WORKFLOW, PAYMENTS_QUEUE, SWEEP_SCHEDULE_ID } from '../../workflows/messages.ts';
import { chooseAtBank, goToBank, stored } from '../support/bank.ts';
import { bundleWorkflows } from '../support/build.ts';
import { makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { until } from '../support/until.ts';
import { testServers } from '../support/run.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

/** Another version of the workflows. Neither can replay a history of the other. */
const CHANGED_PATH = fileURLToPath(new URL('changed/index.ts', import.meta.url));
const SWEEP_EVERY_SECONDS = 1;
const GRACE = { paymentMs: 1_000, refundMs: 1_000, deliveryMs: 60_000 };
/** Longer than it takes to open the runs before the deploy, and shorter than their replay after it. */
const SHORT_LIFE_MS = 6_000;

const TODAY = testServers().workflowBundle;
const CHANGED = await bundleWorkflows(CHANGED_PATH);

const ground = closeAfterTests(await startWorkers('deploy', { sweepGrace: GRACE }));
await ensureSweep(ground.client, { ...ground, everySeconds: SWEEP_EVERY_SECONDS });
afterAll(async () => {
  await ground.client.schedule.getHandle(ground.idPrefix + SWEEP_SCHEDULE_ID).delete();
});

const handleOf = (id: string) => ground.client.workflow.getHandle(ground.idPrefix + id);

/**
 * Waits until a worker has completed the run's first task. A run without a history fits any code.
 */
async function hasRun(id: string): Promise<void> {
  await until(
    async () => (await handleOf(id).describe()).historyLength,
    (length) => length >= 4,
  );
}

async function insert(overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = makePayment(overrides);
  await insertPayment(ground.mongo, payment);
  return payment;
}

/** Returns a payment whose run is open and has a history. */
async function openPayment(overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = await insert(overrides);
  await ground.temporal.wakePayment(payment);
  await hasRun(payment._id);
  return payment;
}

async function approve(payment: Payment): Promise<void> {
  await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
  await ground.temporal.wakePayment(payment);
}

async function comesTo(payment: Payment, status: Payment['status']): Promise<void> {
  await until(
    async () => (await stored(ground.mongo, payment._id)).status,
    (found) => found === status,
  );
}

const cancelOf = (id: string) => ({ kind: 'cancel', by: 'merchant', request_id: id }) as const;

const eventsOf = async ({ _id }: Payment) =>
  (await ground.mongo.events.find({ payment_id: _id }).toArray()).map(({ type }) => type);

/** The checks after the deploy, by the name of the run. */
type Check = () => Promise<void>;

async function openEverything(): Promise<Check> {
  const receiver = await openReceiver();
  const { mongo, temporal } = ground;
  const paid = await openPayment();
  const canceled = await openPayment();

  const refunded = await insert({ status: 'completed' });
  const refund = makeRefund({
    m: refunded.m,
    payment_id: refunded._id,
    metadata: { test_outcome: 'complete_after_5s' },
  });
  await mongo.transact(async (session) =>
    reserveRefund(mongo, session, { payment: refunded, row: refund }),
  );
  await temporal.startRefund(refund);
  await hasRun(refund._id);

  const { m: tenant } = makePayment();
  const endpoint = makeEndpoint({ m: tenant, url: receiver.url }, makeWebhookSecret());
  const events = Array.from({ length: 8 }, () =>
    makeEvent({ m: tenant, type: 'payment.completed' }),
  );
  const replay = makeReplay({ m: tenant, endpoint_id: endpoint._id, per_second: 1 });
  await mongo.endpoints.insertOne(endpoint);
  await mongo.events.insertMany(events);
  await mongo.replays.insertOne({ ...replay, until: new Date(Date.now() + 60_000) });
  await temporal.resumeReplay(replay._id);
  await hasRun(replay._id);
  const expiring = await openPayment({ expires_at: new Date(Date.now() + SHORT_LIFE_MS) });

  return async () => {
    await approve(paid);
    // The caller retries, as the error message says.
    await until(
      async () => temporal.askPayment(canceled, cancelOf('req_1'), 'req_1').catch(() => null),
      (result) => result?.status === 'canceled',
    );

    await comesTo(paid, 'completed');
    await comesTo(expiring, 'expired');
    await until(
      async () => (await mongo.refunds.findOne({ _id: refund._id }))?.status,
      (status) => status === 'completed',
    );
    await until(
      () => receiver.requests.length,
      (count) => count >= events.length,
    );
    await receiver.close();
    const sent = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
    expect(sent.toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());
    expect(await eventsOf(paid)).toEqual(['payment.completed']);
    expect(await eventsOf(canceled)).toEqual(['payment.canceled']);
    expect(await eventsOf(expiring)).toEqual(['payment.expired']);
    expect(await eventsOf(refunded)).toEqual(['refund.completed', 'payment.refunded']);
  };
}

async function openStuckAtBank(): Promise<Check> {
  const { mongo, temporal } = ground;
  const payment = await insert();
  await temporal.startPayment(payment);
  await goToBank(mongo, payment._id);
  // Each refused update starts a new timer. Such a mismatch is not reported as nondeterministic.
  for (const id of ['req_1', 'req_2', 'req_3']) {
    await temporal.askPayment(payment, cancelOf(id), id);
  }
  const { runId } = await handleOf(payment._id).describe();

  return async () => {
    const decision = sandboxDecision('approve', new Date());
    await recordDecision(mongo, await stored(mongo, payment._id), decision);
    await temporal.wakePayment(payment);
    await comesTo(payment, 'completed');
    expect(await eventsOf(payment)).toEqual(['payment.completed']);
    const first = await ground.client.workflow
      .getHandle(ground.idPrefix + payment._id, runId)
      .describe();
    expect(first.status.name).toBe('TERMINATED');
  };
}

async function openStuckAfterDecline(): Promise<Check> {
  const { mongo, temporal } = ground;
  const payment = await insert();
  await temporal.startPayment(payment);
  const decision = sandboxDecision('insufficient_funds', new Date());
  await goToBank(mongo, payment._id);
  for (const id of ['req_1', 'req_2', 'req_3']) {
    await temporal.askPayment(payment, cancelOf(id), id);
  }
  await recordDecision(mongo, await stored(mongo, payment._id), decision);
  await temporal.wakePayment(payment);
  await comesTo(payment, 'created');

  return async () => {
    await until(
      async () => temporal.askPayment(payment, cancelOf('req_4'), 'req_4').catch(() => null),
      (result) => result?.status === 'canceled',
    );
    expect(await eventsOf(payment)).toEqual(['payment.attempt_failed', 'payment.canceled']);
  };
}

/** The runs that are open during a deploy, by the expected effect of the deploy. */
const OPEN: Readonly<Record<string, () => Promise<Check>>> = {
  'completes open payments, refunds and replays, each once and none by hand': openEverything,
  'completes a payment whose run can only retry its task': openStuckAtBank,
  'lets a cancel through to a payment whose run can only retry its task': openStuckAfterDecline,
};

// All tests share one deploy, and mostly wait after it.
describe.each([
  ['to the version of today', CHANGED, TODAY],
  ['to another version', TODAY, CHANGED],
])('a deploy that fits no open run, %s', (_, before, after) => {
  const checks = new Map<string, Check>();

  beforeAll(async () => {
    await ground.deploy(before);
    const open = Object.entries(OPEN).map(async ([name, begin]) => checks.set(name, await begin()));
    await Promise.all(open);
    await ground.deploy(after);
  });

  it.concurrent.each(Object.keys(OPEN))('%s', async (name) => checks.get(name)!());
});

describe('a run that an earlier version started, without a retry policy', () => {
  it('fails, and the sweep starts a new one', async () => {
    await ground.deploy(CHANGED);
    const payment = await insert();
    const handle = await ground.client.workflow.start(PAYMENT_WORKFLOW, {
      workflowId: ground.idPrefix + payment._id,
      taskQueue: PAYMENTS_QUEUE + ground.queueSuffix,
      args: [{ payment_id: payment._id }],
    });
    await hasRun(payment._id);
    await ground.deploy();
    await approve(payment);
    await comesTo(payment, 'completed');
    await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
    expect(await eventsOf(payment)).toEqual(['payment.completed']);
  });
});
