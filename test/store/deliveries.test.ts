import { describe, expect, it } from 'vitest';
import type { Delivery, DeliveryAttempt, DeliveryState } from '../../domain/delivery.ts';
import {
  countDeliveries,
  deliveryById,
  insertDeliveries,
  lastSuccessAt,
  overdueDeliveries,
  pendingDeliveriesOf,
  postponeDelivery,
  pruneDeliveries,
  recordAttempt,
  stopDelivery,
} from '../../store/deliveries.ts';
import { firstIdAt } from '../../domain/id.ts';
import { mintId } from '../../store/mint.ts';
import { at } from '../domain/situation.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('deliveries');
const ENDED: DeliveryState[] = ['succeeded', 'failed', 'skipped', 'stopped'];

async function stored(over: Partial<Delivery> = {}): Promise<Delivery> {
  const ids = { m: 'mer_1:test', endpoint_id: mintId('endpoint'), event_id: mintId('event') };
  const delivery = makeDelivery({ ...ids, ...over });
  const { mongo } = database;
  await mongo.transact(async (session) => insertDeliveries(mongo, session, [delivery]));
  return delivery;
}

const attempt = (number: number): DeliveryAttempt => ({
  number,
  at: at(number),
  duration_ms: 12,
  status: 500,
  error: 'status',
});

const read = async ({ _id }: Delivery) => deliveryById(database.mongo, _id);

describe('recordAttempt', () => {
  const failed = { state: 'pending', nextAttemptAt: at(5) } as const;

  const closed = ENDED.filter((state) => state !== 'stopped');
  it.each(closed)('refuses a delivery that is %s', async (state) => {
    const delivery = await stored({ state, next_attempt_at: null });
    const result = { ...failed, attempt: attempt(1) };
    expect(await recordAttempt(database.mongo, delivery, result)).toBe(false);
    expect(await read(delivery)).toEqual(delivery);
  });

  it.each([
    ['failed', failed, 'stopped'],
    ['was the last one', { state: 'failed', nextAttemptAt: null }, 'stopped'],
    ['was accepted', { state: 'succeeded', nextAttemptAt: null }, 'succeeded'],
  ] as const)(
    'records an attempt that %s after the delivery was stopped',
    async (_, result, state) => {
      const delivery = await stored({ state: 'stopped', next_attempt_at: null });
      const record = { ...result, attempt: attempt(1) };
      expect(await recordAttempt(database.mongo, delivery, record)).toBe(true);
      expect(await recordAttempt(database.mongo, delivery, record)).toBe(false);
      const attempts = [attempt(1)];
      expect(await read(delivery)).toEqual({ ...delivery, state, attempts });
    },
  );

  it('accepts one of 20 records of the same attempt', async () => {
    const delivery = await stored();
    const result = { ...failed, attempt: attempt(1) };
    const many = Array.from({ length: 20 }, async () =>
      recordAttempt(database.mongo, delivery, result),
    );
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    expect((await read(delivery))?.attempts).toEqual([attempt(1)]);
  });

  it('stores every attempt in order, and the time of the next one', async () => {
    const delivery = await stored();
    await recordAttempt(database.mongo, delivery, { ...failed, attempt: attempt(1) });
    const seen = (await read(delivery)) ?? delivery;
    const last = { attempt: attempt(2), state: 'failed', nextAttemptAt: null } as const;
    expect(await recordAttempt(database.mongo, seen, last)).toBe(true);
    expect(await read(delivery)).toEqual({
      ...delivery,
      attempts: [attempt(1), attempt(2)],
      state: 'failed',
      next_attempt_at: null,
    });
  });
});

describe('stopDelivery', () => {
  it.each(ENDED)('does not change a delivery that is %s', async (state) => {
    const delivery = await stored({ state });
    await stopDelivery(database.mongo, delivery._id);
    expect(await read(delivery)).toEqual(delivery);
  });

  it('stops a pending delivery', async () => {
    const delivery = await stored();
    await stopDelivery(database.mongo, delivery._id);
    expect(await read(delivery)).toMatchObject({ state: 'stopped', next_attempt_at: null });
  });
});

describe('insertDeliveries', () => {
  it('writes nothing for an empty list', async () => {
    const { mongo } = database;
    const before = await mongo.deliveries.countDocuments();
    await mongo.transact(async (session) => insertDeliveries(mongo, session, []));
    expect(await mongo.deliveries.countDocuments()).toBe(before);
  });
});

describe('pendingDeliveriesOf', () => {
  it('skips ended deliveries and those of other events', async () => {
    const pending = await stored();
    await stored({ event_id: pending.event_id, state: 'skipped' });
    await stored();
    expect(await pendingDeliveriesOf(database.mongo, pending.event_id)).toEqual([pending]);
  });
});

/** Times at which no other delivery of this file is due. */
const longAgo = (minutes: number): Date => new Date(at(minutes).getTime() - 1e12);

const postpone = async (delivery: Delivery, until: Date) =>
  postponeDelivery(database.mongo, delivery, until);

