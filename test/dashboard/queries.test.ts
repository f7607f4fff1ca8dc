/** Every page is served by indexes, in a few queries, whatever the number of rows. */
import { describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { isServed, queriesOf, shapeOf } from '../support/queries.ts';
import type { Query } from '../support/queries.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { openGround } from './harness.ts';
import { seed } from './seed.ts';
import { addressOf, pageRoutes } from './visit.ts';

const commands: (readonly [name: string, document: Document])[] = [];
const ground = await openGround('dashboard-queries', {
  sealer,
  monitor: (name, document) => commands.push([name, document]),
});
const { owner, ids } = await seed(ground);
const { endpoint, payment, event, delivery } = ids;

/** The queries that every page of the staff makes first. */
const FRAME = ['sessions by _id; all', 'users by _id', 'merchants by _id; all'];
/** The most queries of a page besides those. */
const FEW = 3;

/** The pages with more queries, with the reason. */
const MORE: Readonly<Record<string, readonly [queries: number, reason: string]>> = {
  '/': [
    7,
    'the counts, the young events and payments, the place of counting twice, endpoints, passkeys',
  ],
  '/payments/:id': [7, 'everything about a payment: one query for each collection'],
  '/webhooks': [7, 'for each endpoint its newest deliveries, and maybe its last success'],
  '/deliveries/:id': [4, 'the delivery, its event, its endpoint, and the others of the event'],
  '/webhooks/explain of a delivery': [
    4,
    'as above, and the other endpoints, whose secrets may fit',
  ],
};

const OF_EVENT =
  'an event has one delivery to each endpoint, and one for each time it is sent again';

/** Queries that leave something to compare or to sort, with the reason why that is little. */
const SMALL: Readonly<Record<string, string>> = {
  'dayStats by _id; all': 'a row for each of 30 days',
  'endpoints by m, status; sorted by _id': 'endpoints are made and deleted by hand',
  'deliveries by event_id, m; sorted by _id': OF_EVENT,
  'deliveries by event_id, m, endpoint_id; sorted by _id': OF_EVENT,
  'deliveries by event_id, state': OF_EVENT,
  'auditEntries by object.id, merchant_id; sorted by _id': 'an object has one merchant',
  'keys by merchant_id, revoked_at, $or; all': 'keys are made by hand',
  'keys by merchant_id, $or; sorted by _id': 'keys are made by hand',
  'users by merchant_id; sorted by _id; all': 'a team',
  'sessions by user_id; all': 'a user has 50 sessions at most',
  'passkeys by user_id; all': 'a user has 20 passkeys at most, and a team 100 people',
  'invites by merchant_id, expires_at; all': 'a team, and links expire',
};

/** Addresses of the same pages with searches, filters and places in the list, and downloads. */
const VARIANTS: Readonly<Record<string, string>> = {
  '/payments by status': '/payments?status=completed',
  '/payments by days': '/payments?from=2026-01-01&to=2030-01-01',
  '/payments after one': `/payments?after=${payment}`,
  '/payments before one': `/payments?before=${payment}&status=completed`,
  '/payments of an order': '/payments?q=order-1000&status=created',
  '/payments of a part of an order id': '/payments?q=%23Order+1000',
  '/payments of a card or an amount': '/payments?q=4444&from=2026-01-01',
  '/payments of metadata': '/payments?q=basket:b-3',
  '/payments/:id by search': `/payments?q=${payment}`,
  '/webhooks/:id/deliveries by state': `/webhooks/${endpoint}/deliveries?state=failed`,
  '/webhooks/:id/deliveries after one': `/webhooks/${endpoint}/deliveries?after=${delivery}`,
  '/webhooks/explain of a delivery': `/webhooks/explain?delivery=${delivery}`,
  '/exports of payments': '/exports?kind=payments&status=completed',
  '/exports of refunds': `/exports?kind=refunds&payment_id=${payment}`,
  '/exports of deliveries': `/exports?kind=deliveries&endpoint=${endpoint}&state=failed`,
  '/exports/payments.csv': '/exports/payments.csv?order_id=order-1000',
  '/exports/refunds.csv': '/exports/refunds.csv?status=completed',
  '/exports/deliveries.csv': `/exports/deliveries.csv?endpoint=${endpoint}`,
  '/developers/events by type': `/developers/events?type=payment.completed&after=${event}`,
  '/developers/requests by status': '/developers/requests?status=4xx&path=/v1/payments',
};

/** Returns the queries of a page that is opened by the owner, without those of its frame. */
async function queries(address: string): Promise<Query[]> {
  commands.length = 0;
  const { status } = await owner.get(address);
  expect([200, 303]).toContain(status);
  const all = commands
    // The use of a session is recorded once a minute.
    .filter(([name]) => name !== 'update')
    .flatMap(([name, document]) => queriesOf(ground.mongo, name, document));
  const frame = all.slice(0, FRAME.length).map(shapeOf);
  return frame.join() === FRAME.join() ? all.slice(FRAME.length) : all;
}

describe.each([
  ...pageRoutes().map((route) => [route, addressOf(route, ids)] as const),
  ...Object.entries(VARIANTS),
])('%s', (route, address) => {
  it('makes few queries, each served by an index', async () => {
    const all = await queries(address);
    const unserved = all.filter((query) => !isServed(query)).map(shapeOf);
    expect(unserved.filter((shape) => !Object.hasOwn(SMALL, shape))).toEqual([]);
    const [count] = MORE[route] ?? [FEW];
    expect(all.map(shapeOf).slice(count)).toEqual([]);
  });
});

describe('a query is not served by an index', () => {
  const m = 'mer_1:test';
  const sort = { _id: -1 };
  it.each([
    ['of all rows', {}, sort],
    ['of a field without an index', { m, currency: 'AMD' }, sort],
    ['without the tenant', { status: 'failed' }, sort],
    ['that sorts by another field', { m }, { created_at: -1 }],
    ['that sorts in two directions', { m }, { _id: -1, amount: 1 }],
    ['with a range before the sort', { m, status: { $gt: 'a' } }, sort],
    ['that excludes a value', { m, status: { $ne: 'failed' } }, sort],
    ['of a text that is a part', { m, order_id: /1/ }, sort],
  ])('%s', (_, filter, order) => {
    expect(isServed({ collection: 'payments', filter, sort: order, limit: 1 })).toBe(false);
  });

  it('without a limit', () => {
    const all = { collection: 'payments', filter: { m }, sort: {}, limit: Infinity } as const;
    expect(isServed(all)).toBe(false);
    expect(isServed({ ...all, filter: { _id: { $in: ['pay_1', 'pay_2'] } } })).toBe(true);
  });

  it.each([
    ['of a tenant', { m, _id: { $lt: 'pay_1' } }, sort],
    ['of some statuses', { m, status: { $in: ['failed', 'expired'] } }, { _id: 1 }],
    ['of an id with a tenant', { _id: 'pay_1', m }, {}],
    ['of a range of ids', { _id: { $gt: 'pay_1' } }, { _id: 1 }],
  ])('unless it is one %s', (_, filter, order) => {
    expect(isServed({ collection: 'payments', filter, sort: order, limit: 1 })).toBe(true);
  });
});
