/** Batches of a replay without Temporal. Starts of deliveries are only recorded. */
import { beforeEach, describe, expect, it } from 'vitest';
import { sendReplay } from '../../activities/replay.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { Replay } from '../../domain/replay.ts';
import { findReplay, insertReplay, stopReplay } from '../../store/replays.ts';
import { makeEntry } from '../support/audit.ts';
import { makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { openDatabase } from '../support/mongo.ts';
import { closeAfterTests } from '../support/close.ts';

/** The started deliveries, each with its time. */
let started: { id: string; at: Date | null | undefined }[];
let fault: Error | undefined;

const mongo = closeAfterTests(await openDatabase('replay-batches'));
beforeEach(() => {
  started = [];
  fault = undefined;
});

const temporal = {
  startDelivery: async (id: string, at?: Date | null) => {
    if (fault) throw fault;
    started.push({ id, at });
  },
};
const send = async ({ _id }: Pick<Replay, '_id'>) =>
  sendReplay({ mongo, temporal }, { replay_id: _id });

/** Stores a replay of `count` events to an endpoint. */
async function begin(
  count: number,
  { endpoint = {}, replay = {} }: { endpoint?: Partial<Endpoint>; replay?: Partial<Replay> } = {},
) {
  const { m: tenant } = makePayment();
  const row = makeEndpoint({ m: tenant, ...endpoint });
  await mongo.endpoints.insertOne(row);
  const events = Array.from({ length: count }, () =>
    makeEvent({ m: tenant, type: 'payment.completed' }),
  );
  if (count > 0) await mongo.events.insertMany(events);
  const made = makeReplay({
    m: tenant,
    endpoint_id: row._id,
    per_second: 2,
    total: count,
    ...replay,
  });
  // Events of the present millisecond are selected too.
  made.until = new Date(Date.now() + 1_000);
  await insertReplay(mongo, made, makeEntry());
  const read = async () => (await findReplay(mongo, made._id))!;
  const rows = async () =>
    mongo.deliveries.find({ replay_id: made._id }).sort({ _id: 1 }).toArray();
  const makeDue = async () =>
    mongo.replays.updateOne({ _id: made._id }, { $set: { due_at: new Date() } });
  return { ...made, eventIds: events.map(({ _id }) => _id), read, rows, makeDue };
}

describe('sendReplay sends nothing', () => {
  it('for a replay that does not exist', async () => {
    expect(await send({ _id: 'rpl_1' })).toEqual({ status: 'missing', wake_at_ms: 0 });
  });

  it.each(['completed', 'stopped'] as const)('for a replay that is %s', async (status) => {
    const replay = await begin(2, { replay: { status } });
    expect(await send(replay)).toEqual({ status, wake_at_ms: 0 });
    expect(await replay.rows()).toEqual([]);
  });

  it('before the next batch is due', async () => {
    const dueAt = new Date(Date.now() + 60_000);
    const replay = await begin(2, { replay: { due_at: dueAt } });
    expect(await send(replay)).toEqual({ status: 'running', wake_at_ms: dueAt.getTime() });
    expect(await replay.rows()).toEqual([]);
  });

  it.each(['disabled', 'deleted'] as const)('to an endpoint that is %s', async (status) => {
    const replay = await begin(2, { endpoint: { status } });
    expect(await send(replay)).toEqual({ status: 'stopped', wake_at_ms: 0 });
    expect(await replay.read()).toMatchObject({
      status: 'stopped',
      stopped_reason: 'endpoint_disabled',
    });
    expect(await replay.rows()).toEqual([]);
  });
});

describe('sendReplay', () => {
  it('sends batches of five seconds, each delivery at its time, until the end', async () => {
    const replay = await begin(12);
    const before = Date.now();
    const first = await send(replay);
    const rows = await replay.rows();
    expect(rows.map(({ event_id }) => event_id)).toEqual(replay.eventIds.slice(0, 10));
    expect(started).toEqual(rows.map(({ _id: id, next_attempt_at: at }) => ({ id, at })));
    const times = rows.map(
      ({ next_attempt_at: at }) => at!.getTime() - rows[0]!.created_at.getTime(),
    );
    expect(times).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500]);
    expect(first.status).toBe('running');
    expect(first.wake_at_ms).toBeGreaterThanOrEqual(before + 5_000);
    expect(await send(replay)).toEqual(first);

    await replay.makeDue();
    expect(await send(replay)).toEqual({ status: 'completed', wake_at_ms: 0 });
    const all = (await replay.rows()).map(({ event_id }) => event_id);
    expect(all).toEqual(replay.eventIds);
    expect(await replay.read()).toMatchObject({ status: 'completed', sent: 12 });
  });

  it('sends one batch in 5 concurrent runs', async () => {
    const replay = await begin(4);
    await Promise.all(Array.from({ length: 5 }, async () => send(replay)));
    expect((await replay.rows()).map(({ event_id }) => event_id)).toEqual(replay.eventIds);
    expect(started).toHaveLength(4);
  });

  it('continues after a batch that was stored but not started', async () => {
    const replay = await begin(11);
    fault = new Error('Temporal is unavailable.');
    await expect(send(replay)).rejects.toThrow('Temporal is unavailable.');
    fault = undefined;
    expect(await replay.rows()).toHaveLength(10);
    await replay.makeDue();
    expect((await send(replay)).status).toBe('completed');
    // The ten are pending and due, so the sweep starts them.
    expect(started).toHaveLength(1);
    expect((await replay.rows()).map(({ event_id }) => event_id)).toEqual(replay.eventIds);
  });

  it('sends nothing after it was stopped', async () => {
    const replay = await begin(11);
    await send(replay);
    await stopReplay(mongo, replay, { reason: 'asked', now: new Date(), entry: makeEntry() });
    await replay.makeDue();
    expect(await send(replay)).toEqual({ status: 'stopped', wake_at_ms: 0 });
    expect((await replay.rows()).map(({ state }) => state)).toEqual(Array(10).fill('stopped'));
  });
});
