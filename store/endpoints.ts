/** Webhook endpoints. Deleted ones keep their row: lists and deliveries still speak of them. */
import type { AuditEntry } from '../domain/audit.ts';
import { MAX_ENDPOINTS } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { merchantOf } from '../domain/merchant.ts';
import { insertAudit } from './audit.ts';
import { lockMerchant } from './merchants.ts';
import type { Mongo, Session } from './mongo.ts';

/**
 * Inserts an endpoint. Returns false if the merchant has as many as it may have. Throws if there is
 * no such merchant.
 */
export async function insertEndpoint(
  mongo: Mongo,
  endpoint: Endpoint,
  entry: AuditEntry,
): Promise<boolean> {
  const merchantId = merchantOf(endpoint.m);
  const living = { m: endpoint.m, status: { $ne: 'deleted' as const } };
  return mongo.transact(async (session) => {
    await lockMerchant(mongo, session, { merchantId, counter: 'endpoint_insertions' });
    const found = mongo.endpoints.find(living, { session, projection: { _id: 1 } });
    if ((await found.limit(MAX_ENDPOINTS).toArray()).length >= MAX_ENDPOINTS) return false;
    await mongo.endpoints.insertOne(endpoint, { session });
    await insertAudit(mongo, session, entry);
    return true;
  });
}

/** A merchant's endpoint. */
export async function findEndpoint(mongo: Mongo, m: string, id: string): Promise<Endpoint | null> {
  return mongo.endpoints.findOne({ _id: id, m, status: { $ne: 'deleted' } });
}

/** Returns the endpoint of any tenant, even a deleted one, for its deliveries. */
export async function endpointById(mongo: Mongo, id: string): Promise<Endpoint | null> {
  return mongo.endpoints.findOne({ _id: id });
}

/** The merchant's endpoints that are not deleted, as the transaction sees them. */
export async function endpointsOf(mongo: Mongo, session: Session, m: string): Promise<Endpoint[]> {
  return mongo.endpoints.find({ m, status: { $ne: 'deleted' } }, { session }).toArray();
}

/**
 * The condition that an endpoint's secrets are still sealed as they were when it was read. A change
 * of the encryption key leaves `updated_at` alone, and whoever writes secrets would undo it.
 */
export function sealedAsRead({
  secret,
  previous_secrets: previous,
}: Pick<Endpoint, 'secret' | 'previous_secrets'>) {
  return { secret, previous_secrets: previous ?? { $exists: false } };
}

/**
 * Writes what people may change of an endpoint, on the condition that nobody has changed it since
 * `before` was read; whether it was written. Deliveries that wait go by it from their next attempt.
 */
export async function changeEndpoint(
  mongo: Mongo,
  { before, after, entry }: { before: Endpoint; after: Endpoint; entry: AuditEntry },
): Promise<boolean> {
  const { url, description, enabled_events, status, disabled_reason, failing_since } = after;
  const { secret, secret_hint, previous_secrets = [] } = after;
  const newer = Math.max(after.updated_at.getTime(), before.updated_at.getTime() + 1);
  const asRead = {
    _id: before._id,
    m: before.m,
    updated_at: before.updated_at,
    status: before.status,
    // A delivery may meanwhile record that the endpoint works again.
    failing_since: before.failing_since,
    ...sealedAsRead(before),
  };
  const changes = {
    url,
    description,
    enabled_events,
    status,
    disabled_reason,
    failing_since,
    secret,
    secret_hint,
    previous_secrets,
    updated_at: new Date(newer),
  };
  return mongo.transact(async (session) => {
    const result = await mongo.endpoints.updateOne(asRead, { $set: changes }, { session });
    if (result.matchedCount === 0) return false;
    await insertAudit(mongo, session, entry);
    return true;
  });
}

/** A merchant's endpoints that are not deleted, oldest first. */
export async function listEndpoints(mongo: Mongo, m: string): Promise<Endpoint[]> {
  const living = mongo.endpoints.find({ m, status: { $ne: 'deleted' } });
  return living.sort({ _id: 1 }).limit(MAX_ENDPOINTS).toArray();
}

/** Remembers since when an endpoint fails, or (null) that it works again. */
export async function setFailingSince(
  mongo: Mongo,
  endpoint: Endpoint,
  since: Date | null,
): Promise<void> {
  const changed = { _id: endpoint._id, m: endpoint.m, failing_since: endpoint.failing_since };
  await mongo.endpoints.updateOne(changed, { $set: { failing_since: since } });
}

/**
 * Disables an enabled endpoint, inside a transaction; whether it did. It does not when somebody has
 * changed it since it was read, since what was seen may have been of another address, nor for its
 * failures when it has worked since.
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
