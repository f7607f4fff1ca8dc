/** Webhook endpoints. Deleted ones keep their row, because deliveries refer to it. */
import type { AuditEntry } from '../domain/audit.ts';
import { MAX_ENDPOINTS } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { merchantOf } from '../domain/merchant.ts';
import { insertAudit } from './audit.ts';
import { lockMerchant } from './merchants.ts';
import type { Mongo, Session } from './mongo.ts';
import { makeRead } from './together.ts';

const NOT_DELETED = { status: { $ne: 'deleted' } } as const;

/**
 * Inserts an endpoint. Returns `full` if the tenant has the maximum number, and `changed` if
 * `newest` is given and is not the id of its newest endpoint (empty without one), so that a form
 * that is submitted twice registers one. Throws if there is no such merchant.
 */
export async function insertEndpoint(
  mongo: Mongo,
  endpoint: Endpoint,
  { entry, newest }: { entry: AuditEntry; newest?: string | undefined },
): Promise<'inserted' | 'full' | 'changed'> {
  const merchantId = merchantOf(endpoint.m);
  return mongo.transact(async (session) => {
    await lockMerchant(mongo, session, { merchantId, counter: 'endpoint_insertions' });
    const all = await endpointsOf(mongo, session, endpoint.m);
    if (newest !== undefined && newest !== newestOf(all)) return 'changed';
    if (all.length >= MAX_ENDPOINTS) return 'full';
    await mongo.endpoints.insertOne(endpoint, { session });
    await insertAudit(mongo, session, entry);
    return 'inserted';
  });
}

/** Returns the id of the newest of the endpoints; empty if there are none. */
export function newestOf(endpoints: readonly Endpoint[]): string {
  return endpoints.reduce((newest, { _id }) => (_id > newest ? _id : newest), '');
}

/** Returns a tenant's endpoint, unless it is deleted. */
export async function findEndpoint(mongo: Mongo, tenant: string, id: string) {
  return mongo.endpoints.findOne({ _id: id, m: tenant, ...NOT_DELETED });
}

/** Returns the endpoint of any tenant, even a deleted one, for its deliveries. */
export const endpointById = makeRead<Endpoint>(async (mongo, ids) =>
  mongo.endpoints.find({ _id: { $in: [...ids] } }).toArray(),
);

/** Returns the URLs of a tenant's endpoints by their ids, even of deleted ones. */
export async function endpointUrls(mongo: Mongo, tenant: string, ids: readonly string[]) {
  const named = { _id: { $in: [...new Set(ids)] }, m: tenant };
  const rows = ids.length === 0 ? [] : await mongo.endpoints.find(named).toArray();
  return new Map(rows.map(({ _id, url }) => [_id, url]));
}

/** Returns the tenant's endpoints that are not deleted, as the transaction sees them. */
export async function endpointsOf(mongo: Mongo, session: Session, tenant: string) {
  return mongo.endpoints.find({ m: tenant, ...NOT_DELETED }, { session }).toArray();
}

/**
 * Returns a filter that matches the endpoint while its sealed secrets are unchanged. Without it, a
 * write of secrets could undo a change of the encryption key, which keeps `updated_at`.
 */
export function sealedAsRead({
  secret,
  previous_secrets: previous,
}: Pick<Endpoint, 'secret' | 'previous_secrets'>) {
  return { secret, previous_secrets: previous ?? { $exists: false } };
}

/**
 * Changes an endpoint. Returns false if it has changed since `before` was read. Pending deliveries
 * use the change from their next attempt on.
 */
export async function changeEndpoint(
  mongo: Mongo,
  { before, after, entry }: { before: Endpoint; after: Endpoint; entry: AuditEntry },
): Promise<boolean> {
  const { _id, m: _, created_at: __, previous_secrets = [], ...changes } = after;
  const newer = Math.max(after.updated_at.getTime(), before.updated_at.getTime() + 1);
  const asRead = {
    _id,
    m: before.m,
    updated_at: before.updated_at,
    status: before.status,
    // A delivery may have recorded a success meanwhile.
    failing_since: before.failing_since,
    ...sealedAsRead(before),
  };
  const update = { $set: { ...changes, previous_secrets, updated_at: new Date(newer) } };
  return mongo.transact(async (session) => {
    const result = await mongo.endpoints.updateOne(asRead, update, { session });
    if (result.matchedCount === 0) return false;
    await insertAudit(mongo, session, entry);
    return true;
  });
}

/** Returns the tenant's endpoints that are not deleted, oldest first. */
export async function listEndpoints(mongo: Mongo, tenant: string): Promise<Endpoint[]> {
  const found = mongo.endpoints.find({ m: tenant, ...NOT_DELETED });
  return found.sort({ _id: 1 }).limit(MAX_ENDPOINTS).toArray();
}

/** Records since when an endpoint has failed, or null after a success. */
export async function setFailingSince(mongo: Mongo, endpoint: Endpoint, since: Date | null) {
  const { _id, m: tenant, failing_since } = endpoint;
  const asRead = { _id, m: tenant, failing_since };
  await mongo.endpoints.updateOne(asRead, { $set: { failing_since: since } });
}

/**
 * Disables an enabled endpoint, inside a transaction. Returns false if the endpoint has changed
 * since it was read: its failures may be those of another URL. Also returns false for `failing` if
 * it has worked since.
 */
export async function disableEndpoint(
  mongo: Mongo,
  session: Session,
  { endpoint, reason, now }: { endpoint: Endpoint; reason: 'gone' | 'failing'; now: Date },
): Promise<boolean> {
  const result = await mongo.endpoints.updateOne(
    {
      _id: endpoint._id,
      m: endpoint.m,
      status: 'enabled',
      updated_at: endpoint.updated_at,
      ...(reason === 'failing' ? { failing_since: endpoint.failing_since } : {}),
    },
    { $set: { status: 'disabled', disabled_reason: reason, updated_at: now } },
    { session },
  );
  return result.modifiedCount === 1;
}
