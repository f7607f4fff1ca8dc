import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { mintId } from '../../store/mint.ts';
import { INDEXES, duplicateOf, isUnavailable, openMongo } from '../../store/mongo.ts';
import { insist } from '../support/insist.ts';
import { makePayment } from '../support/payment.ts';
import { describeOnRealServer, rejection, useDatabase } from './database.ts';

const database = useDatabase('mongo');

/** Where each of our collections lies on the server. */
const ON_SERVER: Record<keyof typeof INDEXES, string> = {
  payments: 'payments',
  refunds: 'refunds',
  events: 'events',
  endpoints: 'webhook_endpoints',
  deliveries: 'deliveries',
  replays: 'replays',
  merchants: 'merchants',
  users: 'users',
  keys: 'api_keys',
  requests: 'requests',
};
const COLLECTIONS = Object.keys(ON_SERVER) as (keyof typeof INDEXES)[];

/** Every list that is offered: its collection, and what it can be filtered by besides `m`. */
const LISTS = [
  ['payments', {}],
  ['payments', { status: 'created' }],
  ['payments', { order_id: 'order-1' }],
  ['payments', { order_id: 'order-1', status: 'created' }],
  ['refunds', {}],
  ['refunds', { payment_id: 'pay_1' }],
  ['refunds', { status: 'pending' }],
  ['events', {}],
  ['events', { type: 'payment.completed' }],
  ['events', { payment_id: 'pay_1' }],
  ['endpoints', {}],
  ['deliveries', { endpoint_id: 'we_1' }],
  ['deliveries', { endpoint_id: 'we_1', state: 'pending' }],
  ['replays', { endpoint_id: 'we_1' }],
] as const;
const NAMED = LISTS.map(
  ([name, filter]) =>
    [`${name} by ${Object.keys(filter).join(' and ') || 'nothing'}`, name, filter] as const,
);

/** What of an index matters, in a form that can be compared. */
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
  it.each(COLLECTIONS)('all exist on the server, and no others: %s', async (name) => {
    const collection = database.raw.collection(ON_SERVER[name]);
    await collection.insertOne({});
    const found = (await collection.indexes()).filter((index) => index.name !== '_id_');
    expect(inOrder(found)).toEqual(inOrder(INDEXES[name]));
  });

  it.each(NAMED)('serve the list of %s: tenant, filter, then id', (_, name, filter) => {
    const wanted = ['m', ...Object.keys(filter).toSorted(), '_id'];
    const offered = INDEXES[name].map(({ key }) => Object.keys(key));
    const sorted = offered.map(([first, ...rest]) => [
      first,
      ...rest.slice(0, -1).toSorted(),
      rest.at(-1),
    ]);
    expect(sorted).toContainEqual(wanted);
  });

  it('are made once more without harm', async () => {
    const again = await openMongo({ uri: database.uri, dbName: database.name });
    await again.close();
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
  const m = `${mintId('merchant')}:test`;

  beforeAll(async () => {
    for (const [name, filter] of LISTS) {
      const rows = Array.from({ length: ROWS }, (_, n) => ({
        _id: `${mintId('payment')}${name}`,
        ...(n % 2 ? filter : {}),
        m,
        checkout_token: mintId('payment'),
        cause: mintId('event'),
      }));
      await database.raw.collection<Document & { _id: string }>(ON_SERVER[name]).insertMany(rows);
    }
  });

  it.each(NAMED)('reads no more than a page and sorts nothing: %s', async (_, name, filter) => {
    for (const _id of [1, -1] as const) {
      const found = database.raw
        .collection(ON_SERVER[name])
        .find({ m, ...filter }, { sort: { _id }, limit: LIMIT + 1 });
      const plan = (await found.explain('executionStats')) as unknown as Explained;
      expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(LIMIT + 1);
      expect(plan.executionStats.totalDocsExamined).toBeLessThanOrEqual(LIMIT + 1);
      expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
    }
  });
});

