import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import { countRows, cursorExists, readAll, readPage } from '../../store/page.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { failing, openWire } from '../support/servers/wire.ts';
import { useDatabase } from './database.ts';
import { insertAll } from '../support/insert.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('page');
const WRITERS = 5;
const ROWS_OF_A_WRITER = 20;

const newTenant = (): string => tenantOf(mintId('merchant'), 'test');
const idsOf = (rows: readonly Payment[]): string[] => rows.map(({ _id }) => _id);

/** Inserts payments of two tenants. Returns the ids of the first tenant's, newest first. */
async function fill(tenant: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => makePayment({ m: tenant }));
  const others = Array.from({ length: 5 }, () => makePayment());
  await insertAll(database.mongo.payments, [...rows, ...others]);
  return idsOf(rows).toReversed();
}

async function read(query: Parameters<typeof readPage>[1]) {
  const { rows, hasMore } = await readPage(database.mongo.payments, query);
  return { ids: idsOf(rows), hasMore };
}

/** Reads all pages, from the newest on, or in the other direction from an id on. */
async function walk(tenant: string, limit: number, newerThan?: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor = newerThan;
  for (let pages = 0; pages < 10_000; pages += 1) {
    const forward = newerThan !== undefined;
    const query = { filter: { m: tenant }, limit };
    const where = forward ? { endingBefore: cursor } : { startingAfter: cursor };
    const { ids, hasMore } = await read({ ...query, ...where });
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(ids.length).toBeLessThanOrEqual(limit);
    if (forward) seen.unshift(...ids);
    else seen.push(...ids);
    if (!hasMore) return seen;
    expect(ids).toHaveLength(limit);
    cursor = forward ? ids.at(0) : ids.at(-1);
  }
  throw new Error('The list does not end.');
}

