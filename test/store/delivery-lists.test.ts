import { describe, expect, it } from 'vitest';
import type { Delivery, DeliveryAttempt } from '../../domain/delivery.ts';
import { firstIdAt } from '../../domain/id.ts';
import { deliveriesOfEvent, insertResend, listDeliveries } from '../../store/deliveries.ts';
import { mintId } from '../../store/mint.ts';
import { makeEntry } from '../support/audit.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('delivery-lists');
const M = 'mer_1:test';

async function stored(over: Partial<Delivery> = {}): Promise<Delivery> {
  const ids = { m: M, endpoint_id: mintId('endpoint'), event_id: mintId('event') };
  const row = makeDelivery({ ...ids, ...over });
  await database.mongo.deliveries.insertOne(row);
  return row;
}

const attempt: DeliveryAttempt = {
  number: 1,
  at: new Date('2026-01-01T00:00:00Z'),
  duration_ms: 12,
  status: 500,
  error: 'status',
  request: { url: 'https://shop.example/', headers: [['a', 'b']] },
  response: { headers: [], body: 'x'.repeat(16_384), truncated: true },
  timings: { dns: 1, connect: 1, tls: 1, first_byte: 1 },
};

describe('listDeliveries', () => {
  it('returns those of one endpoint in one state, newest first, between two ids', async () => {
    const endpoint_id = mintId('endpoint');
    const rows: string[] = [];
    for (let n = 0; n < 4; n += 1) rows.push((await stored({ endpoint_id, state: 'failed' }))._id);
    await stored({ endpoint_id });
    await stored({ endpoint_id, m: 'mer_2:test', state: 'failed' });
    const filter = { m: M, endpoint_id, state: 'failed' } as const;
    const ids = async (range: Omit<Parameters<typeof listDeliveries>[2], 'limit'>, limit = 10) =>
      (await listDeliveries(database.mongo, filter, { ...range, limit })).map(({ _id }) => _id);
    expect(await ids({})).toEqual(rows.toReversed());
    expect(await ids({}, 2)).toEqual(rows.toReversed().slice(0, 2));
    expect(await ids({ below: rows[2] })).toEqual([rows[1], rows[0]]);
    expect(await ids({ from: rows[1]!, below: rows[3] })).toEqual([rows[2], rows[1]]);
    expect(await ids({ from: firstIdAt('delivery', Date.now() + 60_000) })).toEqual([]);
  });

  it('leaves out what was sent and received', async () => {
    const { m, endpoint_id } = await stored({ attempts: [attempt] });
    const { request: _, response: __, timings: ___, ...line } = attempt;
    const [found] = await listDeliveries(database.mongo, { m, endpoint_id }, { limit: 1 });
    expect(found!.attempts).toEqual([line]);
  });
});

describe('deliveriesOfEvent', () => {
  it('returns those to one endpoint, newest first', async () => {
    const [endpoint_id, event_id] = [mintId('endpoint'), mintId('event')];
    const of = { m: M, endpoint_id, event_id };
    const rows = [await stored(of), await stored(of), await stored(of)];
    await stored({ event_id });
    await stored({ endpoint_id });
    const found = await deliveriesOfEvent(database.mongo, of, 2);
    expect(found.map(({ _id }) => _id)).toEqual([rows[2]!._id, rows[1]!._id]);
  });
});

describe('insertResend', () => {
  it('inserts one of two that have seen the same number of resends, even at once', async () => {
    const first = await stored({ state: 'failed' });
    const resend = async (resends: number | undefined) => {
      const { m, endpoint_id, event_id } = first;
      const row = makeDelivery({ m, endpoint_id, event_id });
      const entry = makeEntry({ action: 'delivery.resend', objectId: first._id });
      return insertResend(database.mongo, row, { of: first._id, resends, entry });
    };
    const both = await Promise.all([resend(0), resend(0)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect([await resend(0), await resend(1), await resend(undefined)]).toEqual([
      false,
      true,
      true,
    ]);
    const { endpoint_id } = first;
    expect(await database.mongo.deliveries.countDocuments({ endpoint_id })).toBe(4);
    const filter = { 'object.id': first._id };
    expect(await database.mongo.auditEntries.countDocuments(filter)).toBe(3);
  });
});
