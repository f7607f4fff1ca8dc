import { beforeEach, describe, expect, it } from 'vitest';
import { tallyEvent, tallyPayment } from '../../domain/stats.ts';
import type { Counts } from '../../domain/stats.ts';
import type { Mongo } from '../../store/mongo.ts';
import {
  LIVE_ROWS,
  SETTLED_MS,
  STATS_SOURCES,
  countBatch,
  readStats,
  statsState,
  unsettledFrom,
} from '../../store/stats.ts';
import { idAt, insertHistory, makeHistory } from '../support/history.ts';
import type { History } from '../support/history.ts';
import { insertAll } from '../support/insert.ts';
import { makePayment } from '../support/rows/payment.ts';
import { useDatabase } from './database.ts';

const { mongo } = await useDatabase('stats');
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const TENANTS = ['mer_1:test', 'mer_2:test', 'mer_2:live'];
const WHOLE = { from: '2026-01-01', to: '2026-12-31' };
const PAST = { fromMs: NOW_MS - 5 * DAY_MS, toMs: NOW_MS - SETTLED_MS };

beforeEach(async () => {
  for (const name of ['payments', 'refunds', 'events', 'dayStats', 'statsState'] as const) {
    await mongo[name].deleteMany({});
  }
});

/** Counts everything that is settled. Returns the number of batches that read something. */
async function countAll(on: Mongo = mongo, limit = 7): Promise<number> {
  let batches = 0;
  for (const source of STATS_SOURCES) {
    const batch = {
      source,
      into: 'current',
      before: unsettledFrom(source, NOW_MS),
      limit,
    } as const;
    while ((await countBatch(on, batch)) > 0) batches += 1;
  }
  return batches;
}

/** Returns the counts of a history by day, from a scan of everything. */
function scan({ payments, events }: History, tenant: string): Record<string, Counts> {
  const days: Record<string, Counts> = {};
  for (const { m, day, name, by } of [
    ...payments.map(tallyPayment),
    ...events.flatMap(tallyEvent),
  ]) {
    if (m !== tenant) continue;
    const counts = (days[day] ??= {});
    counts[name] = (counts[name] ?? 0) + by;
  }
  return days;
}

async function read(tenant: string) {
  const { days, upTo } = await readStats(mongo, { tenant, ...WHOLE });
  return { days: Object.fromEntries(days), upTo };
}

async function expectCounts(history: History): Promise<void> {
  for (const tenant of TENANTS) {
    expect(await read(tenant)).toEqual({ days: scan(history, tenant), upTo: null });
  }
}

