import { beforeEach, describe, expect, it } from 'vitest';
import { makeCounter } from '../../activities/count.ts';
import { rebuildStats } from '../../operations/stats.ts';
import type { Mongo } from '../../store/mongo.ts';
import { statsState } from '../../store/stats.ts';
import { insertHistory, makeHistory } from '../support/history.ts';
import { useDatabase } from '../store/database.ts';

const { mongo } = await useDatabase('operations-stats');
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const TENANTS = ['mer_1:test', 'mer_2:test'];
const now = (): number => NOW_MS;
const count = makeCounter({ mongo }, { now });
const history = () =>
  makeHistory(TENANTS, { fromMs: NOW_MS - 9 * DAY_MS, toMs: NOW_MS - DAY_MS, count: 50 });

beforeEach(async () => {
  for (const name of ['payments', 'refunds', 'events', 'dayStats', 'statsState'] as const) {
    await mongo[name].deleteMany({});
  }
});

/** Returns the rows of the generation in use, by tenant and day. Fails if there are others. */
async function rowsInUse(): Promise<Record<string, unknown>> {
  const { current } = await statsState(mongo);
  const prefix = `${String(current.number).padStart(6, '0')}:`;
  const rows = await mongo.dayStats.find({}).toArray();
  expect(rows.filter(({ _id }) => !_id.startsWith(prefix))).toEqual([]);
  return Object.fromEntries(rows.map(({ _id, counts }) => [_id.slice(prefix.length), counts]));
}

describe('rebuildStats', () => {
  it('has the same counts as counting step by step', async () => {
    for (const age of [9, 6, 3]) {
      const [fromMs, toMs] = [NOW_MS - age * DAY_MS, NOW_MS - (age - 3) * DAY_MS - HOUR_MS];
      await insertHistory(mongo, makeHistory(TENANTS, { fromMs, toMs, count: 20 }));
      await makeCounter({ mongo }, { now, batchRows: 13 })();
    }
    const stepwise = await rowsInUse();
    await rebuildStats({ mongo }, { now });
    expect(await rowsInUse()).toEqual(stepwise);
    expect(Object.keys(stepwise).length).toBeGreaterThan(4);
  });

  it('repairs wrong rows, and deletes those of the old generation', async () => {
    await insertHistory(mongo, history());
    await count();
    const right = await rowsInUse();
    await mongo.dayStats.updateMany({}, { $inc: { 'counts.created': 1_000 } });
    const done = await rebuildStats({ mongo }, { now });
    const events = await mongo.events.countDocuments();
    const rows_deleted = Object.keys(right).length;
    expect(done).toEqual({ rebuild: 'begun', events, payments: 50, rows_deleted });
    expect(await rowsInUse()).toEqual(right);
  });

  it('continues after it was interrupted, while the old counts are shown', async () => {
    await insertHistory(mongo, history());
    await count();
    const before = await rowsInUse();
    let left = 4;
    const dying: Mongo = {
      ...mongo,
      transact: async (body) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return mongo.transact(body);
      },
    };
    const options = { now, batchRows: 10 };
    await expect(rebuildStats({ mongo: dying }, options)).rejects.toThrow('killed');
    const { current, next } = await statsState(mongo);
    expect([current.number, next?.number]).toEqual([1, 2]);
    const done = await rebuildStats({ mongo }, options);
    expect(done).toMatchObject({ rebuild: 'continued', payments: 30 });
    expect(await rowsInUse()).toEqual(before);
    expect((await statsState(mongo)).next).toBeNull();
  });

  it('counts once if it runs twice at once, and while the worker counts', async () => {
    await insertHistory(mongo, history());
    await count();
    const before = await rowsInUse();
    const busy = { now, batchRows: 9 };
    await Promise.all([rebuildStats({ mongo }, busy), rebuildStats({ mongo }, busy), count()]);
    await rebuildStats({ mongo }, { now });
    await count();
    expect(await rowsInUse()).toEqual(before);
  });
});
