import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { mintId } from '../../store/mint.ts';
import { readAll } from '../../store/stream.ts';
import { insertAll } from '../support/insert.ts';
import { makePayment } from '../support/rows/payment.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('stream');

const newTenant = (): string => tenantOf(mintId('merchant'), 'test');
const idsOf = (rows: readonly Payment[]): string[] => rows.map(({ _id }) => _id);

/** Inserts payments of a tenant, and one of another. Returns the tenant's ids, newest first. */
async function fill(tenant: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => makePayment({ m: tenant }));
  await insertAll(database.mongo.payments, [...rows, makePayment()]);
  return idsOf(rows).toReversed();
}

describe('readAll', () => {
  it('yields every row of the tenant once, without those that are created meanwhile', async () => {
    const tenant = newTenant();
    const ids = await fill(tenant, 25);
    const seen: string[] = [];
    const query = { filter: { m: tenant }, limit: 10, unread: { description: 0 } } as const;
    for await (const rows of readAll(database.mongo.payments, query)) {
      expect(rows.length).toBeLessThanOrEqual(10);
      expect(rows.every((row) => row.description === undefined)).toBe(true);
      seen.push(...idsOf(rows));
      await fill(tenant, 1);
    }
    expect(seen).toEqual(ids);
  });

  it('yields nothing of a tenant without rows', async () => {
    const query = { filter: { m: newTenant() }, limit: 10 };
    for await (const rows of readAll(database.mongo.payments, query)) expect(rows).toEqual([]);
  });

  it('yields only rows in the range of ids', async () => {
    const tenant = newTenant();
    const ids = await fill(tenant, 6);
    const query = { filter: { m: tenant }, limit: 10, ids: { from: ids[4], below: ids[1] } };
    const seen: string[] = [];
    for await (const rows of readAll(database.mongo.payments, query)) seen.push(...idsOf(rows));
    expect(seen).toEqual(ids.slice(2, 5));
  });
});
