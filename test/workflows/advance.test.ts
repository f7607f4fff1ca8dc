/** The time machine of test mode on a real Temporal: what slept is done now, once. */
import { describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Advance } from '../../domain/advance.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Payment } from '../../domain/payment.ts';
import { advancePayment } from '../../operations/advance-payment.ts';
import { mintId } from '../../store/mint.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { openAttempt } from '../../store/attempts.ts';
import { insertPayment } from '../../store/payments.ts';
import { BANK_TIMEOUT_MS, chooseAtBank, stored } from '../support/bank.ts';
import { closeAfterTests } from '../support/close.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { until } from '../support/until.ts';
import { LINKS, startWorkers } from '../support/worker.ts';

/** No test waits for these. */
const SCHEDULE_SECONDS = [0, 3_600, 3_600, 3_600];
const ground = closeAfterTests(
  await startWorkers('advance', { scheduleSeconds: SCHEDULE_SECONDS }),
);

async function begin(): Promise<Payment> {
  const payment = makePayment();
  await insertPayment(ground.mongo, payment);
  await ground.temporal.startPayment(payment);
  return payment;
}

/** Repeats a call while Temporal is too busy to reply in time. */
async function untilReached<T>(call: () => Promise<T>): Promise<T> {
  const attempt = async (): Promise<{ value: T } | null> => {
    try {
      return { value: await call() };
    } catch (error) {
      if (error instanceof TemporalUnavailable) return null;
      throw error;
    }
  };
  return (await until(attempt, (done) => done !== null))!.value;
}

/** Each call has a key of its own, so that a repeat has one effect. */
async function advance({ _id, m }: Payment, to: Advance) {
  const request = {
    mongo: ground.mongo,
    temporal: ground.temporal,
    links: LINKS,
    bankTimeoutMs: BANK_TIMEOUT_MS,
    lifetime: { minMs: 300_000 },
    tenant: m,
    initiatedBy: 'api',
    id: mintId('request'),
    key: randomUUID(),
    canonical: JSON.stringify({ to }),
    now: new Date(),
    endsAtMs: Date.now() + 60_000,
  } as const;
  const { text } = await untilReached(async () => advancePayment(request, { id: _id, to }));
  return JSON.parse(text) as { status: string };
}

const deliveryOf = async ({ m }: Payment, accept: (row: Delivery) => boolean) =>
  (await until(
    async () => ground.mongo.deliveries.findOne({ m }),
    (row) => row !== null && accept(row),
  ))!;

/** Returns a completed payment whose webhook was sent once, and refused. */
async function refusedOnce(receiver: Receiver): Promise<Payment> {
  receiver.respond = () => ({ status: 500 });
  const payment = await begin();
  await ground.mongo.endpoints.insertOne(makeEndpoint({ m: payment.m, url: receiver.url }));
  await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
  await ground.temporal.wakePayment(payment);
  await asleep(await deliveryOf(payment, ({ attempts }) => attempts.length === 1));
  return payment;
}

/** Waits until the activity sleeps until its next attempt. */
async function asleep({ _id }: Delivery): Promise<void> {
  const handle = ground.client.activity.getHandle(ground.idPrefix + _id);
  await until(
    async () => handle.describe(),
    ({ nextAttemptScheduleTime: next }) => next !== undefined && next.getTime() > Date.now(),
  );
}

describe('advancing a payment', () => {
  it('expires it now', async () => {
    const payment = await begin();
    expect((await advance(payment, 'expiry')).status).toBe('expired');
    const handle = ground.client.workflow.getHandle(ground.idPrefix + payment._id);
    expect(await handle.result()).toBe('expired');
  });

  it('expires it now although it waits for a transfer', async () => {
    const payment = await begin();
    const how = { tender: { type: 'bank_transfer' }, now: new Date() } as const;
    await openAttempt(ground.mongo, payment, { ...how, bankTimeoutMs: BANK_TIMEOUT_MS });
    expect((await advance(payment, 'expiry')).status).toBe('expired');
    const { attempts } = await stored(ground.mongo, payment._id);
    expect(attempts).toMatchObject([{ status: 'declined', failure_code: 'bank_timeout' }]);
  });

  it.each([
    ['approve_after_30s', 'completed'],
    ['never_answer', 'created'],
  ] as const)('lets the bank answer now: %s', async (outcome, status) => {
    const payment = await begin();
    await chooseAtBank(ground.mongo, payment._id, { outcome });
    await ground.temporal.wakePayment(payment);
    expect((await advance(payment, 'bank_answer')).status).toBe(status);
    expect((await stored(ground.mongo, payment._id)).status).toBe(status);
  });
});

describe('the next attempt of a delivery', () => {
  it('is made now, once for each request, by one activity', async () => {
    const receiver = await openReceiver();
    const payment = await refusedOnce(receiver);
    await advance(payment, 'next_webhook_attempt');
    await asleep(await deliveryOf(payment, ({ attempts }) => attempts.length === 2));
    receiver.respond = () => ({ status: 204 });
    await advance(payment, 'next_webhook_attempt');
    const { _id, attempts } = await deliveryOf(payment, ({ state }) => state === 'succeeded');
    await ground.client.activity.getHandle(ground.idPrefix + _id).result();
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(receiver.requests.map(({ headers }) => headers['service-attempt'])).toEqual([
      '1',
      '2',
      '3',
    ]);
    await receiver.close();
  });

  it('is made once for many requests at once', async () => {
    const receiver = await openReceiver();
    const payment = await refusedOnce(receiver);
    await Promise.all(
      Array.from({ length: 8 }, async () => advance(payment, 'next_webhook_attempt')),
    );
    const row = await deliveryOf(payment, ({ attempts }) => attempts.length > 1);
    await asleep(row);
    const numbers = receiver.requests.map(({ headers }) => headers['service-attempt']);
    // A request that comes after the attempt asks for the next one.
    expect(new Set(numbers).size).toBe(numbers.length);
    await receiver.close();
  });

  it('is made after a process died before it called Temporal', async () => {
    const receiver = await openReceiver();
    const payment = await refusedOnce(receiver);
    const row = await deliveryOf(payment, () => true);
    const hastened = { number: 2, request_id: mintId('request') };
    await ground.mongo.deliveries.updateOne(
      { _id: row._id },
      { $set: { next_attempt_at: new Date(), hastened } },
    );
    await advance(payment, 'next_webhook_attempt');
    const { attempts } = await deliveryOf(payment, (found) => found.attempts.length > 1);
    expect(attempts).toHaveLength(2);
    await receiver.close();
  });

  it('is made if its activity is lost', async () => {
    const receiver = await openReceiver();
    const payment = await refusedOnce(receiver);
    const row = await deliveryOf(payment, () => true);
    await ground.client.activity.getHandle(ground.idPrefix + row._id).terminate('by hand');
    await advance(payment, 'next_webhook_attempt');
    const { attempts } = await deliveryOf(payment, (found) => found.attempts.length > 1);
    expect(attempts).toHaveLength(2);
    await receiver.close();
  });
});
