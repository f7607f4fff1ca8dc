import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../domain/delivery.ts';
import { insertPayment } from '../../store/payments.ts';
import { chooseAtBank, goToBank, stored } from '../support/bank.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

/** The delays of this file, and the share by which an attempt may be early (domain/delivery.ts). */
const SCHEDULE_SECONDS = [0, 1, 2];
const EARLIEST = 0.8;

const ground = closeAfterTests(
  await startWorkers('delivery', { scheduleSeconds: SCHEDULE_SECONDS }),
);

async function newPayment(overrides: Parameters<typeof makePayment>[0] = {}) {
  const payment = makePayment(overrides);
  await insertPayment(ground.mongo, payment);
  return payment;
}

/** Stores a payment whose merchant has one endpoint, which is the receiver. */
async function newPaymentWithEndpoint({ url }: Receiver) {
  const payment = await newPayment();
  await ground.mongo.endpoints.insertOne(makeEndpoint({ m: payment.m, url }));
  return payment;
}

const statusOf = async (id: string) => (await stored(ground.mongo, id)).status;
const workflowOf = (id: string) => ground.client.workflow.getHandle(ground.idPrefix + id);

/** Waits for the tenant's only delivery to reach the state, and returns it. */
async function deliveryOf(tenant: string, state: Delivery['state']): Promise<Delivery> {
  const read = async () => ground.mongo.deliveries.findOne({ m: tenant });
  const found = await until(read, (row) => row?.state === state);
  return found!;
}

describe('a payment that sleeps until its lifetime ends', () => {
  it('is woken by a signal-with-start', async () => {
    const payment = await newPayment();
    await ground.temporal.startPayment(payment);
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    await ground.temporal.wakePayment(payment);
    expect(await workflowOf(payment._id).result()).toBe('completed');
    expect(await statusOf(payment._id)).toBe('completed');
  });

  it('replies to an update-with-start', async () => {
    const payment = await newPayment();
    await ground.temporal.startPayment(payment);
    const cancel = { kind: 'cancel', by: 'merchant', request_id: 'req_1' } as const;
    const result = await ground.temporal.askPayment(payment, cancel, 'req_1');
    expect(result).toEqual({ status: 'canceled', done: true, wake_at_ms: 0 });
  });

  it('expires by itself', async () => {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + 1_500);
    const payment = await newPayment({ created_at: createdAt, expires_at: expiresAt });
    await ground.temporal.startPayment(payment);
    await until(
      async () => statusOf(payment._id),
      (status) => status === 'expired',
    );
    const { expired_at } = await stored(ground.mongo, payment._id);
    expect(expired_at!.getTime()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });
});

describe('a payment without a workflow', () => {
  it('gets one by an update-with-start, which gets its reply', async () => {
    const payment = await newPayment();
    await goToBank(ground.mongo, payment._id);
    const cancel = { kind: 'cancel', by: 'customer', request_id: 'req_2' } as const;
    const result = await ground.temporal.askPayment(payment, cancel, 'req_2');
    expect(result.status).toBe('processing');
  });

  it('gets one by a wake', async () => {
    const payment = await newPayment();
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'lost_or_stolen' });
    await ground.temporal.wakePayment(payment);
    expect(await workflowOf(payment._id).result()).toBe('failed');
  });

  it('gets one by a wake after its workflow was terminated by hand', async () => {
    const payment = await newPayment();
    await ground.temporal.startPayment(payment);
    await workflowOf(payment._id).terminate('by hand');
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    await ground.temporal.wakePayment(payment);
    expect(await workflowOf(payment._id).result()).toBe('completed');
  });
});

// Concurrent, because these tests mostly wait for the next attempt.
describe.concurrent('a delivery', () => {
  it('is retried after the configured delays until it succeeds', async () => {
    const receiver = await openReceiver();
    receiver.respond = (number) => ({ status: number < 3 ? 500 : 204 });
    const payment = await newPaymentWithEndpoint(receiver);
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    await ground.temporal.wakePayment(payment);
    const delivery = await deliveryOf(payment.m, 'succeeded');
    expect(delivery.next_attempt_at).toBeNull();
    expect(delivery.attempts).toMatchObject([
      { number: 1, status: 500, error: 'status' },
      { number: 2, status: 500, error: 'status' },
      { number: 3, status: 204, error: null },
    ]);
    const times = receiver.requests.map((request) => request.at);
    SCHEDULE_SECONDS.slice(1).forEach((seconds, index) => {
      const gapMs = times[index + 1]! - times[index]!;
      expect(gapMs).toBeGreaterThanOrEqual(seconds * 1000 * EARLIEST);
    });
    const activity = ground.client.activity.getHandle(ground.idPrefix + delivery._id);
    await activity.result();
    expect(receiver.requests).toHaveLength(3);
    await receiver.close();
  });

  it('that is started for later is sent at its time, with a lower priority', async () => {
    const receiver = await openReceiver();
    receiver.respond = () => ({ status: 204 });
    const { m: tenant } = makePayment();
    const endpoint = makeEndpoint({ m: tenant, url: receiver.url });
    const event = makeEvent({ m: tenant });
    const at = new Date(Date.now() + 1_500);
    const ids = { m: tenant, endpoint_id: endpoint._id, event_id: event._id };
    const delivery = makeDelivery({ ...ids, next_attempt_at: at });
    await ground.mongo.endpoints.insertOne(endpoint);
    await ground.mongo.events.insertOne(event);
    await ground.mongo.deliveries.insertOne(delivery);
    await ground.temporal.startDelivery(delivery._id, at);
    const activity = ground.client.activity.getHandle(ground.idPrefix + delivery._id);
    expect((await activity.describe()).priority).toMatchObject({ priorityKey: 5 });
    const { attempts } = await deliveryOf(tenant, 'succeeded');
    expect(attempts).toHaveLength(1);
    expect(attempts[0]!.at.getTime()).toBeGreaterThanOrEqual(at.getTime());
    await receiver.close();
  });

  it('ends as failed after the last attempt, and its activity ends without a failure', async () => {
    const receiver = await openReceiver();
    receiver.respond = () => ({ status: 503 });
    const payment = await newPaymentWithEndpoint(receiver);
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'suspected_fraud' });
    await ground.temporal.wakePayment(payment);
    const delivery = await deliveryOf(payment.m, 'failed');
    expect(delivery.attempts).toHaveLength(SCHEDULE_SECONDS.length);
    await ground.client.activity.getHandle(ground.idPrefix + delivery._id).result();
    expect(receiver.requests).toHaveLength(SCHEDULE_SECONDS.length);
    await receiver.close();
  });
});
