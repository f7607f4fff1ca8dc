/** What an operator does in Temporal's UI: terminate, cancel and reset. Nothing is lost or doubled. */
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { insertPayment } from '../../store/payments.ts';
import { chooseAtBank, stored } from '../support/bank.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import { makeLog } from '../../log.ts';
import { makeSweep } from '../../activities/sweep.ts';
import { makeSweepActivity } from '../support/sweeping.ts';
import { until } from '../support/until.ts';
import { NAMESPACE, startWorkers } from '../support/worker.ts';

const LIFETIME_MS = 3_000;
const NO_GRACE = { paymentMs: 0, refundMs: 0, deliveryMs: 0 };

const ground = closeAfterTests(await startWorkers('operator', { scheduleSeconds: [0, 3_600] }));
const receiver = closeAfterTests(await openReceiver());
const { mongo, temporal, client, idPrefix } = ground;

const workflowOf = ({ _id }: Payment) => client.workflow.getHandle(idPrefix + _id);
const statusOf = async (payment: Payment) => (await stored(mongo, payment._id)).status;
const typesOf = async ({ m }: Payment) =>
  (await mongo.events.find({ m }).sort({ _id: 1 }).toArray()).map(({ type }) => type);
const requestsAbout = ({ _id }: Payment) =>
  receiver.requests.filter(({ raw }) => raw.includes(_id));

async function begin(lifetimeMs = 30 * 60_000): Promise<Payment> {
  const now = Date.now();
  const expires = { created_at: new Date(now), expires_at: new Date(now + lifetimeMs) };
  const payment = makePayment({ ...expires, due_at: expires.expires_at });
  await insertPayment(mongo, payment);
  await mongo.endpoints.insertOne(makeEndpoint({ m: payment.m, url: receiver.url }));
  // A busy server may not start it in time.
  const isThere = async () => {
    await temporal.startPayment(payment);
    return workflowOf(payment)
      .describe()
      .then(Boolean, () => false);
  };
  await until(isThere, Boolean);
  return payment;
}

/** Sweeps as the schedule does, until the payment has that status. */
async function sweepUntil(payment: Payment, status: Payment['status']): Promise<void> {
  const idle = { count: async () => 0, prune: async () => 0 };
  const log = makeLog('test', 'silent');
  const sweep = makeSweep({ mongo, temporal, log, sweepGrace: NO_GRACE, ...idle });
  const look = async () => {
    await sweep(makeSweepActivity());
    return statusOf(payment);
  };
  await until(look, (found) => found === status);
}

async function untilDelivered({ m }: Payment): Promise<void> {
  await until(
    async () => mongo.deliveries.countDocuments({ m, state: 'succeeded' }),
    (count) => count === 1,
  );
}

/** Approves the payment, and waits for the end of its workflow and its webhook. */
async function complete(payment: Payment): Promise<void> {
  await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
  await temporal.wakePayment(payment);
  await workflowOf(payment).result();
  await untilDelivered(payment);
}

const STOPS = [
  ['terminated', async (payment: Payment) => workflowOf(payment).terminate('By an operator.')],
  ['canceled', async (payment: Payment) => workflowOf(payment).cancel()],
] as const;

describe.concurrent.each(STOPS)('a payment whose workflow an operator has %s', (_, stop) => {
  async function beginAndStop(lifetimeMs?: number): Promise<Payment> {
    const payment = await begin(lifetimeMs);
    await stop(payment);
    const status = async () => (await workflowOf(payment).describe()).status.name;
    await until(status, (name) => name !== 'RUNNING');
    return payment;
  }

  it('is settled when the bank has decided, with one event and one webhook', async () => {
    const payment = await beginAndStop();
    await complete(payment);
    expect(await statusOf(payment)).toBe('completed');
    expect(await typesOf(payment)).toEqual(['payment.completed']);
    expect(requestsAbout(payment)).toHaveLength(1);
  });

  it('can be canceled by the merchant', async () => {
    const payment = await beginAndStop();
    const message = { kind: 'cancel', by: 'merchant', request_id: 'req_1' } as const;
    const asked = await temporal.askPayment(payment, message, 'req_1');
    expect(asked).toMatchObject({ status: 'canceled', done: true });
  });

  it('expires at its time, because the sweep starts its workflow again', async () => {
    const payment = await beginAndStop(LIFETIME_MS);
    await sweepUntil(payment, 'expired');
    await untilDelivered(payment);
    expect(await typesOf(payment)).toEqual(['payment.expired']);
  });
});

/** Resets the workflow to its first task, as the UI does. Returns the id of the new run. */
async function reset(payment: Payment): Promise<string> {
  const { runId } = await workflowOf(payment).describe();
  const firstTask = async () => {
    const { events } = await workflowOf(payment).fetchHistory();
    return events?.find((event) => event.workflowTaskCompletedEventAttributes);
  };
  const first = await until(firstTask, Boolean);
  const { runId: newRun } = await client.connection.workflowService.resetWorkflowExecution({
    namespace: NAMESPACE,
    workflowExecution: { workflowId: idPrefix + payment._id, runId },
    workflowTaskFinishEventId: first!.eventId!,
    reason: 'By an operator.',
    requestId: `${payment._id}-reset`,
  });
  return newRun;
}

describe('a payment whose workflow an operator has reset', () => {
  it('is completed once, if it had ended', async () => {
    const payment = await begin();
    await complete(payment);
    const before = await stored(mongo, payment._id);
    const run = client.workflow.getHandle(idPrefix + payment._id, await reset(payment));
    expect(await run.result()).toBe('completed');
    expect(await stored(mongo, payment._id)).toEqual(before);
    expect(await typesOf(payment)).toEqual(['payment.completed']);
    expect(requestsAbout(payment)).toHaveLength(1);
  });

  it('continues, if it was open', async () => {
    const payment = await begin();
    await chooseAtBank(mongo, payment._id, { outcome: 'insufficient_funds' });
    await temporal.wakePayment(payment);
    await until(
      async () => statusOf(payment),
      (status) => status === 'created',
    );
    await untilDelivered(payment);
    await reset(payment);
    await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
    await temporal.wakePayment(payment);
    expect(await workflowOf(payment).result()).toBe('completed');
    await until(
      () => requestsAbout(payment).length,
      (count) => count === 2,
    );
    expect(await typesOf(payment)).toEqual(['payment.attempt_failed', 'payment.completed']);
  });
});

describe('a delivery whose activity an operator has terminated', () => {
  it('is started again by the sweep at the time of its next attempt', async () => {
    receiver.respond = () => ({ status: 500 });
    const payment = await begin();
    await chooseAtBank(mongo, payment._id, { outcome: 'approve' });
    await temporal.wakePayment(payment);
    const pending = async () => mongo.deliveries.findOne({ m: payment.m, 'attempts.number': 1 });
    const delivery = await until(pending, Boolean);
    const handle = client.activity.getHandle(idPrefix + delivery!._id);
    await handle.terminate('By an operator.');
    receiver.respond = () => ({ status: 200 });
    await mongo.deliveries.updateOne(
      { _id: delivery!._id },
      { $set: { next_attempt_at: new Date() } },
    );
    await sweepUntil(payment, 'completed');
    await untilDelivered(payment);
    expect(requestsAbout(payment).map(({ headers }) => headers['service-attempt'])).toEqual([
      '1',
      '2',
    ]);
  });
});
