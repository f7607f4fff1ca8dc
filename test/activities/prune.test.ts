import { beforeEach, describe, expect, it } from 'vitest';
import type { Collection, Document } from 'mongodb';
import { makePruner } from '../../activities/prune.ts';
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { firstIdAt } from '../../domain/id.ts';
import { DEFAULT_RETENTION_DAYS } from '../../domain/retention.ts';
import { INDEXES } from '../../store/indexes.ts';
import type { Mongo } from '../../store/mongo.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { openDatabase } from '../support/mongo.ts';
import { insertAll } from '../support/insert.ts';
import { closeAfterTests } from '../support/close.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = Date.parse('2026-04-01T12:00:00.000Z');
const LONG_AGO_MS = NOW_MS - 1_000 * DAY_MS;
const BATCH_ROWS = 20;
const MAX_BATCHES = 25;
const COLLECTIONS = Object.keys(INDEXES) as (keyof typeof INDEXES)[];

let finds: number;
let nowMs: number;
/** The duration of each read of the database. */
let lookMs: number;

const monitor = (command: string): void => {
  if (command !== 'find') return;
  finds += 1;
  nowMs += lookMs;
};

const mongo = closeAfterTests(await openDatabase('prune', { monitor }));
beforeEach(async () => {
  for (const name of COLLECTIONS) await mongo[name].deleteMany({});
  finds = 0;
  nowMs = NOW_MS;
  lookMs = 0;
});

const now = (): number => nowMs;
/** Creates the worker's pruner with small batches. */
const pruner = (on = mongo) => makePruner({ mongo: on }, { now, batchRows: BATCH_ROWS });

/** Returns the `nth` delivery created at that time. */
function deliveryAt(ms: number, state: Delivery['state'], nth = 0): Delivery {
  const _id = firstIdAt('delivery', ms).slice(0, -8) + String(nth).padStart(8, '0');
  const ids = { m: 'mer_1:test', endpoint_id: 'we_1', event_id: 'evt_1' };
  return makeDelivery({ _id, ...ids, state, next_attempt_at: null, created_at: new Date(ms) });
}

const many = (count: number, state: Delivery['state'], ms = LONG_AGO_MS): Delivery[] =>
  Array.from({ length: count }, (_, nth) => deliveryAt(ms, state, nth));

