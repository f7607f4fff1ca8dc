/** Deliveries. Each row has its attempts and the time of the next one. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery, DeliveryAttempt, DeliveryState, DueDelivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { insertAudit } from './audit.ts';
import { findDue } from './due.ts';
import type { DueRange } from './due.ts';
import type { Mongo, Session } from './mongo.ts';
import { makeRead } from './together.ts';

/** The most deliveries that one write stops: all those of a dead receiver would take too long. */
const STOP_BATCH = 500;

const STOPPED = { state: 'stopped', next_attempt_at: null } as const;

/** Inserts deliveries in a transaction. */
export async function insertDeliveries(mongo: Mongo, session: Session, deliveries: Delivery[]) {
  if (deliveries.length > 0) await mongo.deliveries.insertMany(deliveries, { session });
}

/**
 * Inserts a delivery that repeats the delivery `of`, with its audit entry. Returns false if the
 * number of its repeats is not `resends` any more: a form that is submitted twice sends once.
 */
export async function insertResend(
  mongo: Mongo,
  delivery: Delivery,
  { of, resends, entry }: { of: string; resends: number | undefined; entry: AuditEntry },
): Promise<boolean> {
  const asSeen = resends === undefined ? {} : { resends: resends || { $exists: false } };
  return mongo.transact(async (session) => {
    const counted = { $inc: { resends: 1 } };
    const { matchedCount } = await mongo.deliveries.updateOne({ _id: of, ...asSeen }, counted, {
      session,
    });
    if (matchedCount === 0) return false;
    await mongo.deliveries.insertOne(delivery, { session });
    await insertAudit(mongo, session, entry);
    return true;
  });
}

/** A delivery as lists show it: without requests and responses. */
export type DeliveryLine = Omit<Delivery, 'attempts'> & {
  readonly attempts: readonly Pick<
    DeliveryAttempt,
    'number' | 'at' | 'duration_ms' | 'status' | 'error'
  >[];
};

const LINE = { 'attempts.request': 0, 'attempts.response': 0, 'attempts.timings': 0 };

/** Returns deliveries of an endpoint with ids in `ids`, newest first, `limit` at most. */
export async function listDeliveries(
  mongo: Mongo,
  filter: Pick<Delivery, 'm' | 'endpoint_id'> & Partial<Pick<Delivery, 'state'>>,
  { from, below, limit }: { from?: string; below?: string | undefined; limit: number },
): Promise<DeliveryLine[]> {
  const range = { ...(from && { $gte: from }), ...(below && { $lt: below }) };
  const bounds = Object.keys(range).length > 0 ? { _id: range } : {};
  const found = mongo.deliveries.find({ ...filter, ...bounds }, { projection: LINE });
  return found.sort({ _id: -1 }).limit(limit).toArray();
}

/** Returns the deliveries of an event to an endpoint, newest first, `limit` at most. */
export async function deliveriesOfEvent(
  mongo: Mongo,
  { m, endpoint_id, event_id }: Pick<Delivery, 'm' | 'endpoint_id' | 'event_id'>,
  limit: number,
): Promise<DeliveryLine[]> {
  const found = mongo.deliveries.find({ event_id, m, endpoint_id }, { projection: LINE });
  return found.sort({ _id: -1 }).limit(limit).toArray();
}

/** Returns the delivery of any tenant, for its activity. */
export const deliveryById = makeRead<Delivery>(async (mongo, ids) =>
  mongo.deliveries.find({ _id: { $in: [...ids] } }).toArray(),
);

/** Returns the pending deliveries of an event. */
export async function pendingDeliveriesOf(mongo: Mongo, eventId: string): Promise<Delivery[]> {
  return mongo.deliveries.find({ event_id: eventId, state: 'pending' }).toArray();
}

/** A delivery without what was sent and received. */
export type DeliverySummary = Omit<Delivery, 'attempts'> & {
  readonly attempts: readonly Pick<DeliveryAttempt, 'number'>[];
};

/** Leaves out the requests and responses, which make a delivery large. */
const SUMMARY = {
  'attempts.request': 0,
  'attempts.response': 0,
  'attempts.timings': 0,
} as const;

/** Returns the pending deliveries of these events, up to `limit`. */
export async function pendingDeliveriesAmong(
  mongo: Mongo,
  eventIds: readonly string[],
  limit: number,
): Promise<DeliverySummary[]> {
  const pending = { event_id: { $in: [...eventIds] }, state: 'pending' as const };
  return mongo.deliveries.find(pending, { projection: SUMMARY }).limit(limit).toArray();
}

/** Returns the newest deliveries of the events, oldest first, without what was sent and received. */
export async function deliveriesOfEvents(
  mongo: Mongo,
  { tenant, eventIds }: { tenant: string; eventIds: readonly string[] },
  limit: number,
): Promise<Delivery[]> {
  if (eventIds.length === 0) return [];
  const ofEvents = { event_id: { $in: [...eventIds] }, m: tenant };
  const found = mongo.deliveries.find(ofEvents, { projection: SUMMARY });
  return (await found.sort({ _id: -1 }).limit(limit).toArray()).toReversed();
}

/** Returns pending deliveries whose next attempt is overdue, without their large attempts. */
export async function overdueDeliveries(mongo: Mongo, range: DueRange) {
  const due = { ...range, field: 'next_attempt_at' };
  return findDue(mongo.deliveries, { state: 'pending' }, due)
    .project<DueDelivery>({ m: 1, endpoint_id: 1, next_attempt_at: 1 })
    .toArray();
}

