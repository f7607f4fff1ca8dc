import { beforeEach, describe, expect, it } from 'vitest';
import { makeCounter } from '../../activities/count.ts';
import { makeSweep } from '../../activities/sweep.ts';
import { SETTLED_MS, readStats } from '../../store/stats.ts';
import { idAt } from '../support/history.ts';
import { insertAll } from '../support/insert.ts';
import { openDatabase } from '../support/mongo.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeSweepActivity } from '../support/sweeping.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');
const m = 'mer_1:test';
let nowMs: number;
/** The duration of each transaction. */
let slowMs: number;
const mongo = closeAfterTests(
  await openDatabase('count', {
    monitor: (command) => {
      if (command === 'commitTransaction') nowMs += slowMs;
    },
  }),
);
const now = (): number => nowMs;

beforeEach(async () => {
  for (const name of ['payments', 'events', 'dayStats', 'statsState'] as const) {
    await mongo[name].deleteMany({});
  }
  nowMs = NOW_MS;
  slowMs = 0;
});

async function addPayments(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, nth) =>
    makePayment({ _id: idAt('payment', NOW_MS - SETTLED_MS - 1 - nth), m }),
  );
  await insertAll(mongo.payments, rows);
}

/** Returns the number of payments that are in the rows, without those that readers count. */
async function countedRows(): Promise<number> {
  const rows = await mongo.dayStats.find({}).toArray();
  return rows.reduce((sum, { counts }) => sum + (counts['created'] ?? 0), 0);
}

describe('makeCounter', () => {
  it('ends its round early if there is a backlog, and a new process continues it', async () => {
    await addPayments(50);
    slowMs = 5_000;
    expect(await makeCounter({ mongo }, { now, batchRows: 10 })()).toBe(20);
    expect(await countedRows()).toBe(20);
    const next = makeCounter({ mongo }, { now, batchRows: 10 });
    expect([await next(), await next()]).toEqual([20, 10]);
    expect(await countedRows()).toBe(50);
    expect(await next()).toBe(0);
  });

  it('counts each payment once if two workers count at the same time', async () => {
    await addPayments(60);
    const [one, two] = [7, 9].map((batchRows) => makeCounter({ mongo }, { now, batchRows }));
    await Promise.all([one!(), two!()]);
    await one!();
    expect(await countedRows()).toBe(60);
  });

  it('rejects if the database fails, and counts the rest later', async () => {
    await addPayments(20);
    const failing = {
      ...mongo,
      get dayStats(): typeof mongo.dayStats {
        throw new Error('away');
      },
    };
    await expect(makeCounter({ mongo: failing }, { now })()).rejects.toThrow('away');
    expect(await countedRows()).toBe(0);
    await makeCounter({ mongo }, { now })();
    expect(await countedRows()).toBe(20);
  });

  it('runs in every round of the sweep', async () => {
    await addPayments(3);
    const log = { warn: () => undefined };
    const count = makeCounter({ mongo }, { now });
    const temporal = { resumePayment: async () => true } as never;
    const sweep = makeSweep({ mongo, temporal, log, count, prune: async () => 0 });
    expect(await sweep(makeSweepActivity())).toMatchObject({ counted: 3, unfinished: [] });
    const range = { tenant: m, from: '2026-11-22', to: '2026-11-22' };
    expect((await readStats(mongo, range)).days).toEqual(new Map([['2026-11-22', { created: 3 }]]));
  });
});