/** Returns every document of the database, by collection. */
async function everything(): Promise<Record<string, Document[]>> {
  const read = COLLECTIONS.map(async (name) => {
    const rows: Document[] = await mongo[name].find({}).sort({ _id: 1 }).toArray();
    return [name, rows] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Stores a document that looks like an old delivery in every other collection. */
async function fillTheOthers(): Promise<void> {
  const { _id, state } = deliveryAt(LONG_AGO_MS, 'failed');
  for (const name of COLLECTIONS) {
    if (name === 'deliveries') continue;
    // The server itself deletes old documents of some collections.
    const row = { _id, state, created_at: new Date() };
    await (mongo[name] as unknown as Collection<{ _id: string }>).insertOne(row);
  }
}

describe('makePruner', () => {
  it.each(DELIVERY_STATES)(
    'deletes deliveries past their retention to the millisecond, except pending ones: %s',
    async (state) => {
      const cutoffMs = NOW_MS - DEFAULT_RETENTION_DAYS * DAY_MS;
      const last = deliveryAt(cutoffMs - 1, state);
      const oldest = { ...last, _id: `${last._id.slice(0, -16)}${'Z'.repeat(16)}` };
      const kept = [deliveryAt(cutoffMs, state), deliveryAt(cutoffMs + 1, state)];
      await insertAll(mongo.deliveries, [last, oldest, ...kept]);
      const pending = state === 'pending';
      expect(await pruner()()).toBe(pending ? 0 : 2);
      const left = pending ? [last, oldest, ...kept] : kept;
      expect((await everything())['deliveries']).toEqual(left);
    },
  );

  it.each([
    [1, 3],
    [30, 2],
    [3_650, 0],
  ])('keeps records for %i days', async (retentionDays, pruned) => {
    const ages = [0.5, 2, 40, 400];
    const rows = ages.map((age) => deliveryAt(NOW_MS - age * DAY_MS, 'succeeded'));
    await insertAll(mongo.deliveries, rows);
    expect(await makePruner({ mongo, retentionDays }, { now })()).toBe(pruned);
    expect(await mongo.deliveries.countDocuments()).toBe(ages.length - pruned);
  });

  it('deletes nothing else from the database', async () => {
    await fillTheOthers();
    const young = deliveryAt(NOW_MS - DAY_MS, 'failed');
    const kept = [deliveryAt(LONG_AGO_MS, 'pending', 1), young];
    const old = DELIVERY_STATES.filter((state) => state !== 'pending');
    await insertAll(mongo.deliveries, kept);
    const before = await everything();
    expect(COLLECTIONS.filter((name) => before[name]?.length === 0)).toEqual([]);
    await insertAll(
      mongo.deliveries,
      old.map((state, nth) => deliveryAt(LONG_AGO_MS, state, nth + 2)),
    );
    expect(await pruner()()).toBe(old.length);
    expect(await everything()).toEqual(before);
  });

  it('deletes a backlog in several rounds, reads pending rows once, and then pauses', async () => {
    const bound = BATCH_ROWS * MAX_BATCHES;
    await insertAll(mongo.deliveries, many(BATCH_ROWS, 'pending'));
    await insertAll(mongo.deliveries, many(bound, 'failed', LONG_AGO_MS + DAY_MS));
    const prune = pruner();
    expect(await prune()).toBe(bound - BATCH_ROWS);
    expect(finds).toBe(MAX_BATCHES);
    expect(await prune()).toBe(BATCH_ROWS);
    // One full batch, and one that finds the end. The pending rows were not read again.
    expect(finds).toBe(MAX_BATCHES + 2);

    await mongo.deliveries.updateMany({}, { $set: { state: 'stopped' } });
    nowMs += 60 * 60 * 1000 - 1;
    expect(await prune()).toBe(0);
    expect(finds).toBe(MAX_BATCHES + 2);
    nowMs += 1;
    expect(await prune()).toBe(BATCH_ROWS);
    expect(await mongo.deliveries.countDocuments()).toBe(0);
  });

  it('ends its round early if the database is slow, and continues in the next one', async () => {
    await insertAll(mongo.deliveries, many(4 * BATCH_ROWS, 'succeeded'));
    lookMs = 5_000;
    const prune = pruner();
    expect(await prune()).toBe(2 * BATCH_ROWS);
    expect(await prune()).toBe(2 * BATCH_ROWS);
  });

  it('deletes each row once if two workers prune at the same time', async () => {
    const old = 3 * BATCH_ROWS;
    const kept = [...many(10, 'pending'), deliveryAt(NOW_MS, 'succeeded')];
    await insertAll(mongo.deliveries, [...kept, ...many(old, 'succeeded', LONG_AGO_MS + DAY_MS)]);
    const pruned = await Promise.all([pruner()(), pruner()()]);
    expect(pruned[0] + pruned[1]).toBe(old);
    expect((await everything())['deliveries']).toEqual(kept);
  });

  it('continues where it failed after 5 minutes, and so does a new process', async () => {
    await insertAll(mongo.deliveries, many(2 * BATCH_ROWS + 1, 'skipped'));
    let reads = 0;
    const flaky: Mongo = {
      ...mongo,
      get deliveries() {
        reads += 1;
        // Fails after the second batch was read and before its rows are deleted.
        if (reads === 4) throw new Error('away');
        return mongo.deliveries;
      },
    };
    const prune = pruner(flaky);
    await expect(prune()).rejects.toThrow('away');
    expect(await mongo.deliveries.countDocuments()).toBe(BATCH_ROWS + 1);
    nowMs += 5 * 60 * 1000 - 1;
    expect(await prune()).toBe(0);
    nowMs += 1;
    expect(await prune()).toBe(BATCH_ROWS + 1);

    await insertAll(mongo.deliveries, many(2 * BATCH_ROWS, 'skipped'));
    reads = 0;
    await expect(pruner(flaky)()).rejects.toThrow('away');
    expect(await pruner()()).toBe(BATCH_ROWS);
    expect(await mongo.deliveries.countDocuments()).toBe(0);
  });
});
