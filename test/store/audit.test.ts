import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import type { Act, AuditEntry } from '../../domain/audit.ts';
import { firstIdAt } from '../../domain/id.ts';
import { insertAudit, listAudit } from '../../store/audit.ts';
import { INDEXES } from '../../store/indexes.ts';
import { at } from '../domain/situation.ts';
import { makeEntry } from '../support/audit.ts';
import { describeOnRealServer, rejection, useDatabase } from './database.ts';

const database = await useDatabase('audit');

beforeEach(async () => {
  await database.raw.collection('audit').deleteMany({});
});

async function stored(act: Partial<Act> = {}, id?: string): Promise<AuditEntry> {
  const entry = makeEntry(act, id);
  const { mongo } = database;
  await mongo.transact(async (session) => insertAudit(mongo, session, entry));
  return entry;
}

const list = async (query: Partial<Parameters<typeof listAudit>[1]> = {}) =>
  listAudit(database.mongo, { limit: 100, ...query });

describe('insertAudit', () => {
  it('writes nothing if the transaction of its act is aborted', async () => {
    const { mongo } = database;
    const fault = new Error('halfway');
    const act = mongo.transact(async (session) => {
      await insertAudit(mongo, session, makeEntry());
      throw fault;
    });
    expect(await rejection(act)).toBe(fault);
    expect((await list()).rows).toEqual([]);
  });

  it('writes one entry if the body of its transaction runs twice', async () => {
    const { mongo } = database;
    const entry = makeEntry();
    for (let run = 0; run < 2; run += 1) {
      const act = mongo.transact(async (session) => insertAudit(mongo, session, entry));
      await act.catch(() => undefined);
    }
    expect((await list()).rows).toEqual([entry]);
  });
});

describe('listAudit', () => {
  it('lists entries newest first, page by page', async () => {
    const all: AuditEntry[] = [];
    for (let n = 0; n < 5; n += 1) all.unshift(await stored());
    const first = await list({ limit: 3 });
    expect(first).toEqual({ rows: all.slice(0, 3), hasMore: true });
    const startingAfter = first.rows.at(-1)?._id;
    expect(await list({ limit: 3, startingAfter })).toEqual({ rows: all.slice(3), hasMore: false });
  });

  it('filters by merchant, by object and by both', async () => {
    const wanted = await stored({ merchantId: 'mer_2', objectId: 'we_2' });
    const sameMerchant = await stored({ merchantId: 'mer_2' });
    await stored();
    expect((await list({ merchantId: 'mer_2' })).rows).toEqual([sameMerchant, wanted]);
    expect((await list({ objectId: 'we_2' })).rows).toEqual([wanted]);
    expect((await list({ merchantId: 'mer_2', objectId: 'we_2' })).rows).toEqual([wanted]);
    expect((await list({ merchantId: 'mer_1', objectId: 'we_2' })).rows).toEqual([]);
  });

  it('lists entries from a time on', async () => {
    await stored({}, firstIdAt('audit', at(1).getTime() - 1));
    const wanted = await stored({}, firstIdAt('audit', at(1).getTime()));
    expect((await list({ since: at(1) })).rows).toEqual([wanted]);
  });

  it.each(['merchant_id', 'object.id'])('has an index for %s', (field) => {
    const keys = INDEXES.auditEntries.map(({ key }) => Object.entries(key as object));
    expect(keys).toContainEqual([
      [field, 1],
      ['_id', -1],
    ]);
  });
});

const ROWS = 400;
const LIMIT = 20;
const onRealServer = await describeOnRealServer(database);

onRealServer('the audit on a real server', () => {
  it.each<[string, Document]>([
    ['nothing', {}],
    ['merchant', { merchant_id: 'mer_1' }],
    ['object', { 'object.id': 'we_1' }],
  ])('reads one page at most and sorts nothing in memory, by %s', async (_, filter) => {
    const rows = Array.from({ length: ROWS }, (__, n) =>
      makeEntry(n % 2 ? {} : { merchantId: 'mer_9', objectId: 'we_9' }),
    );
    await database.mongo.auditEntries.insertMany(rows);
    const found = database.raw
      .collection('audit')
      .find(filter, { sort: { _id: -1 }, limit: LIMIT + 1 });
    const plan = await found.explain('executionStats');
    const { executionStats, queryPlanner } = plan as Record<string, Document>;
    expect(executionStats!['totalDocsExamined']).toBeLessThanOrEqual(LIMIT + 1);
    expect(JSON.stringify(queryPlanner!['winningPlan'])).not.toContain('"SORT"');
  });
});