/** Inserts more payments of the tenant, five at a time. */
async function writeAlong(tenant: string): Promise<void> {
  const write = async (): Promise<void> => {
    for (let n = 0; n < ROWS_OF_A_WRITER; n += 1) {
      await database.mongo.payments.insertOne(makePayment({ m: tenant }));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

describe('readPage', () => {
  it('returns nothing of another tenant', async () => {
    await fill(newTenant(), 3);
    expect(await read({ filter: { m: newTenant() }, limit: 100 })).toEqual({
      ids: [],
      hasMore: false,
    });
  });

  it.each([
    [2, 3, true],
    [3, 3, false],
    [4, 3, false],
  ])('with a limit of %i of %i returns hasMore: %s', async (limit, count, hasMore) => {
    const tenant = newTenant();
    const all = await fill(tenant, count);
    expect(await read({ filter: { m: tenant }, limit })).toEqual({
      ids: all.slice(0, limit),
      hasMore,
    });
    const oldest = all.at(-1)!;
    const newer = await read({ filter: { m: tenant }, limit: limit - 1, endingBefore: oldest });
    expect(newer).toEqual({ ids: all.slice(0, -1).slice(-(limit - 1)), hasMore });
  });

  it.each([
    [1, 40],
    [20, 130],
    [100, 230],
  ])(
    'reads pages of %i in both directions over %i rows during other writes',
    async (limit, count) => {
      const tenant = newTenant();
      const all = await fill(tenant, count);
      const existed = new Set(all);
      const [older] = await Promise.all([walk(tenant, limit), writeAlong(tenant)]);
      expect(older.filter((id) => existed.has(id))).toEqual(all);
      expect(new Set(older).size).toBe(older.length);
      const [newer] = await Promise.all([walk(tenant, limit, all.at(-1)), writeAlong(tenant)]);
      expect(newer.filter((id) => existed.has(id))).toEqual(all.slice(0, -1));
      expect(new Set(newer).size).toBe(newer.length);
    },
  );

  it('limits a list to a range of times', async () => {
    const tenant = newTenant();
    const days = [1, 2, 3, 4].map((day) => {
      const id = firstIdAt('payment', Date.UTC(2026, 0, day));
      return makePayment({ m: tenant, _id: id.slice(0, -4) + mintId('payment').slice(-4) });
    });
    await insertAll(database.mongo.payments, days);
    const [, second = '', third = ''] = idsOf(days);
    const from = firstIdAt('payment', Date.UTC(2026, 0, 2));
    const below = firstIdAt('payment', Date.UTC(2026, 0, 4));
    const query = { filter: { m: tenant }, limit: 10, ids: { from, below } };
    expect((await read(query)).ids).toEqual([third, second]);
    expect((await read({ ...query, startingAfter: third })).ids).toEqual([second]);
    expect((await read({ ...query, startingAfter: below })).ids).toEqual([third, second]);
    expect((await read({ ...query, endingBefore: second })).ids).toEqual([third]);
    const first = days[0]?._id;
    expect((await read({ ...query, endingBefore: first })).ids).toEqual([third, second]);
  });

  it('filters by one value and by several', async () => {
    const tenant = newTenant();
    const statuses = ['created', 'failed', 'created', 'expired'] as const;
    const rows = statuses.map((status) => makePayment({ m: tenant, status }));
    await insertAll(database.mongo.payments, rows);
    const [a, b, c] = idsOf(rows);
    const created = await read({ filter: { m: tenant, status: 'created' }, limit: 1 });
    expect(created).toEqual({ ids: [c], hasMore: true });
    const both = { m: tenant, status: { $in: ['created', 'failed'] } };
    expect((await read({ filter: both, limit: 10 })).ids).toEqual([c, b, a]);
  });
});

describe('readAll', () => {
  const { payments } = database.mongo;

  it('yields every row of the tenant once, without those that are created meanwhile', async () => {
    const tenant = newTenant();
    const ids = await fill(tenant, 60);
    const pieces: Payment[][] = [];
    for await (const rows of readAll(payments, { filter: { m: tenant }, unread: { amount: 0 } })) {
      pieces.push(rows);
      await fill(tenant, 1);
    }
    expect(idsOf(pieces.flat())).toEqual(ids);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.flat().filter((row) => 'amount' in row)).toEqual([]);
  });

  it('yields nothing of a tenant without rows', async () => {
    const pieces = [];
    for await (const rows of readAll(payments, { filter: { m: newTenant() } })) pieces.push(rows);
    expect(pieces).toEqual([]);
  });

  it('yields only rows in the range of ids', async () => {
    const tenant = newTenant();
    const ids = await fill(tenant, 6);
    const query = { filter: { m: tenant }, ids: { from: ids[4], below: ids[1] } };
    const seen: string[] = [];
    for await (const rows of readAll(payments, query)) seen.push(...idsOf(rows));
    expect(seen).toEqual(ids.slice(2, 5));
  });

  it('goes on when the database changes its primary in the middle', async () => {
    const wire = closeAfterTests(await openWire(database.uri));
    const mongo = closeAfterTests(await openMongo({ uri: wire.uri, dbName: database.name }));
    const tenant = newTenant();
    const ids = await fill(tenant, 60);
    const seen: string[] = [];
    for await (const rows of readAll(mongo.payments, { filter: { m: tenant } })) {
      seen.push(...idsOf(rows));
      wire.setRules({ times: 1, reply: failing(11_602, 'InterruptedDueToReplStateChange') });
    }
    expect(seen).toEqual(ids);
    expect(wire.seen.filter((name) => name === 'find').length).toBeGreaterThan(3);
  });
});

describe('countRows', () => {
  it('counts the rows of a query up to its limit', async () => {
    const tenant = newTenant();
    const [newest] = await fill(tenant, 12);
    const count = async (limit: number, ids = {}) =>
      countRows(database.mongo.payments, { filter: { m: tenant }, limit, ids });
    expect([await count(100), await count(5), await count(100, { below: newest })]).toEqual([
      12, 5, 11,
    ]);
  });
});

describe('cursorExists', () => {
  it('is false for ids of other tenants, other kinds, and unknown ids', async () => {
    const { payments } = database.mongo;
    const tenant = newTenant();
    const [id = ''] = await fill(tenant, 1);
    expect(await cursorExists(payments, newTenant(), id)).toBe(false);
    expect(await cursorExists(payments, tenant, mintId('payment'))).toBe(false);
    expect(await cursorExists(payments, tenant, id)).toBe(true);
  });
});
