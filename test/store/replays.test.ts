import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../domain/delivery.ts';
import type { Replay } from '../../domain/replay.ts';
import { mintId } from '../../store/mint.ts';
import {
  findReplay,
  insertReplay,
  isStopped,
  overdueReplays,
  recordBatch,
  runningReplayOf,
  stopReplay,
} from '../../store/replays.ts';
import { at } from '../domain/situation.ts';
import { makeEntry } from '../support/audit.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('replays');
const tenant = 'mer_1:test';
const endpointId = mintId('endpoint');

beforeEach(async () => {
  const { deliveries, replays } = database.mongo;
  await Promise.all([deliveries.deleteMany({}), replays.deleteMany({})]);
});

async function delivery(overrides: Partial<Delivery> = {}): Promise<Delivery> {
  const ids = { m: tenant, endpoint_id: endpointId, event_id: mintId('event') };
  const row = makeDelivery({ ...ids, state: 'failed', next_attempt_at: null, ...overrides });
  await database.mongo.deliveries.insertOne(row);
  return row;
}

const replayOf = (overrides: Partial<Replay> = {}): Replay =>
  makeReplay({ m: tenant, endpoint_id: endpointId, ...overrides });

const batchOf = (replay: Replay) => ({
  deliveries: [
    makeDelivery({ m: tenant, endpoint_id: endpointId, event_id: 'evt_1', replay_id: replay._id }),
  ],
  cursor: 'evt_1',
  isEnd: false,
  dueAt: at(5),
  now: at(2),
});

const stored = async (overrides: Partial<Replay> = {}): Promise<Replay> => {
  const replay = replayOf(overrides);
  await insertReplay(database.mongo, replay, makeEntry());
  return replay;
};

const asked = (minutes: number) =>
  ({ reason: 'asked', now: at(minutes), entry: makeEntry() }) as const;

describe('insertReplay', () => {
  it('inserts one of 20 concurrent replays of an endpoint', async () => {
    const many = Array.from({ length: 20 }, async () =>
      insertReplay(database.mongo, replayOf(), makeEntry()),
    );
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    const running = await runningReplayOf(database.mongo, endpointId);
    await stopReplay(database.mongo, running!, asked(1));
    expect(await insertReplay(database.mongo, replayOf(), makeEntry())).toBe(true);
  });
});

describe('overdueReplays', () => {
  it('finds running overdue replays, oldest first', async () => {
    const [late, later] = [2, 1].map((n) =>
      replayOf({ endpoint_id: `we_${n}`, due_at: at(3 - n) }),
    );
    await database.mongo.replays.insertMany([
      later!,
      late!,
      replayOf({ due_at: at(9) }),
      replayOf({ status: 'completed', due_at: at(1) }),
    ]);
    const range = { after: null, before: at(5), limit: 10 };
    const found = await overdueReplays(database.mongo, range);
    expect(found.map(({ _id }) => _id)).toEqual([late!._id, later!._id]);
  });
});

describe('recordBatch', () => {
  it('writes the deliveries and the cursor together', async () => {
    const replay = await stored();
    const batch = batchOf(replay);
    expect(await recordBatch(database.mongo, replay, batch)).toBe(true);
    expect(await findReplay(database.mongo, replay._id)).toEqual({
      ...replay,
      cursor: 'evt_1',
      sent: 1,
      due_at: at(5),
      updated_at: at(2),
    });
    expect(await database.mongo.deliveries.find().toArray()).toEqual(batch.deliveries);
  });

  it('completes the replay with the last batch', async () => {
    const replay = await stored();
    await recordBatch(database.mongo, replay, { ...batchOf(replay), isEnd: true });
    expect(await findReplay(database.mongo, replay._id)).toMatchObject({ status: 'completed' });
  });

  it('writes a batch once for 10 concurrent runs', async () => {
    const replay = await stored();
    const runs = Array.from({ length: 10 }, async () =>
      recordBatch(database.mongo, replay, batchOf(replay)),
    );
    expect((await Promise.all(runs)).filter(Boolean)).toHaveLength(1);
    expect(await database.mongo.deliveries.countDocuments()).toBe(1);
  });

  it('writes nothing for a replay that was stopped meanwhile', async () => {
    const replay = await stored();
    await stopReplay(database.mongo, replay, asked(2));
    expect(await recordBatch(database.mongo, replay, batchOf(replay))).toBe(false);
    expect(await database.mongo.deliveries.countDocuments()).toBe(0);
  });
});

describe('stopReplay', () => {
  it('stops the pending deliveries of the replay, and no others', async () => {
    const replay = replayOf();
    await insertReplay(database.mongo, replay, makeEntry());
    const pending = { state: 'pending', next_attempt_at: at(1) } as const;
    const own = await delivery({ ...pending, replay_id: replay._id });
    const sent = await delivery({ state: 'succeeded', replay_id: replay._id });
    const other = await delivery({ ...pending, replay_id: mintId('replay') });
    const usual = await delivery(pending);
    expect(await stopReplay(database.mongo, replay, asked(2))).toBe(1);
    const read = async ({ _id }: Delivery) => database.mongo.deliveries.findOne({ _id });
    expect(await read(own)).toEqual({ ...own, state: 'stopped', next_attempt_at: null });
    for (const row of [sent, other, usual]) expect(await read(row)).toEqual(row);
    expect(await findReplay(database.mongo, replay._id)).toMatchObject({
      status: 'stopped',
      stopped_reason: 'asked',
    });
  });

  it('stops more deliveries than one batch', async () => {
    const replay = replayOf();
    await insertReplay(database.mongo, replay, makeEntry());
    const { endpoint_id, _id: replay_id } = replay;
    const waiting = { m: tenant, endpoint_id, replay_id, event_id: mintId('event') };
    const many = Array.from({ length: 1_001 }, () => makeDelivery(waiting));
    await database.mongo.deliveries.insertMany(many);
    expect(await stopReplay(database.mongo, replay, asked(2))).toBe(1_001);
    const left = { replay_id: replay._id, state: 'pending' } as const;
    expect(await database.mongo.deliveries.countDocuments(left)).toBe(0);
  });

  it('keeps the status of an ended replay', async () => {
    const replay = replayOf({ status: 'completed' });
    await insertReplay(database.mongo, replay, makeEntry());
    expect(await isStopped(database.mongo, replay._id)).toBe(false);
    await stopReplay(database.mongo, replay, asked(2));
    const ended = await findReplay(database.mongo, replay._id);
    expect(ended).toEqual({ ...replay, stopped_at: at(2) });
    expect(await isStopped(database.mongo, replay._id)).toBe(true);
  });
});