describe('openMongo', () => {
  it('rejects within 3 s when no server answers, and says that it is unavailable', async () => {
    const begun = Date.now();
    const error = await rejection(openMongo({ uri: 'mongodb://127.0.0.1:1/?replicaSet=none' }));
    expect(isUnavailable(error)).toBe(true);
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  it('answers a ping until it is closed', async () => {
    const mongo = await openMongo({ uri: database.uri, dbName: database.name });
    await mongo.ping();
    await mongo.close();
    expect(isUnavailable(await rejection(mongo.ping()))).toBe(true);
  });
});

describe('isUnavailable', () => {
  it('knows a broken connection by its code, whoever made the error', () => {
    expect(isUnavailable({ name: 'Error', code: 'EPIPE', message: 'ended' })).toBe(true);
    for (const other of [null, undefined, 'EPIPE', { code: 11_000 }, new Error('EPIPE')]) {
      expect(isUnavailable(other)).toBe(false);
    }
  });
});

describe('transact', () => {
  it('writes nothing when its body throws, and passes the error on', async () => {
    const { mongo } = database;
    const fault = new Error('halfway');
    const [a, b] = [makePayment(), makePayment()];
    const aborted = mongo.transact(async (session) => {
      await mongo.payments.insertOne(a, { session });
      await mongo.payments.insertOne(b, { session });
      throw fault;
    });
    expect(await rejection(aborted)).toBe(fault);
    expect(await mongo.payments.countDocuments({ _id: { $in: [a._id, b._id] } })).toBe(0);
  });

  it('writes nothing when an index refuses a part of it', async () => {
    const { mongo } = database;
    const [a, b] = [makePayment(), makePayment()];
    const taken = { ...makePayment(), checkout_token: b.checkout_token };
    await mongo.payments.insertOne(taken);
    const refused = mongo.transact(async (session) => {
      await mongo.payments.insertOne(a, { session });
      await mongo.payments.insertOne(b, { session });
    });
    expect(duplicateOf(await rejection(refused))).toBe('checkout_token');
    expect(await mongo.payments.countDocuments({ _id: a._id })).toBe(0);
  });

  it('shows nothing of itself until it is whole', async () => {
    const { mongo } = database;
    const row = makePayment();
    const seen = await mongo.transact(async (session) => {
      await mongo.payments.insertOne(row, { session });
      return mongo.payments.countDocuments({ _id: row._id });
    });
    expect(seen).toBe(0);
    expect(await mongo.payments.countDocuments({ _id: row._id })).toBe(1);
  });

  it('runs again after a conflict, so that no change is lost', async () => {
    const { mongo } = database;
    const row = makePayment({ amount: 0 });
    await mongo.payments.insertOne(row);
    const add = async (): Promise<void> =>
      mongo.transact(async (session) => {
        const read = await mongo.payments.findOne({ _id: row._id }, { session });
        const amount = (read?.amount ?? 0) + 1;
        await mongo.payments.updateOne({ _id: row._id }, { $set: { amount } }, { session });
      });
    await Promise.all(Array.from({ length: 8 }, async () => insist(add)));
    expect((await mongo.payments.findOne({ _id: row._id }))?.amount).toBe(8);
  });
});

describe('duplicateOf', () => {
  it.each([new Error('another'), undefined, { code: 11_000, keyPattern: { m: 1 } }])(
    'is nothing for what no index refused',
    (error) => expect(duplicateOf(error)).toBeUndefined(),
  );
});

describe('isUnavailable', () => {
  it.each([new Error('another'), undefined, 'MongoNetworkError'])('is not: %s', (error) => {
    expect(isUnavailable(error)).toBe(false);
  });

  it('is not what the server refused', async () => {
    const row = makePayment();
    await database.mongo.payments.insertOne(row);
    const refusal = await rejection(database.mongo.payments.insertOne(row));
    expect(isUnavailable(refusal)).toBe(false);
  });
});