describe('countBatch', () => {
  it('counts every payment and event once', async () => {
    const history = makeHistory(TENANTS, { ...PAST, count: 60 });
    await insertHistory(mongo, history);
    await countAll();
    await expectCounts(history);
    expect(await countAll()).toBe(0);
    await expectCounts(history);
  });

  it('counts once if several processes count at the same time', async () => {
    const history = makeHistory(TENANTS, { ...PAST, count: 40 });
    await insertHistory(mongo, history);
    await Promise.all([countAll(), countAll(mongo, 5), countAll(mongo, 11)]);
    await expectCounts(history);
  });

  it('counts once if a process dies before, within or after the transaction', async () => {
    const history = makeHistory(TENANTS, { ...PAST, count: 40 });
    await insertHistory(mongo, history);
    let kills = 0;
    const dying = (when: number): Mongo => {
      const kill = (now: number): void => {
        if (now !== when) return;
        kills += 1;
        throw new Error('killed');
      };
      return {
        ...mongo,
        get dayStats() {
          kill(1);
          return mongo.dayStats;
        },
        transact: async (body) => {
          kill(0);
          const result = await mongo.transact(async (session) => {
            const done = await body(session);
            kill(2);
            return done;
          });
          kill(3);
          return result;
        },
      };
    };
    for (let when = 0; when < 4; when += 1) {
      for (const source of STATS_SOURCES) {
        const before = unsettledFrom(source, NOW_MS);
        const batch = { source, into: 'current', before, limit: 9 } as const;
        await expect(countBatch(dying(when), batch)).rejects.toThrow('killed');
      }
    }
    expect(kills).toBe(8);
    await countAll();
    await expectCounts(history);
  });

  it('does not pass documents that are too young, so that late ones are counted', async () => {
    const early = makeHistory(TENANTS, { ...PAST, count: 10 });
    const young = makeHistory(TENANTS, {
      fromMs: NOW_MS - SETTLED_MS,
      toMs: NOW_MS,
      count: 10,
    });
    await insertHistory(mongo, early);
    await insertHistory(mongo, young);
    await countAll();
    const { current } = await statsState(mongo);
    expect(current.payments < unsettledFrom('payments', NOW_MS)).toBe(true);
    expect(current.events < unsettledFrom('events', NOW_MS)).toBe(true);
    const late = makeHistory(TENANTS, {
      fromMs: NOW_MS - SETTLED_MS,
      toMs: NOW_MS - SETTLED_MS + 1_000,
      count: 10,
    });
    await insertHistory(mongo, late);
    const all = {
      payments: [...early.payments, ...young.payments, ...late.payments],
      refunds: [],
      events: [...early.events, ...young.events, ...late.events],
    };
    // Young documents are counted by the reader.
    await expectCounts(all);
    for (const source of STATS_SOURCES) {
      const before = unsettledFrom(source, NOW_MS + SETTLED_MS);
      while ((await countBatch(mongo, { source, into: 'current', before, limit: 50 })) > 0);
    }
    await expectCounts(all);
  });
});

describe('readStats', () => {
  it('returns the days in the range, of the tenant alone', async () => {
    const payments = [0, 1, 2].map((back) =>
      makePayment({ _id: idAt('payment', NOW_MS - back * DAY_MS), m: 'mer_1:test' }),
    );
    const others = ['mer_1:live', 'mer_10:test'].map((m) =>
      makePayment({ _id: idAt('payment', NOW_MS - DAY_MS), m }),
    );
    await insertAll(mongo.payments, [...payments, ...others]);
    const range = { tenant: 'mer_1:test', from: '2026-11-20', to: '2026-11-21' };
    const expected = new Map([
      ['2026-11-20', { created: 1 }],
      ['2026-11-21', { created: 1 }],
    ]);
    expect((await readStats(mongo, range)).days).toEqual(expected);
    await countAll();
    expect((await readStats(mongo, range)).days).toEqual(expected);
  });

  it('reports the time up to which everything is counted, if a backlog is too long', async () => {
    const m = 'mer_1:test';
    const ids = Array.from({ length: LIVE_ROWS + 5 }, (_, nth) => idAt('payment', NOW_MS + nth));
    await insertAll(
      mongo.payments,
      ids.map((_id) => makePayment({ _id, m })),
    );
    const { days, upTo } = await read(m);
    expect(days).toEqual({ '2026-11-22': { created: LIVE_ROWS } });
    expect(upTo).toEqual(new Date(NOW_MS + LIVE_ROWS - 1));
    const batch = { source: 'payments', into: 'current', limit: 10 } as const;
    await countBatch(mongo, { ...batch, before: unsettledFrom('payments', NOW_MS + DAY_MS) });
    expect(await read(m)).toEqual({ days: { '2026-11-22': { created: ids.length } }, upTo: null });
  });

  it('counts nothing twice while the position moves', async () => {
    const history = makeHistory(TENANTS, { ...PAST, count: 30 });
    await insertHistory(mongo, history);
    const expected = scan(history, TENANTS[0]!);
    const counting = countAll(mongo, 2);
    let reads = 0;
    const work = { isDone: false };
    void counting.finally(() => (work.isDone = true));
    while (!work.isDone || reads === 0) {
      const { days, upTo } = await read(TENANTS[0]!);
      reads += 1;
      if (upTo === null) expect(days).toEqual(expected);
    }
    await counting;
    expect(await read(TENANTS[0]!)).toEqual({ days: expected, upTo: null });
  });
});
