import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import type { Endpoint } from '../../domain/endpoint.ts';
import { timeOf } from '../../domain/id.ts';
import { ENDPOINT_STATES, MAX_COUNTED, readBacklog } from '../../store/backlog.ts';
import { INDEXES } from '../../store/indexes.ts';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import { queriesOf } from '../support/queries.ts';
import type { Query } from '../support/queries.ts';
import { makeDelivery, makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { useDatabase } from './database.ts';

const database = await useDatabase('backlog');
const { mongo } = database;
const NOW = new Date();
const before = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);
const ids = { m: 'mer_1:test', endpoint_id: 'we_1', event_id: 'evt_1' };
const read = async () => readBacklog(mongo, { now: NOW, maxTimeMS: 30_000 });

const put = async (overrides: Partial<Endpoint>) =>
  mongo.endpoints.insertOne(makeEndpoint({ m: ids.m, ...overrides }));

beforeEach(async () => {
  const { payments, refunds, replays, deliveries, endpoints } = mongo;
  const all = [payments, refunds, replays, deliveries, endpoints];
  await Promise.all(all.map(async (each) => each.deleteMany({})));
});

describe('readBacklog', () => {
  it('returns no due time and no rows of an empty database', async () => {
    expect(await read()).toEqual({
      overdue: { payments: null, refunds: null, replays: null, deliveries: null },
      pending: { count: 0, oldest: null },
      endpoints: { failing: 0, disabled_failing: 0, disabled_gone: 0, disabled_by_merchant: 0 },
    });
  });

  it('returns the first due time of rows that wait, and of no others', async () => {
    const { open: _, ...closed } = makePayment({ due_at: before(90) });
    const payments = [before(60), before(30), before(-30)].map((due_at) => makePayment({ due_at }));
    await mongo.payments.insertMany([closed, ...payments]);
    await mongo.refunds.insertMany([
      makeRefund({ due_at: before(20) }),
      makeRefund({ due_at: before(50), status: 'completed' }),
    ]);
    await mongo.replays.insertOne(makeReplay({ endpoint_id: 'we_1', due_at: before(10) }));
    await mongo.deliveries.insertOne(makeDelivery({ ...ids, next_attempt_at: before(-5) }));
    expect((await read()).overdue).toEqual({
      payments: before(60),
      refunds: before(20),
      replays: before(10),
      deliveries: null,
    });
  });

  it('counts pending deliveries up to its limit, and finds the oldest by its id', async () => {
    const oldest = mintId('delivery');
    const retried = makeDelivery({ ...ids, _id: oldest, next_attempt_at: before(-86_400) });
    const fresh = Array.from({ length: MAX_COUNTED + 20 }, () =>
      makeDelivery({ ...ids, next_attempt_at: before(1) }),
    );
    const ended = makeDelivery({ ...ids, state: 'failed', next_attempt_at: null });
    await mongo.deliveries.insertMany([retried, ended]);
    expect((await read()).pending.count).toBe(1);
    await mongo.deliveries.insertMany(fresh);
    const { pending } = await read();
    expect(pending.count).toBe(MAX_COUNTED);
    expect(pending.oldest!.getTime()).toBeLessThanOrEqual(NOW.getTime() + 60_000);
    expect(pending.oldest).toEqual(new Date(timeOf(oldest)));
  });

  it('counts endpoints by state, and neither working nor deleted ones', async () => {
    const failing = { failing_since: before(60) };
    await put({});
    await put(failing);
    await put({ status: 'disabled', disabled_reason: 'failing', ...failing });
    await put({ status: 'disabled', disabled_reason: 'gone', ...failing });
    await put({ status: 'disabled', disabled_reason: 'merchant' });
    await put({ status: 'disabled', disabled_reason: 'merchant' });
    await put({ status: 'deleted', ...failing });
    expect((await read()).endpoints).toEqual({
      failing: 1,
      disabled_failing: 1,
      disabled_gone: 1,
      disabled_by_merchant: 2,
    });
  });
});

describe('the queries of readBacklog', () => {
  it('have a limit, a time limit, and an index with all their fields', async () => {
    const seen: { query: Query; document: Document }[] = [];
    const { uri, name: dbName } = database;
    const watched = await openMongo({
      uri,
      dbName,
      monitor: (command, document) =>
        seen.push(...queriesOf(mongo, command, document).map((query) => ({ query, document }))),
    });
    await readBacklog(watched, { now: NOW, maxTimeMS: 1_500 });
    await watched.close();
    expect(seen).toHaveLength(5 + ENDPOINT_STATES.length);
    for (const { query, document } of seen) {
      expect(query.limit).toBeLessThanOrEqual(MAX_COUNTED);
      expect(document['maxTimeMS']).toBe(1_500);
      expect(indexesFor(query), JSON.stringify(query)).not.toEqual([]);
    }
  });
});

/** Returns the indexes that have all fields of the query, or require them of their documents. */
function indexesFor({ collection, filter, sort }: Query) {
  return INDEXES[collection].filter(({ key, partialFilterExpression: part = {} }) => {
    const fields = Object.keys(key);
    const required = Object.keys(part);
    const isRequired = required.every((name) => filter[name] === part[name]);
    const asked = Object.keys(filter).filter((name) => !required.includes(name));
    const isPrefix = asked.every((name) => fields.indexOf(name) < asked.length);
    const isFound = asked.every((name) => fields.includes(name)) && isPrefix;
    const isSorted = Object.keys(sort).every((name, nth) => fields[nth] === name);
    return isRequired && isFound && isSorted;
  });
}
