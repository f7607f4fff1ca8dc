import { describe, expect, it } from 'vitest';
import { ENDPOINT_LIST } from '../../api/endpoints.ts';
import { EVENT_LIST } from '../../api/events.ts';
import { PAYMENT_LIST } from '../../api/payments.ts';
import { REFUND_LIST } from '../../api/refunds.ts';
import type { Payment } from '../../domain/payment.ts';
import { searchTerms } from '../../domain/search.ts';
import { mintId } from '../../store/mint.ts';
import { INDEXES } from '../../store/indexes.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeTenant, openStand } from './harness.ts';

const { mongo, api } = await openStand('lists');

/** Inserts payments of a new merchant, oldest first. */
async function fill(count: number, overrides: (index: number) => Partial<Payment> = () => ({})) {
  const owner = await makeTenant(mongo);
  const rows = Array.from({ length: count }, (_, index) =>
    makePayment({ merchant_id: owner.merchantId, m: owner.m, ...overrides(index) }),
  );
  await mongo.payments.insertMany(rows.map((row) => ({ ...row, found_by: searchTerms(row) })));
  return { owner, rows, client: api.as(owner) };
}

const idsOf = (list: { data: { id: string }[] }): string[] => list.data.map(({ id }) => id);

describe('a list', () => {
  it('has 20 objects, newest first, and a link to the next page', async () => {
    const { rows, client } = await fill(23);
    const reply = await client.send('GET', '/v1/payments');
    const expected = rows.map(({ _id }) => _id).toReversed();
    expect(Object.keys(reply.json)).toEqual(['object', 'url', 'has_more', 'data']);
    expect(reply.json).toMatchObject({ object: 'list', url: '/v1/payments', has_more: true });
    expect(idsOf(reply.json)).toEqual(expected.slice(0, 20));
    expect(reply.headers.get('link')).toBe(
      `<https://api.example/v1/payments?starting_after=${expected[19]}>; rel="next"`,
    );
  });

  it('is empty for a merchant without objects', async () => {
    const reply = await api.as(await makeTenant(mongo)).send('GET', '/v1/payments');
    expect(reply.json).toEqual({ object: 'list', url: '/v1/payments', has_more: false, data: [] });
    expect(reply.headers.has('link')).toBe(false);
  });

  it('keeps its filters in the link', async () => {
    const { client } = await fill(3);
    const query = 'status=created&limit=2&created_at[gte]=2020-01-01T00:00:00Z';
    const first = await client.send('GET', `/v1/payments?${query}`);
    const next = /<https:\/\/api\.example(.*)>; rel="next"/.exec(first.headers.get('link') ?? '');
    const second = await client.send('GET', next?.[1] ?? '');
    expect(second.json).toMatchObject({ has_more: false, data: [{ status: 'created' }] });
    expect(second.json.data).toHaveLength(1);
  });

  it.each([1, 7, 100])('is complete in pages of %i while others write', async (limit) => {
    const { owner, rows, client } = await fill(30);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = (await client.send('GET', `/v1/payments?limit=${limit}${cursor}`)).json;
      seen.push(...idsOf(page));
      await mongo.payments.insertOne(makePayment({ merchant_id: owner.merchantId, m: owner.m }));
      if (!page.has_more) break;
      cursor = `&starting_after=${seen.at(-1)}`;
    }
    expect(seen).toEqual(rows.map(({ _id }) => _id).toReversed());
  });

  it('is read towards newer objects with ending_before, each page newest first', async () => {
    const { rows, client } = await fill(10);
    const ids = rows.map(({ _id }) => _id);
    const seen = [ids[0]!];
    for (;;) {
      const path = `/v1/payments?limit=4&ending_before=${seen.at(-1)}`;
      const { json: page, headers } = await client.send('GET', path);
      seen.push(...idsOf(page).toReversed());
      expect(headers.get('link')?.endsWith('rel="prev"') ?? false).toBe(page.has_more);
      if (!page.has_more) break;
    }
    expect(seen).toEqual(ids);
  });

  it('never shows objects of another merchant or of the other mode', async () => {
    const { owner, client } = await fill(2);
    await fill(2);
    await mongo.payments.insertOne(
      makePayment({ merchant_id: owner.merchantId, livemode: true, status: 'completed' }),
    );
    const { json } = await client.send('GET', '/v1/payments?limit=100');
    expect(json.data).toHaveLength(2);
  });

  it.each([
    ['status=completed', [1, 4]],
    ['status=completed,failed', [1, 2, 4, 5]],
    ['status=completed,completed', [1, 4]],
    ['order_id=b', [1, 3, 5]],
    ['order_id=b&status=failed', [5]],
    ['order_id=b&status=failed,created', [3, 5]],
    ['order_id=none', []],
    ['order_id=b&limit=1&status=completed,failed', [5]],
    ['metadata.customer=4711', [0, 2, 4]],
    ['metadata.customer=4711&limit=1', [4]],
    ['metadata.Customer=%20ANN%20%20s', [1, 3, 5]],
    ['metadata.a.b=x', [0, 1, 2, 3, 4, 5]],
    ['metadata.a=b:x', []],
    ['metadata.customer=471', []],
    [`metadata.long=${'v'.repeat(73)}`, []],
  ])('is filtered by %s', async (query, expected) => {
    const statuses = ['created', 'completed', 'failed'] as const;
    const { rows, client } = await fill(6, (index) => ({
      status: statuses[index % 3]!,
      order_id: index % 2 === 0 ? 'a' : 'b',
      metadata: {
        customer: index % 2 === 0 ? '4711' : 'Ann S',
        'a.b': 'x',
        long: 'v'.repeat(100),
      },
    }));
    const { json } = await client.send('GET', `/v1/payments?${query}`);
    const found = idsOf(json).map((id) => rows.findIndex(({ _id }) => _id === id));
    expect(found.toReversed()).toEqual(expected);
  });

  it.each([
    ['created_at[gte]=2026-01-01T00:00:01.000Z', [1, 2, 3]],
    ['created_at[gt]=2026-01-01T00:00:01.000Z', [2, 3]],
    ['created_at[lte]=2026-01-01T00:00:01.000Z', [0, 1]],
    ['created_at[lt]=2026-01-01T00:00:01.000Z', [0]],
    ['created_at[gte]=2026-01-01T00:00:01.0001Z', [2, 3]],
    ['created_at[lt]=2026-01-01T00:00:01.0001Z', [0, 1]],
    ['created_at[gt]=2026-01-01T00:00:00Z&created_at[lt]=2026-01-01T00:00:02Z', [1]],
    ['created_at[gte]=2026-01-01T04:00:03%2B04:00&status=created', [3]],
    ['created_at[lt]=1969-01-01T00:00:00Z', []],
    ['created_at[gte]=9999-12-31T23:59:59Z', []],
  ])('is limited by %s', async (query, expected) => {
    // The time part of ids that were minted one second apart.
    const times = ['01KDVDNA00', '01KDVDNAZ8', '01KDVDNBYG', '01KDVDNCXR'];
    const { rows, client } = await fill(4, (index) => ({
      _id: `pay_${times[index]}${mintId('payment').slice(14)}`,
    }));
    const { json } = await client.send('GET', `/v1/payments?${query}`);
    const found = idsOf(json).map((id) => rows.findIndex(({ _id }) => _id === id));
    expect(found.toReversed()).toEqual(expected);
  });
});

describe('every combination of filters', () => {
  const lists = [
    ['payments', PAYMENT_LIST],
    ['refunds', REFUND_LIST],
    ['events', EVENT_LIST],
    ['endpoints', ENDPOINT_LIST],
  ] as const;
  const offered = lists.flatMap(([collection, spec]) =>
    spec.combinations.map((filters) => ({ collection, spec, filters })),
  );

  it.each(offered)(
    '$collection by $filters is the prefix of an index',
    ({ collection, spec, filters }) => {
      const served = INDEXES[collection].some(({ key, partialFilterExpression }) => {
        const fields = Object.keys(key);
        const prefix = fields.slice(0, filters.length + 1);
        const names = filters.map((name) => spec.filters[name]?.field ?? name);
        const isPrefix = ['m', ...names].every((name) => prefix.includes(name));
        return isPrefix && fields[filters.length + 1] === '_id' && !partialFilterExpression;
      });
      expect(served).toBe(true);
    },
  );

  it('is refused if no index supports it', () => {
    const names = Object.keys(PAYMENT_LIST.filters);
    expect(PAYMENT_LIST.combinations).not.toContainEqual(names);
  });
});
