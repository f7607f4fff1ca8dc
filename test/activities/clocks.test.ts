/** Hosts with different clocks: pages and API write by one clock, workflows read by another. */
import { describe, expect, it } from 'vitest';
import { BANK_TIMEOUT_MS, chooseAtBank } from '../support/bank.ts';
import { LOOK, openSettleGround } from './ground.ts';
import { closeAfterTests } from '../support/close.ts';

const SKEW_MS = 60_000;
const DELAY_MS = 5_000;

const ground = closeAfterTests(await openSettleGround('clocks'));

/** Stores a payment of a host whose clock is `skewMs` milliseconds ahead of the workflow's. */
async function beginAt(skewMs: number) {
  const now = new Date();
  const theirs = new Date(now.getTime() + skewMs);
  const payment = await ground.begin({ created_at: theirs });
  return { id: payment._id, m: payment.m, now, theirs };
}

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

describe('a decision without a delay', () => {
  it.each([SKEW_MS, -SKEW_MS])('is processed at once, with a clock %i ms off', async (skewMs) => {
    const { id, now, theirs } = await beginAt(skewMs);
    await chooseAtBank(ground.mongo, id, { outcome: 'approve', now: theirs });
    expect(await ground.settle(id, LOOK, now)).toMatchObject({ status: 'completed', done: true });
  });
});

describe('a decision with a delay', () => {
  it('is not awaited past its delay, even if the other clock is ahead', async () => {
    const { id, now, theirs } = await beginAt(SKEW_MS);
    await chooseAtBank(ground.mongo, id, { outcome: 'approve_after_5s', now: theirs });
    const dueMs = now.getTime() + DELAY_MS;
    for (const passedMs of [0, DELAY_MS - 1]) {
      const result = await ground.settle(id, LOOK, later(now, passedMs));
      expect(result).toEqual({ status: 'processing', done: false, wake_at_ms: dueMs });
      expect((await ground.read(id)).due_at.getTime()).toBe(dueMs);
    }
    const result = await ground.settle(id, LOOK, new Date(dueMs));
    expect(result).toMatchObject({ status: 'completed' });
  });

  it('is not awaited past its delay, even after the time limit of the bank', async () => {
    const { id, theirs } = await beginAt(SKEW_MS);
    await chooseAtBank(ground.mongo, id, { outcome: 'approve_after_timeout', now: theirs });
    // The sandbox bank sends its late approval by this host's clock, which is ahead of `now`.
    const opened = later(new Date(), -2 * BANK_TIMEOUT_MS);
    const set = { 'attempts.0.opened_at': opened };
    await ground.mongo.payments.updateOne({ _id: id }, { $set: set });
    const now = later(new Date(), -SKEW_MS);
    const result = await ground.settle(id, LOOK, now);
    expect(result).toMatchObject({ status: 'created', wake_at_ms: now.getTime() + DELAY_MS });
    await ground.settle(id, LOOK, later(now, DELAY_MS));
    expect((await ground.read(id)).attempts).toMatchObject([{ status: 'reversed' }]);
  });
});

describe('the times of a payment', () => {
  it('never go back, and its events carry them', async () => {
    const { id, m: tenant, now, theirs } = await beginAt(SKEW_MS);
    let last = theirs;
    for (const outcome of ['card_declined', 'approve'] as const) {
      await chooseAtBank(ground.mongo, id, { outcome, now: theirs });
      await ground.settle(id, LOOK, now);
      const { updated_at: updatedAt } = await ground.read(id);
      expect(updatedAt.getTime()).toBeGreaterThan(last.getTime());
      last = updatedAt;
      const body = (await ground.eventsOf(tenant)).at(-1)?.body ?? '';
      expect(JSON.parse(body).data.object.updated_at).toBe(last.toISOString());
    }
    expect((await ground.read(id)).completed_at).toEqual(last);
  });
});
