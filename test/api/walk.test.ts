/** Reads lists from end to end while five writers create and change objects in them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingTemporal, serveApi } from './harness.ts';
import { openDatabase } from '../support/mongo.ts';
import type { RunningApi } from './harness.ts';
import {
  GROUPS,
  isMoved,
  openEventShop,
  openPaymentShop,
  openRefundShop,
  paymentStatusAt,
  refundStatusAt,
  timeAt,
  typeAt,
  whileWriting,
} from './shops.ts';
import type { Shop } from './shops.ts';
import { followLinks, walk } from './walker.ts';
import { closeAfterTests } from '../support/close.ts';

/**
 * A walk can miss or repeat a row only between two pages, so several pages of each list and filter
 * are enough. The stand-in for MongoDB sorts all rows for each page, so long lists would be slow.
 */
const SIZES = {
  standIn: { many: 300, few: 60 },
  real: { many: 10_000, few: 2_000 },
};
type Size = keyof (typeof SIZES)['real'];
const LIMIT_MS = 180_000;

const mongo = closeAfterTests(await openDatabase('walk'));
const info = await mongo.payments.db.admin().command({ buildInfo: 1 });
const sizes = info['secantusVersion'] === undefined ? SIZES.real : SIZES.standIn;
const temporal = recordingTemporal(mongo);
const open = async (): Promise<RunningApi> => serveApi({ secret: '' }, { mongo, temporal });
const cluster = { mongo, temporal, servers: [await open(), await open()] };

afterAll(async () => {
  await Promise.all(cluster.servers.map(async (server) => server.close()));
  await cluster.mongo.close();
});

/** A filter, and the first objects that always fit it, by index. */
interface Filter {
  readonly query: string;
  readonly fits: (index: number) => boolean;
  /** First objects that fit only for a while. They may be found or not. */
  readonly isUnsteady?: boolean;
}

const ALL: Filter = { query: '', fits: () => true };

/** Returns a filter for the time of creation from one object to before another. */
function between(from: number, below: number): Filter {
  const [gte, lt] = [from, below].map((index) => new Date(timeAt(index)).toISOString());
  return {
    query: `created_at[gte]=${gte}&created_at[lt]=${lt}`,
    fits: (n) => timeAt(n) >= timeAt(from) && timeAt(n) < timeAt(below),
  };
}

function both(a: Filter, b: Filter): Filter {
  const isUnsteady = a.isUnsteady === true || b.isUnsteady === true;
  return { query: `${a.query}&${b.query}`, fits: (n) => a.fits(n) && b.fits(n), isUnsteady };
}

/** Walks the list both ways while others write. Checks that every object comes once, in order. */
async function walkBothWays(shop: Shop, path: string, how: { limit: number; filter: Filter }) {
  const { query, fits, isUnsteady = false } = how.filter;
  const expected = shop.ids.filter((_, index) => fits(index));
  expect(expected.length).toBeGreaterThan(how.limit);
  const first = new Set(isUnsteady ? expected : shop.ids);
  const plan = { servers: shop.clients, path, query, limit: how.limit, isSteady: !isUnsteady };
  const newer = { to: 'newer', than: expected[0]! } as const;
  const met = await whileWriting(shop, async () =>
    Promise.all([
      walk({ ...plan, direction: { to: 'older' } }),
      walk({ ...plan, direction: newer }),
    ]),
  );
  const [down = [], up = []] = met.map((ids) => ids.filter((id) => first.has(id)));
  expect(down).toEqual(expected.toReversed());
  expect(up).toEqual(expected.slice(1));
}

const ofOrder = (number: number): Filter => ({
  query: `order_id=order-${number}`,
  fits: (n) => n % GROUPS === number,
});

const payments = (...names: string[]): Filter => ({
  query: `status=${names.join(',')}`,
  fits: (n) => names.includes(paymentStatusAt(n)) && !isMoved(n),
  isUnsteady: names.includes('created'),
});

/** Refunds of writers are pending until they settle them. */
const refunds = (name: string): Filter => ({
  query: `status=${name}`,
  fits: (n) => refundStatusAt(n) === name,
  isUnsteady: name === 'pending',
});

const ofType = (name: string): Filter => ({
  query: `type=${name}`,
  fits: (n) => typeAt(n) === name || typeAt(n).startsWith(name.replace('*', '')),
});

