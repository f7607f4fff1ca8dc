/** The list of all indexes, and the names of indexes that only earlier versions use. */
import type { IndexDescription } from 'mongodb';
import { CALL_KEPT_MS } from '../domain/call.ts';
import type { CollectionName } from './mongo.ts';

/** How long the rows of requests are kept: 7 days. */
const REQUEST_TTL_SECONDS = 7 * 24 * 60 * 60;

/**
 * Returns the unique index on the field with the idempotency key. It has only the documents with a
 * key. Uses `$gt`, because the MongoDB stand-in does not support `$exists` here.
 */
const idempotencyKey = (field: string, ...scope: string[]): IndexDescription => ({
  key: Object.fromEntries(['m', ...scope, field].map((name) => [name, 1])),
  unique: true,
  name: 'idempotency_key',
  partialFilterExpression: { [field]: { $gt: '' } },
});

/** Every index besides `_id`. Tests compare it with the lists of the API. */
export const INDEXES: Readonly<Record<CollectionName, readonly IndexDescription[]>> = {
  payments: [
    { key: { m: 1, _id: -1 } },
    { key: { m: 1, status: 1, _id: -1 } },
    { key: { m: 1, order_id: 1, _id: -1 } },
    { key: { m: 1, order_id: 1, status: 1, _id: -1 } },
    // The search of the dashboard, and metadata in the API: amount, card, order id and metadata (domain/search.ts).
    { key: { m: 1, found_by: 1, _id: -1 } },
    { key: { checkout_token: 1 }, unique: true },
    idempotencyKey('idem.k'),
    { key: { due_at: 1, _id: 1 }, partialFilterExpression: { open: true } },
  ],
  refunds: [
    { key: { m: 1, _id: -1 } },
    { key: { m: 1, payment_id: 1, _id: -1 } },
    { key: { m: 1, status: 1, _id: -1 } },
    { key: { m: 1, payment_id: 1, status: 1, _id: -1 } },
    idempotencyKey('idem.k'),
    { key: { due_at: 1, _id: 1 }, partialFilterExpression: { status: 'pending' } },
  ],
  events: [
    { key: { m: 1, _id: -1 } },
    { key: { m: 1, type: 1, _id: -1 } },
    { key: { m: 1, payment_id: 1, _id: -1 } },
    { key: { m: 1, payment_id: 1, type: 1, _id: -1 } },
    { key: { cause: 1 }, unique: true },
  ],
  endpoints: [
    { key: { m: 1, _id: -1 } },
    // The metrics count those that fail or are disabled.
    { key: { status: 1, disabled_reason: 1, failing_since: 1 } },
  ],
  deliveries: [
    { key: { m: 1, endpoint_id: 1, _id: -1 } },
    { key: { m: 1, endpoint_id: 1, state: 1, _id: -1 } },
    { key: { event_id: 1 } },
    { key: { next_attempt_at: 1, _id: 1 }, partialFilterExpression: { state: 'pending' } },
  ],
  replays: [
    { key: { m: 1, endpoint_id: 1, _id: -1 } },
    // An endpoint has one running replay at most, because the rate is for its receiver.
    { key: { endpoint_id: 1 }, unique: true, partialFilterExpression: { status: 'running' } },
    { key: { due_at: 1, _id: 1 }, partialFilterExpression: { status: 'running' } },
  ],
  checks: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }],
  merchants: [],
  // Read by id.
  logos: [],
  files: [],
  users: [{ key: { email: 1 }, unique: true }, { key: { merchant_id: 1, _id: -1 } }],
  sessions: [{ key: { user_id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }],
  invites: [
    { key: { merchant_id: 1, email: 1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  passkeys: [{ key: { user_id: 1 } }],
  challenges: [{ key: { expires_at: 1 }, expireAfterSeconds: 0 }],
  keys: [{ key: { hash: 1 }, unique: true }, { key: { merchant_id: 1, _id: -1 } }],
  requests: [
    idempotencyKey('k', 'op'),
    { key: { created_at: 1 }, expireAfterSeconds: REQUEST_TTL_SECONDS },
  ],
  auditEntries: [{ key: { merchant_id: 1, _id: -1 } }, { key: { 'object.id': 1, _id: -1 } }],
  calls: [
    { key: { m: 1, tags: 1, _id: -1 } },
    { key: { at: 1 }, expireAfterSeconds: CALL_KEPT_MS / 1_000 },
  ],
  // Read and written by id, which begins with the generation, the tenant and the day.
  dayStats: [],
  statsState: [],
};

/**
 * Names of indexes that only the version before needs. `migrate` keeps them, so that programs of
 * that version can start again during an upgrade and after a step back. The next version moves them
 * to `RETIRED`. None is unique: it could refuse a valid write of this version.
 */
export const KEPT: Readonly<Partial<Record<CollectionName, readonly string[]>>> = {
  payments: ['m_1_terms_1__id_-1'],
};

/**
 * Names of indexes that earlier versions created. `migrate` drops them, unless the list has the
 * same definition. It never drops an index whose name is neither here nor in the list.
 */
export const RETIRED: Readonly<Partial<Record<CollectionName, readonly string[]>>> = {
  payments: ['due_at_1'],
  refunds: ['due_at_1'],
  deliveries: ['next_attempt_at_1'],
  replays: ['due_at_1'],
};