describe('postponeDelivery', () => {
  it('moves the next attempt to a later time', async () => {
    const delivery = await stored({ next_attempt_at: at(1) });
    expect(await postpone(delivery, at(5))).toBe(true);
    expect(await read(delivery)).toEqual({ ...delivery, next_attempt_at: at(5) });
  });

  it('does not move the next attempt to an earlier time', async () => {
    const delivery = await stored({ next_attempt_at: at(5) });
    expect(await postpone(delivery, at(1))).toBe(false);
    expect(await read(delivery)).toEqual(delivery);
  });

  it('returns false if an attempt was recorded meanwhile', async () => {
    const delivery = await stored({ next_attempt_at: at(1) });
    const failed = { attempt: attempt(1), state: 'pending', nextAttemptAt: at(2) } as const;
    await recordAttempt(database.mongo, delivery, failed);
    expect(await postpone(delivery, at(5))).toBe(false);
    expect((await read(delivery))!.next_attempt_at).toEqual(at(2));
  });

  it.each(ENDED)('does not change a delivery that is %s', async (state) => {
    const delivery = await stored({ state, next_attempt_at: null });
    expect(await postpone(delivery, at(5))).toBe(false);
    expect(await read(delivery)).toEqual(delivery);
  });
});

describe('overdueDeliveries', () => {
  it('finds pending overdue deliveries, oldest first, page by page', async () => {
    for (const minutes of [3, 1, 2, 9]) await stored({ next_attempt_at: longAgo(minutes) });
    await stored({ state: 'failed', next_attempt_at: longAgo(0) });
    const range = { before: longAgo(9), limit: 2 };
    const first = await overdueDeliveries(database.mongo, { ...range, after: null });
    expect(first.map((row) => row.next_attempt_at)).toEqual([longAgo(1), longAgo(2)]);
    const after = { at: longAgo(2), id: first[1]!._id };
    const second = await overdueDeliveries(database.mongo, { ...range, after });
    expect(second.map((row) => row.next_attempt_at)).toEqual([longAgo(3)]);
  });
});

const idOf = (ms: number): string => firstIdAt('delivery', ms);
const prune = async (after: string | null) =>
  pruneDeliveries(database.mongo, { after, before: idOf(10), limit: 3 });

/** Returns which of these tests' times still have a delivery. */
async function left(): Promise<number[]> {
  const rows = database.mongo.deliveries.find({ _id: { $lt: idOf(100) } }).sort({ _id: 1 });
  return (await rows.toArray()).map(({ created_at }) => created_at.getTime());
}

describe('pruneDeliveries', () => {
  it('deletes old deliveries in batches, and never a pending one', async () => {
    const states = ['pending', ...ENDED, 'pending', 'failed'] as const;
    for (const [nth, state] of states.entries()) {
      await stored({ _id: idOf(4 + nth), state, created_at: new Date(4 + nth) });
    }
    expect(await prune(null)).toEqual({ pruned: 2, last: idOf(6) });
    expect(await left()).toEqual([4, 7, 8, 9, 10]);
    expect(await prune(idOf(6))).toEqual({ pruned: 2, last: idOf(9) });
    expect(await prune(idOf(9))).toEqual({ pruned: 0, last: null });
    expect(await prune(null)).toEqual({ pruned: 0, last: null });
    expect(await left()).toEqual([4, 9, 10]);
  });
});

describe('countDeliveries', () => {
  it("counts one state of one tenant's endpoint, up to the limit", async () => {
    const over = { endpoint_id: mintId('endpoint'), state: 'failed' } as const;
    const of = { m: 'mer_1:test', ...over };
    await stored({ ...over, m: 'mer_2:test' });
    await stored({ ...over, state: 'skipped' });
    expect(await countDeliveries(database.mongo, of, 9)).toBe(0);
    for (let more = 0; more < 4; more += 1) await stored(over);
    const counts = [3, 4, 5].map(async (limit) => countDeliveries(database.mongo, of, limit));
    expect(await Promise.all(counts)).toEqual([3, 4, 4]);
  });
});

describe('lastSuccessAt', () => {
  it('returns null if the endpoint accepted nothing in this tenant', async () => {
    const { endpoint_id: _id } = await stored({ state: 'failed', attempts: [attempt(1)] });
    await stored({ endpoint_id: _id, m: 'mer_2:test', state: 'succeeded', attempts: [attempt(1)] });
    expect(await lastSuccessAt(database.mongo, { m: 'mer_1:test', _id })).toBeNull();
  });

  it('returns the time of the newest accepted delivery', async () => {
    const success = { state: 'succeeded', attempts: [attempt(1), attempt(2)] } as const;
    const over = { ...success, attempts: [...success.attempts] };
    const { endpoint_id: _id } = await stored({ ...over, attempts: [attempt(7)] });
    await stored({ ...over, endpoint_id: _id });
    await stored({ endpoint_id: _id, state: 'failed', attempts: [attempt(9)] });
    expect(await lastSuccessAt(database.mongo, { m: 'mer_1:test', _id })).toEqual(at(2));
  });
});
