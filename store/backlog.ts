/** How far the service is behind its work, for metrics. Each query reads a bounded number of rows. */
import type { Collection, Filter } from 'mongodb';
import type { Endpoint } from '../domain/endpoint.ts';
import { timeOf } from '../domain/id.ts';
import { findDue } from './due.ts';
import type { Mongo } from './mongo.ts';

/** The most rows that are counted. */
export const MAX_COUNTED = 1_000;

/** The kinds of rows with a due time. */
export const DUE_KINDS = ['payments', 'refunds', 'replays', 'deliveries'] as const;
type DueKind = (typeof DUE_KINDS)[number];

/** The states of endpoints that are counted. Working ones and deleted ones are not. */
const ENDPOINTS = {
  failing: { status: 'enabled', disabled_reason: null, failing_since: { $gt: new Date(0) } },
  disabled_failing: { status: 'disabled', disabled_reason: 'failing' },
  disabled_gone: { status: 'disabled', disabled_reason: 'gone' },
  disabled_by_merchant: { status: 'disabled', disabled_reason: 'merchant' },
} as const;
type EndpointState = keyof typeof ENDPOINTS;
export const ENDPOINT_STATES = Object.keys(ENDPOINTS) as readonly EndpointState[];

export interface Backlog {
  /** The due time of the row that was due first; null if no row is due. */
  readonly overdue: Readonly<Record<DueKind, Date | null>>;
  /** Pending deliveries, at most `MAX_COUNTED`, and when the oldest of them was created. */
  readonly pending: { readonly count: number; readonly oldest: Date | null };
  /** Endpoints by state, at most `MAX_COUNTED` of each. */
  readonly endpoints: Readonly<Record<EndpointState, number>>;
}

/** Reads everything at once. MongoDB ends a query that takes longer than `maxTimeMS`. */
export async function readBacklog(
  mongo: Mongo,
  { now, maxTimeMS }: { now: Date; maxTimeMS: number },
): Promise<Backlog> {
  async function firstDue<T extends { _id: string }>(
    collection: Collection<T>,
    only: Filter<T>,
    field = 'due_at',
  ): Promise<Date | null> {
    const found = findDue(collection, only, { after: null, before: now, limit: 1, field });
    const row = await found
      .project<Record<string, Date>>({ [field]: 1 })
      .maxTimeMS(maxTimeMS)
      .next();
    return row?.[field] ?? null;
  }
  const [payments, refunds, replays, deliveries, pending, endpoints] = await Promise.all([
    firstDue(mongo.payments, { open: true }),
    firstDue(mongo.refunds, { status: 'pending' }),
    firstDue(mongo.replays, { status: 'running' }),
    firstDue(mongo.deliveries, { state: 'pending' }, 'next_attempt_at'),
    readPending(mongo, maxTimeMS),
    countEndpoints(mongo, maxTimeMS),
  ]);
  return { overdue: { payments, refunds, replays, deliveries }, pending, endpoints };
}

/**
 * Reads those with the latest next attempt. Delays grow with every attempt, so the oldest
 * deliveries are among them.
 */
async function readPending(mongo: Mongo, maxTimeMS: number): Promise<Backlog['pending']> {
  const found = mongo.deliveries.find({ state: 'pending', next_attempt_at: { $gt: new Date(0) } });
  const rows = await found
    .sort({ next_attempt_at: -1, _id: -1 })
    .limit(MAX_COUNTED)
    .batchSize(MAX_COUNTED)
    .project<{ _id: string }>({ _id: 1 })
    .maxTimeMS(maxTimeMS)
    .toArray();
  // Ids begin with their time.
  const oldest = rows.map(({ _id }) => _id).toSorted()[0];
  return { count: rows.length, oldest: oldest === undefined ? null : new Date(timeOf(oldest)) };
}

async function countEndpoints(mongo: Mongo, maxTimeMS: number): Promise<Backlog['endpoints']> {
  const counts = ENDPOINT_STATES.map(async (state) => {
    const filter: Filter<Endpoint> = ENDPOINTS[state];
    const limits = { limit: MAX_COUNTED, maxTimeMS };
    return [state, await mongo.endpoints.countDocuments(filter, limits)] as const;
  });
  return Object.fromEntries(await Promise.all(counts)) as Record<EndpointState, number>;
}
