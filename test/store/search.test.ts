import { describe, expect, it } from 'vitest';
import { readSearch, searchTerms } from '../../domain/search.ts';
import type { Payment } from '../../domain/payment.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { mintId } from '../../store/mint.ts';
import { searchPayments } from '../../store/search.ts';
import type { SearchQuery } from '../../store/search.ts';
import { insertAll } from '../support/insert.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('search');
const { mongo } = database;

const newTenant = (): string => tenantOf(mintId('merchant'), 'test');

/** Inserts payments in this order. Returns their ids, newest first. */
async function put(tenant: string, all: readonly Partial<Payment>[]): Promise<string[]> {
  const rows = all.map((each) => makePayment({ m: tenant, ...each }));
  await insertAll(
    mongo.payments,
    rows.map((row) => ({ ...row, found_by: searchTerms(row) })),
  );
  return rows.map(({ _id }) => _id).toReversed();
}

async function search(tenant: string, text: string, query: Partial<SearchQuery> = {}) {
  const readings = readSearch(text);
  const { rows, next } = await searchPayments(mongo, { tenant, readings, limit: 3, ...query });
  return { ids: rows.map(({ _id }) => _id), next };
}

/** Reads all pages from the newest on. */
async function walk(tenant: string, text: string, query: Partial<SearchQuery> = {}) {
  const seen: string[] = [];
  let pages = 0;
  for (let after: string | undefined; ; pages += 1) {
    const { ids, next } = await search(tenant, text, { ...query, startingAfter: after });
    seen.push(...ids);
    if (next === null) return { seen, pages: pages + 1 };
    after = next;
  }
}

/** Runs `during`, and returns every filter of a query for payments. */
async function filtersOf(during: () => Promise<unknown>): Promise<unknown[]> {
  const filters: unknown[] = [];
  const { payments } = mongo;
  const find = payments.find.bind(payments);
  payments.find = ((filter: object, options: object) => {
    filters.push(filter);
    return find(filter, options);
  }) as typeof payments.find;
  await during();
  Reflect.deleteProperty(payments, 'find');
  return filters;
}

describe('searchPayments', () => {
  it('merges the readings of a text, newest first, each payment once', async () => {
    const tenant = newTenant();
    const card = { brand: 'visa', last4: '4242' };
    const ids = await put(tenant, [
      { order_id: '4242' },
      { attempts: [makeAttempt({ card })] },
      { amount: 4_242 },
      { order_id: 'other' },
      { order_id: '4242', amount: 4_242, attempts: [makeAttempt({ card })] },
    ]);
    expect((await walk(tenant, '4242')).seen).toEqual(ids.filter((id) => id !== ids[1]));
  });

  it('finds a part of an order id beside cards and amounts, and an order once', async () => {
    const tenant = newTenant();
    const card = { brand: 'visa', last4: '1042' };
    const ids = await put(tenant, [
      { order_id: 'order-1042' },
      { order_id: 'ORDER-1042', amount: 1_042 },
      { attempts: [makeAttempt({ card })] },
      { order_id: 'order-10420' },
    ]);
    expect((await walk(tenant, '1042')).seen).toEqual(ids.slice(1));
    expect((await walk(tenant, 'Order 1042')).seen).toEqual(ids.slice(2));
    expect((await walk(tenant, '•••• 1042')).seen).toEqual(ids.slice(1, 2));
  });

  it('asks one index range for each reading, and none for anything else', async () => {
    const tenant = newTenant();
    const read = async (text: string, query: Partial<SearchQuery> = {}) =>
      filtersOf(async () => search(tenant, text, query));
    expect(await read('4242')).toEqual([
      { m: tenant, order_id: '4242' },
      { m: tenant, found_by: '*4242' },
      { m: tenant, found_by: '=4242' },
    ]);
    expect(await read('#1042')).toEqual([
      { m: tenant, order_id: '#1042' },
      { m: tenant, order_id: '1042' },
      { m: tenant, found_by: '*1042' },
    ]);
    expect(await read('Order 1042')).toEqual([
      { m: tenant, order_id: 'Order 1042' },
      { m: tenant, found_by: '*order1042' },
      { m: tenant, found_by: '*1042' },
    ]);
    expect(await read('125.00 USD', { status: 'failed' })).toEqual([
      { m: tenant, order_id: '125.00 USD', status: 'failed' },
      { m: tenant, found_by: '=125' },
    ]);
    expect(await read('basket:b-77', { startingAfter: 'pay_2', ids: { from: 'pay_1' } })).toEqual([
      { m: tenant, order_id: 'basket:b-77', _id: { $gte: 'pay_1', $lt: 'pay_2' } },
      { m: tenant, found_by: 'basket:b-77', _id: { $gte: 'pay_1', $lt: 'pay_2' } },
      { m: tenant, found_by: '*basketb77', _id: { $gte: 'pay_1', $lt: 'pay_2' } },
    ]);
  });

  it('finds nothing of another tenant', async () => {
    const tenant = newTenant();
    await put(newTenant(), [{ order_id: 'order-9', amount: 777, metadata: { a: 'b' } }]);
    for (const text of ['order-9', '777', 'a:b']) {
      expect(await search(tenant, text)).toEqual({ ids: [], next: null });
    }
  });

  it('pages in both directions to the same rows', async () => {
    const tenant = newTenant();
    const ids = await put(
      tenant,
      Array.from({ length: 8 }, (_, n) => (n % 2 ? { amount: 99 } : { order_id: '99' })),
    );
    expect((await walk(tenant, '99')).seen).toEqual(ids);
    const back = await search(tenant, '99', { endingBefore: ids[7] });
    expect(back).toEqual({ ids: ids.slice(4, 7), next: ids[4] });
    const more = await search(tenant, '99', { endingBefore: ids[2] });
    expect(more).toEqual({ ids: ids.slice(0, 2), next: null });
  });

  it('stops after 500 rows of a status that is rare, and continues from there', async () => {
    const tenant = newTenant();
    const rows = Array.from({ length: 601 }, (_, n) => ({
      status: n % 300 === 0 ? ('failed' as const) : ('completed' as const),
    }));
    const ids = await put(tenant, rows);
    const first = await search(tenant, '12500', { status: 'failed' });
    expect(first).toEqual({ ids: [ids[0], ids[300]], next: ids[499] });
    const { seen, pages } = await walk(tenant, '12500', { status: 'failed' });
    expect([seen, pages]).toEqual([[ids[0], ids[300], ids[600]], 2]);
  });

  it('shows no row beyond the place where another reading stopped', async () => {
    const tenant = newTenant();
    const old = await put(tenant, [{ order_id: '12500', amount: 1, status: 'failed' }]);
    const rows = Array.from({ length: 550 }, (_, n) => ({
      status: n === 0 ? ('failed' as const) : ('completed' as const),
    }));
    const ids = await put(tenant, rows);
    const first = await search(tenant, '12500', { status: 'failed' });
    expect(first).toEqual({ ids: [], next: ids[499] });
    const second = await search(tenant, '12500', { status: 'failed', startingAfter: ids[499] });
    expect(second).toEqual({ ids: [ids[549], ...old], next: null });
  });
});