const named = <T extends { filter: Filter; limit: number }>(plans: readonly T[]) =>
  plans.map((plan) => [plan.limit, plan.filter.query || 'nothing', plan] as const);

describe('GET /v1/payments', () => {
  const plans: { size: Size; limit: number; filter: Filter }[] = [
    { size: 'few', limit: 1, filter: ALL },
    { size: 'many', limit: 20, filter: ALL },
    { size: 'many', limit: 100, filter: ALL },
    { size: 'many', limit: 1, filter: ofOrder(7) },
    { size: 'many', limit: 20, filter: ofOrder(7) },
    { size: 'many', limit: 20, filter: payments('failed') },
    { size: 'many', limit: 100, filter: payments('completed', 'failed') },
    { size: 'many', limit: 20, filter: payments('created') },
    { size: 'many', limit: 10, filter: both(ofOrder(1), payments('created')) },
    { size: 'many', limit: 20, filter: between(99, 250) },
    { size: 'many', limit: 1, filter: both(between(99, 150), payments('completed')) },
  ];
  const shops = new Map<Size, Promise<Shop>>();
  const shopOf = async (size: Size): Promise<Shop> => {
    const shop = shops.get(size) ?? openPaymentShop(cluster, sizes[size]);
    shops.set(size, shop);
    return shop;
  };

  it.each(named(plans))(
    'by %i, filtered by %s, has every object once in both directions while others write',
    async (_, __, plan) => walkBothWays(await shopOf(plan.size), '/v1/payments', plan),
    LIMIT_MS,
  );

  it('is the same with Link headers as with cursors', async () => {
    const { clients, ids } = await openPaymentShop(cluster, sizes.few);
    for (const { query } of [payments('completed'), both(ofOrder(3), between(9, 45)), ALL]) {
      const plan = { servers: clients, path: '/v1/payments', query, limit: 2, isSteady: true };
      const start = `/v1/payments?${query}${query && '&'}limit=2`;
      const older = await walk({ ...plan, direction: { to: 'older' } });
      expect(await followLinks(clients[0]!, start)).toEqual(older);
      const newer = await walk({ ...plan, direction: { to: 'newer', than: ids[0]! } });
      const linked = await followLinks(clients[1]!, `${start}&ending_before=${ids[0]}`);
      expect(linked.toSorted()).toEqual(newer);
    }
  });
});

describe('GET /v1/refunds', () => {
  let shop: Awaited<ReturnType<typeof openRefundShop>>;
  beforeAll(async () => {
    shop = await openRefundShop(cluster, sizes.many);
  });

  it.each(
    named([
      { limit: 20, filter: ALL },
      { limit: 100, filter: ALL },
      { limit: 20, filter: refunds('completed') },
      { limit: 20, filter: refunds('pending') },
      { limit: 1, filter: both(between(60, 120), refunds('failed')) },
    ]),
  )(
    'by %i, filtered by %s, has every object once in both directions while others write',
    async (_, __, plan) => walkBothWays(shop, '/v1/refunds', plan),
    LIMIT_MS,
  );

  it('of a payment has every object once', async () => {
    const query = `payment_id=${shop.payments[4]}`;
    const filter = { query, fits: (n: number) => n % GROUPS === 4 };
    await walkBothWays(shop, '/v1/refunds', { limit: 1, filter });
    await walkBothWays(shop, '/v1/refunds', { limit: 20, filter });
  });
});

describe('GET /v1/events', () => {
  let shop: Awaited<ReturnType<typeof openEventShop>>;
  beforeAll(async () => {
    shop = await openEventShop(cluster, sizes.many);
  });

  it.each(
    named([
      { limit: 20, filter: ALL },
      { limit: 100, filter: ALL },
      { limit: 20, filter: ofType('payment.completed') },
      { limit: 100, filter: ofType('payment.*') },
      { limit: 1, filter: both(between(60, 120), ofType('refund.*')) },
    ]),
  )(
    'by %i, filtered by %s, has every object once in both directions while others write',
    async (_, __, plan) => walkBothWays(shop, '/v1/events', plan),
    LIMIT_MS,
  );

  it('of a payment has every object once', async () => {
    const query = `payment_id=${shop.payments[4]}`;
    const filter = { query, fits: (n: number) => n % GROUPS === 4 };
    await walkBothWays(shop, '/v1/events', { limit: 1, filter });
    await walkBothWays(shop, '/v1/events', { limit: 20, filter });
  });
});
