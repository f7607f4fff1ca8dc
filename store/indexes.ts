/** Every index in one list, and the names of those that earlier versions made. */
import type { IndexDescription } from 'mongodb';
import type { CollectionName } from './mongo.ts';

/** How long the stored results of calls that create no document are kept (7 days). */
const REQUEST_TTL_SECONDS = 7 * 24 * 60 * 60;

/**
 * Returns the filter for documents in which the field is a text. `$gt` instead of `$exists`: the
 * MongoDB stand-in does not see that such a text exists.
 */
const whereText = (field: string) => ({ [field]: { $gt: '' } });

const idempotencyKey = (field: string): IndexDescription => ({
  key: { m: 1, [field]: 1 },
  unique: true,
  name: 'idempotency_key',
  partialFilterExpression: whereText(field),
});

/** Every index besides `_id`. The tests check each list of the API against it. */
export const INDEXES: Readonly<Record<CollectionName, readonly IndexDescription[]>> = {
  payments: [
    { key: { m: 1, _id: -1 } },
    { key: { m: 1, status: 1, _id: -1 } },
    { key: { m: 1, order_id: 1, _id: -1 } },
    { key: { m: 1, order_id: 1, status: 1, _id: -1 } },
    { key: { checkout_token: 1 }, unique: true },
    idempotencyKey('idem.k'),
    { key: { due_at: 1, _id: 1 }, partialFilterExpression: { open: true } },
  ],
  refunds: [
    { key: { m: 1, _id: -1 } },
    { key: { m: 1, payment_id: 1, _id: -1 } },
    { key: { m: 1, status: 1, _id: -1 } },
    idempotencyKey('idem.k'),
    { key: { due_at: 1, _id: 1 }, partialFilterExpression: { status: 'pending' } },
  ],
  events: [
    { key: { m: 1, _id: -1 } },
    { key: { m: 1, type: 1, _id: -1 } },
    { key: { m: 1, payment_id: 1, _id: -1 } },
    { key: { cause: 1 }, unique: true },
  ],
  endpoints: [{ key: { m: 1, _id: -1 } }],
  deliveries: [
    { key: { m: 1, endpoint_id: 1, _id: -1 } },
    { key: { m: 1, endpoint_id: 1, state: 1, _id: -1 } },
    { key: { event_id: 1 } },
    { key: { next_attempt_at: 1, _id: 1 }, partialFilterExpression: { state: 'pending' } },
  ],
  replays: [
    { key: { m: 1, endpoint_id: 1, _id: -1 } },
    // One at a time for an endpoint: its rate is what its receiver was said to bear.
    { key: { endpoint_id: 1 }, unique: true, partialFilterExpression: { status: 'running' } },
    { key: { due_at: 1, _id: 1 }, partialFilterExpression: { status: 'running' } },
  ],
  merchants: [],
  users: [{ key: { email: 1 }, unique: true }, { key: { merchant_id: 1, _id: -1 } }],
  keys: [{ key: { hash: 1 }, unique: true }, { key: { merchant_id: 1, _id: -1 } }],
  requests: [
    {
      key: { m: 1, op: 1, k: 1 },
      name: 'idempotency_key',
      unique: true,
      partialFilterExpression: whereText('k'),
    },
    { key: { created_at: 1 }, expireAfterSeconds: REQUEST_TTL_SECONDS },
  ],
  auditEntries: [{ key: { merchant_id: 1, _id: -1 } }, { key: { 'object.id': 1, _id: -1 } }],
};

/**
 * Names of indexes that an earlier version made. `migrate` drops each of them, unless the list still
 * has its definition. It never drops an index whose name is neither here nor in the list.
 */
export const RETIRED: Readonly<Partial<Record<CollectionName, readonly string[]>>> = {
  payments: ['due_at_1'],
  refunds: ['due_at_1'],
  deliveries: ['next_attempt_at_1'],
  replays: ['due_at_1'],
};
