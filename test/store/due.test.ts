import { beforeAll, describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import type { DuePlace, DueRange } from '../../store/due.ts';
import { overdueDeliveries } from '../../store/deliveries.ts';
import { mintId } from '../../store/mint.ts';
import { INDEXES } from '../../store/indexes.ts';
import { overduePayments } from '../../store/payments.ts';
import { overdueRefunds } from '../../store/refunds.ts';
import { overdueReplays } from '../../store/replays.ts';
import { findDue } from '../../store/due.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { at } from '../domain/situation.ts';
import { describeOnRealServer, useDatabase } from './database.ts';

const database = await useDatabase('due');

const ids = { m: 'mer_1:test', endpoint_id: 'we_1', event_id: 'evt_1' };

interface Kind {
  readonly name: string;
  readonly collection: 'payments' | 'refunds' | 'replays' | 'deliveries';
  readonly field: 'due_at' | 'next_attempt_at';
  readonly only: Document;
  readonly read: (range: DueRange) => Promise<{ _id: string }[]>;
  readonly make: (due: Date) => Document;
}

const KINDS: readonly Kind[] = [
  {
    name: 'payments',
    collection: 'payments',
    field: 'due_at',
    only: { open: true },
    read: async (range) => overduePayments(database.mongo, range),
    make: (due_at) => makePayment({ due_at }),
  },
  {
    name: 'refunds',
    collection: 'refunds',
    field: 'due_at',
    only: { status: 'pending' },
    read: async (range) => overdueRefunds(database.mongo, range),
    make: (due_at) => makeRefund({ due_at }),
  },
  {
    name: 'replays',
    collection: 'replays',
    field: 'due_at',
    only: { status: 'running' },
    read: async (range) => overdueReplays(database.mongo, range),
    make: (due_at) => makeReplay({ endpoint_id: mintId('endpoint'), due_at }),
  },
  {
    name: 'deliveries',
    collection: 'deliveries',
    field: 'next_attempt_at',
    only: { state: 'pending' },
    read: async (range) => overdueDeliveries(database.mongo, range),
    make: (next_attempt_at) => makeDelivery({ ...ids, next_attempt_at }),
  },
];
const NAMED = KINDS.map((kind) => [kind.name, kind] as const);

/** Several pages of rows that are due at one time, and rows before and after it. */
const MOMENTS = [1, 2, 2, 2, 2, 2, 2, 2, 3, 4];
const PAGE = 3;

async function insert(kind: Kind, rows: Document[]): Promise<void> {
  await database.mongo[kind.collection].insertMany(rows as never);
}

describe('findDue', () => {
  it.each(NAMED)('finds each row once, even if many are due at one time: %s', async (_, kind) => {
    const rows = MOMENTS.map((minute) => kind.make(at(minute)));
    await insert(kind, [...rows, kind.make(at(9))]);
    const found: { _id: string }[] = [];
    let after: DuePlace | null = null;
    for (let page = PAGE; page === PAGE;) {
      const read: { _id: string }[] = await kind.read({ after, before: at(9), limit: PAGE });
      found.push(...read);
      const last = read.at(-1) as (Document & { _id: string }) | undefined;
      if (last) after = { at: last[kind.field] as Date, id: last._id };
      page = read.length;
    }
    const inOrder = rows.toSorted((a, b) => {
      const [x, y] = [a, b].map((row) => `${(row[kind.field] as Date).toISOString()}${row['_id']}`);
      return x! < y! ? -1 : 1;
    });
    expect(found.map(({ _id }) => _id)).toEqual(inOrder.map((row) => row['_id']));
  });

  it.each(NAMED)('has an index on time and id for its condition: %s', (_, kind) => {
    expect(INDEXES[kind.collection]).toContainEqual({
      key: { [kind.field]: 1, _id: 1 },
      partialFilterExpression: kind.only,
    });
  });
});

const ROWS = 400;
const LIMIT = 20;

const onRealServer = await describeOnRealServer(database);

onRealServer('a page on a real server', () => {
  beforeAll(async () => {
    for (const kind of KINDS) {
      await insert(
        kind,
        Array.from({ length: ROWS }, () => kind.make(at(2))),
      );
    }
  });

  it.each(NAMED)('reads one page at most and sorts nothing in memory: %s', async (_, kind) => {
    const rows = await kind.read({ after: null, before: at(9), limit: ROWS / 2 });
    const after = { at: at(2), id: rows.at(-1)!._id };
    for (const place of [null, after]) {
      const range = { after: place, before: at(9), limit: LIMIT };
      const { collectionName } = database.mongo[kind.collection];
      const collection = database.raw.collection<Document & { _id: string }>(collectionName);
      const found = findDue(collection, kind.only, { ...range, field: kind.field });
      const plan = await found.explain('executionStats');
      const { totalDocsExamined } = plan['executionStats'] as { totalDocsExamined: number };
      // One row of each branch of the filter may be read before the first is returned.
      expect(totalDocsExamined).toBeLessThanOrEqual(LIMIT + 1);
      const { winningPlan } = plan['queryPlanner'] as { winningPlan: Document };
      expect(JSON.stringify(winningPlan)).not.toContain('"SORT"');
    }
  });
});
