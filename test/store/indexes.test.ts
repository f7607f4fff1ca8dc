import { beforeAll, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { INDEXES } from '../../store/indexes.ts';
import { mintId } from '../../store/mint.ts';
import { describeOnRealServer, useDatabase } from './database.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('indexes');

/** The name of each collection on the server. */
const ON_SERVER: Record<keyof typeof INDEXES, string> = {
  payments: 'payments',
  refunds: 'refunds',
  events: 'events',
  endpoints: 'webhook_endpoints',
  deliveries: 'deliveries',
  replays: 'replays',
  checks: 'receiver_checks',
  merchants: 'merchants',
  logos: 'logos',
  files: 'page_files',
  users: 'users',
  sessions: 'sessions',
  invites: 'invites',
  passkeys: 'passkeys',
  challenges: 'challenges',
  keys: 'api_keys',
  requests: 'requests',
  auditEntries: 'audit',
  calls: 'api_requests',
  dayStats: 'day_stats',
  statsState: 'stats_state',
};
const COLLECTIONS = Object.keys(ON_SERVER) as (keyof typeof INDEXES)[];

/** Every list of the API and the dashboard's search, with its collection and its filters besides the tenant. */
const LISTS = [
  ['payments', {}],
  ['payments', { status: 'created' }],
  ['payments', { order_id: 'order-1' }],
  ['payments', { order_id: 'order-1', status: 'created' }],
  ['payments', { found_by: '=12500' }],
  ['payments', { found_by: 'customer:4711' }],
  ['refunds', {}],
  ['refunds', { payment_id: 'pay_1' }],
  ['refunds', { status: 'pending' }],
  ['refunds', { payment_id: 'pay_1', status: 'pending' }],
  ['events', {}],
  ['events', { type: 'payment.completed' }],
  ['events', { payment_id: 'pay_1' }],
  ['events', { payment_id: 'pay_1', type: 'payment.completed' }],
  ['endpoints', {}],
  ['deliveries', { endpoint_id: 'we_1' }],
  ['deliveries', { endpoint_id: 'we_1', state: 'pending' }],
  ['replays', { endpoint_id: 'we_1' }],
  ['calls', { tags: '4xx ' }],
] as const;
const NAMED = LISTS.map(
  ([name, filter]) =>
    [`${name} by ${Object.keys(filter).join(' and ') || 'nothing'}`, name, filter] as const,
);

/** Returns the relevant properties of an index, in a comparable form. */
function inShort(index: Document): Document {
  const { key, unique = false, partialFilterExpression, expireAfterSeconds } = index;
  return {
    key: Object.entries(key as object),
    unique,
    partialFilterExpression,
    expireAfterSeconds,
  };
}

const inOrder = (indexes: readonly Document[]): Document[] =>
  indexes.map(inShort).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('INDEXES', () => {
  it.each(COLLECTIONS)('match the indexes on the server: %s', async (name) => {
    const collection = database.raw.collection(ON_SERVER[name]);
    await collection.insertOne({});
    const found = (await collection.indexes()).filter((index) => index.name !== '_id_');
    expect(inOrder(found)).toEqual(inOrder(INDEXES[name]));
  });

  it.each(NAMED)('support the list of %s: tenant, filter, then id', (_, name, filter) => {
    const wanted = ['m', ...Object.keys(filter).toSorted(), '_id'];
    const offered = INDEXES[name].map(({ key }) => Object.keys(key));
    const sorted = offered.map(([first, ...rest]) => [
      first,
      ...rest.slice(0, -1).toSorted(),
      rest.at(-1),
    ]);
    expect(sorted).toContainEqual(wanted);
  });
});

interface Explained {
  queryPlanner: { winningPlan: Document };
  executionStats: { totalKeysExamined: number; totalDocsExamined: number };
}

const ROWS = 400;
const LIMIT = 20;

const onRealServer = await describeOnRealServer(database);

onRealServer('a list on a real server', () => {
  const tenant = tenantOf(mintId('merchant'), 'test');

  beforeAll(async () => {
    for (const [name, filter] of LISTS) {
      const rows = Array.from({ length: ROWS }, (_, n) => ({
        _id: `${mintId('payment')}${name}`,
        ...(n % 2 ? filter : {}),
        m: tenant,
        checkout_token: mintId('payment'),
        cause: mintId('event'),
      }));
      await database.raw.collection<Document & { _id: string }>(ON_SERVER[name]).insertMany(rows);
    }
  });

  it.each(NAMED)(
    'reads one page at most and sorts nothing in memory: %s',
    async (_, name, filter) => {
      for (const _id of [1, -1] as const) {
        const found = database.raw
          .collection(ON_SERVER[name])
          .find({ m: tenant, ...filter }, { sort: { _id }, limit: LIMIT + 1 });
        const plan = (await found.explain('executionStats')) as unknown as Explained;
        expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(LIMIT + 1);
        expect(plan.executionStats.totalDocsExamined).toBeLessThanOrEqual(LIMIT + 1);
        expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
      }
    },
  );
});