/**
 * Makes the next attempt of a pending delivery due at once, by a request of test mode. Does nothing
 * if an attempt was recorded meanwhile, or this one was hastened before.
 */
export async function hastenAttempt(
  mongo: Mongo,
  { _id, attempts }: Pick<DeliverySummary, '_id' | 'attempts'>,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  const number = attempts.length + 1;
  await mongo.deliveries.updateOne(
    {
      _id,
      state: 'pending',
      attempts: { $size: attempts.length },
      'hastened.number': { $ne: number },
    },
    { $set: { next_attempt_at: now, hastened: { number, request_id: by } } },
  );
}

/**
 * Records an attempt and its result. Returns false if this attempt was recorded before, because its
 * activity ran twice: the filter has the number of attempts. A delivery that was stopped during the
 * request stays stopped, unless the receiver has accepted it.
 */
export async function recordAttempt(
  mongo: Mongo,
  delivery: Delivery,
  result: { attempt: DeliveryAttempt; state: DeliveryState; nextAttemptAt: Date | null },
): Promise<boolean> {
  const same = { _id: delivery._id, attempts: { $size: delivery.attempts.length } };
  const push = { $push: { attempts: result.attempt } };
  const outcome = { state: result.state, next_attempt_at: result.nextAttemptAt };
  const pending = { ...same, state: 'pending' as const };
  const written = await mongo.deliveries.updateOne(pending, { ...push, $set: outcome });
  if (written.modifiedCount === 1) return true;
  const isAccepted = result.state === 'succeeded';
  const late = await mongo.deliveries.updateOne(
    { ...same, state: 'stopped' },
    isAccepted ? { ...push, $set: outcome } : push,
  );
  return late.modifiedCount === 1;
}

/** Postpones a pending delivery. Returns false if an attempt was recorded meanwhile. */
export async function postponeDelivery(mongo: Mongo, delivery: Delivery, until: Date) {
  const moved = await mongo.deliveries.updateOne(
    {
      _id: delivery._id,
      state: 'pending',
      attempts: { $size: delivery.attempts.length },
      next_attempt_at: { $lt: until },
    },
    { $set: { next_attempt_at: until } },
  );
  return moved.modifiedCount === 1;
}

/** Stops a pending delivery, because its endpoint is disabled or deleted. */
export async function stopDelivery(mongo: Mongo, id: string): Promise<void> {
  await mongo.deliveries.updateOne({ _id: id, state: 'pending' }, { $set: STOPPED });
}

/** Counts the deliveries of an endpoint in a state, up to `limit`. */
export async function countDeliveries(
  mongo: Mongo,
  filter: Pick<Delivery, 'm' | 'endpoint_id' | 'state'>,
  limit: number,
): Promise<number> {
  return mongo.deliveries.countDocuments(filter, { limit });
}

/**
 * Stops all pending deliveries of the endpoint, or only those of a replay. Returns their number.
 * Writes in batches. If the process dies, the rest are stopped when they come due, because their
 * activity checks the endpoint and the replay.
 */
export async function stopDeliveriesOf(
  mongo: Mongo,
  { m: tenant, _id }: Pick<Endpoint, 'm' | '_id'>,
  { replayId }: { replayId?: string } = {},
): Promise<number> {
  const ofReplay = replayId === undefined ? {} : { replay_id: replayId };
  const waiting = { m: tenant, endpoint_id: _id, state: 'pending' as const, ...ofReplay };
  let stopped = 0;
  for (;;) {
    const found = mongo.deliveries.find(waiting, { projection: { _id: 1 } });
    const ids = (await found.limit(STOP_BATCH).toArray()).map((row) => row._id);
    const pending = { _id: { $in: ids }, state: 'pending' as const };
    stopped += (await mongo.deliveries.updateMany(pending, { $set: STOPPED })).modifiedCount;
    if (ids.length < STOP_BATCH) return stopped;
  }
}

/**
 * Reads the `limit` oldest deliveries between the ids `after` (null: no lower bound) and `before`.
 * Deletes those that are not pending. Returns their number, and the last id that was read, or null
 * at the end. Several calls at once are safe.
 */
export async function pruneDeliveries(
  mongo: Mongo,
  { after, before, limit }: { after: string | null; before: string; limit: number },
): Promise<{ pruned: number; last: string | null }> {
  const old = after === null ? { $lt: before } : { $gt: after, $lt: before };
  // Reads `_id` alone, so that the index covers the query.
  const found = mongo.deliveries.find({ _id: old }, { projection: { _id: 1 } });
  const ids = (await found.sort({ _id: 1 }).limit(limit).toArray()).map((row) => row._id);
  const last = ids.length < limit ? null : (ids.at(-1) ?? null);
  if (ids.length === 0) return { pruned: 0, last };
  const ended = { _id: { $in: ids }, state: { $ne: 'pending' as const } };
  const { deletedCount } = await mongo.deliveries.deleteMany(ended);
  return { pruned: deletedCount, last };
}

/** Returns the time when the endpoint accepted its newest successful delivery, or null. */
export async function lastSuccessAt(
  mongo: Mongo,
  { m: tenant, _id }: Pick<Endpoint, 'm' | '_id'>,
): Promise<Date | null> {
  const accepted = { m: tenant, endpoint_id: _id, state: 'succeeded' as const };
  const newest = await mongo.deliveries.find(accepted).sort({ _id: -1 }).limit(1).next();
  return newest?.attempts.at(-1)?.at ?? null;
}
