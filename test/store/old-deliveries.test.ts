import { expect, it } from 'vitest';
import type { Document, FindCursor } from 'mongodb';
import { firstIdAt } from '../../domain/id.ts';
import { pruneDeliveries } from '../../store/deliveries.ts';
import type { Mongo } from '../../store/mongo.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { describeOnRealServer, useDatabase } from './database.ts';

const database = await useDatabase('old_deliveries');
const ROWS = 200;
const LIMIT = 20;

interface Explained {
  queryPlanner: { winningPlan: Document };
  executionStats: { totalKeysExamined: number; totalDocsExamined: number };
}

const onRealServer = await describeOnRealServer(database);

/** Returns the database, and a list of the queries for deliveries that are made through it. */
function watched(): { mongo: Mongo; queries: FindCursor[] } {
  const queries: FindCursor[] = [];
  const { deliveries } = database.mongo;
  const find = (...args: Parameters<typeof deliveries.find>) => {
    const query = deliveries.find(...args);
    queries.push(query);
    return query;
  };
  const watching = new Proxy(deliveries, {
    get: (target, name) => (name === 'find' ? find : (Reflect.get(target, name) as unknown)),
  });
  return { mongo: { ...database.mongo, deliveries: watching }, queries };
}

onRealServer('pruneDeliveries on a real server', () => {
  it('examines the index keys of one batch, sorts nothing and reads no document', async () => {
    const ids = { m: 'mer_1:test', endpoint_id: 'we_1', event_id: 'evt_1' };
    const pending = Array.from({ length: ROWS }, (_, n) =>
      makeDelivery({ ...ids, _id: firstIdAt('delivery', n) }),
    );
    await database.mongo.deliveries.insertMany(pending);
    const { mongo, queries } = watched();
    const range = { after: firstIdAt('delivery', 5), before: firstIdAt('delivery', ROWS) };
    const done = await pruneDeliveries(mongo, { ...range, limit: LIMIT });
    expect(done).toEqual({ pruned: 0, last: firstIdAt('delivery', 5 + LIMIT) });
    expect(queries).toHaveLength(1);
    const plan = (await queries[0]!.clone().explain('executionStats')) as unknown as Explained;
    expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(LIMIT + 1);
    expect(plan.executionStats.totalDocsExamined).toBe(0);
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
  });
});
