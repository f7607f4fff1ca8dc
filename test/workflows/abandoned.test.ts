/** A customer who closes the bank's page, on real servers with a sweep. */
import { describe, expect, it } from 'vitest';
import { makeSweep } from '../../activities/sweep.ts';
import type { Payment } from '../../domain/payment.ts';
import { openAttempt } from '../../store/attempts.ts';
import { makeLog } from '../../log.ts';
import { insertPayment } from '../../store/payments.ts';
import { chooseAtBank, stored } from '../support/bank.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeSweepActivity } from '../support/sweeping.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

const CARD = { brand: 'visa', last4: '4242' };
const BANK_TIMEOUT_MS = 1_000;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const NO_GRACE = { paymentMs: 0, refundMs: 0, deliveryMs: 0 };

const ground = closeAfterTests(await startWorkers('abandoned', { bankTimeoutMs: BANK_TIMEOUT_MS }));

async function begin(lifetimeMs: number): Promise<Payment> {
  const payment = makePayment({ expires_at: new Date(Date.now() + lifetimeMs) });
  await insertPayment(ground.mongo, payment);
  await ground.temporal.startPayment(payment);
  return payment;
}

/** Lets the customer go to the bank and close the page there. */
async function abandon({ _id: id }: Payment, now = new Date()): Promise<void> {
  const { mongo } = ground;
  const how = {
    tender: { type: 'card', card: CARD },
    now,
    bankTimeoutMs: BANK_TIMEOUT_MS,
  } as const;
  expect(await openAttempt(mongo, await stored(mongo, id), how)).not.toBeNull();
}

/** Sweeps as the schedule does, until the payment has that status. */
async function sweepUntil(payment: Payment, status: Payment['status']): Promise<Payment> {
  const { mongo, temporal } = ground;
  const log = makeLog('test', 'silent');
  const idle = { count: async () => 0, prune: async () => 0 };
  const deps = { mongo, temporal, log, sweepGrace: NO_GRACE, ...idle };
  const sweep = makeSweep(deps);
  const look = async () => {
    await sweep(makeSweepActivity());
    return stored(mongo, payment._id);
  };
  return until(look, (found) => found.status === status);
}

const eventsOf = async ({ m: tenant }: Payment) => {
  const events = await ground.mongo.events.find({ m: tenant }).sort({ _id: 1 }).toArray();
  return events.map(({ type, body }) => [
    type,
    JSON.parse(body).data.object.last_attempt.failure_code,
  ]);
};

describe('an abandoned page of the bank', () => {
  it("is declined after the bank's time limit, though the payment lives for a week", async () => {
    const payment = await begin(WEEK_MS);
    await abandon(payment);
    const back = await sweepUntil(payment, 'created');
    expect(back.attempts).toMatchObject([{ status: 'declined', failure_code: 'bank_timeout' }]);
    expect(back.due_at).toEqual(payment.expires_at);
    expect(await eventsOf(payment)).toEqual([['payment.attempt_failed', 'bank_timeout']]);
  });

  it('is found again when its workflow already sleeps until the end of the week', async () => {
    const payment = await begin(WEEK_MS);
    for (let count = 1; count <= 2; count += 1) {
      await abandon(payment);
      const { attempts } = await sweepUntil(payment, 'created');
      expect(attempts.filter(({ status }) => status === 'declined')).toHaveLength(count);
    }
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    await ground.temporal.wakePayment(payment);
    await sweepUntil(payment, 'completed');
    const types = (await eventsOf(payment)).map(([type]) => type);
    expect(types).toEqual([
      'payment.attempt_failed',
      'payment.attempt_failed',
      'payment.completed',
    ]);
  });

  it('expires a payment whose lifetime is over', async () => {
    const expires_at = new Date(Date.now() + BANK_TIMEOUT_MS / 2);
    const payment = makePayment({ expires_at });
    await insertPayment(ground.mongo, payment);
    // Before its workflow starts, which on a busy machine would find it expired.
    await abandon(payment, new Date(expires_at.getTime() - 1));
    await ground.temporal.startPayment(payment);
    const ended = await sweepUntil(payment, 'expired');
    expect(ended).not.toHaveProperty('open');
    expect(await eventsOf(payment)).toEqual([['payment.expired', 'bank_timeout']]);
  });
});
