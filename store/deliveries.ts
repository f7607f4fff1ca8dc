/** Deliveries: each row owns the count of its attempts and the time of the next one. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery, DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { insertAudit } from './audit.ts';
import { dueFilter } from './due.ts';
import type { DueRange } from './due.ts';
import type { Mongo, Session } from './mongo.ts';

/** Many may wait for a receiver that is away; one write of them all would take too long. */
const STOPPED_AT_ONCE = 500;

/** Inserts the deliveries of one event, inside its transaction. */
export async function insertDeliveries(
  mongo: Mongo,
  session: Session,
  deliveries: Delivery[],
): Promise<void> {
  if (deliveries.length > 0) await mongo.deliveries.insertMany(deliveries, { session });
}

/** Inserts a delivery that a person asked for. */
export async function insertDelivery(
  mongo: Mongo,
  delivery: Delivery,
  entry: AuditEntry,
): Promise<void> {
  await mongo.transact(async (session) => {
    await mongo.deliveries.insertOne(delivery, { session });
    await insertAudit(mongo, session, entry);
  });
}

/** Returns the delivery of any tenant, for its activity. */
export async function deliveryById(mongo: Mongo, id: string): Promise<Delivery | null> {
  return mongo.deliveries.findOne({ _id: id });
}

/** The deliveries of an event that are still to be made. */
export async function pendingDeliveriesOf(mongo: Mongo, eventId: string): Promise<Delivery[]> {
  return mongo.deliveries.find({ event_id: eventId, state: 'pending' }).toArray();
}

/** A delivery with a next attempt, and the time when that should begin. */
interface DueDelivery {
  readonly _id: string;
  readonly next_attempt_at: Date;
}

/** Pending deliveries whose next attempt should have begun before `before`. */
export async function overdueDeliveries(mongo: Mongo, range: DueRange): Promise<DueDelivery[]> {
  const filter = dueFilter<Delivery>({ state: 'pending' }, 'next_attempt_at', range);
  // Without the attempts: each may hold 16 KiB of an answer.
  const projection = { next_attempt_at: 1 };
  const found = mongo.deliveries.find<DueDelivery>(filter, { projection });
  return found.sort({ next_attempt_at: 1, _id: 1 }).limit(range.limit).toArray();
}

/**
 * Records an attempt and what follows from it; whether it was recorded. A second record of the
 * same attempt (its activity ran twice) is refused by the number of attempts in the filter. A
 * delivery that was stopped while the request was under way stays so, unless it was accepted.
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

/**
 * Moves a pending delivery's next attempt to a later time, unless an attempt was recorded
 * meanwhile; whether it was moved.
 */
export async function postponeDelivery(
  mongo: Mongo,
  delivery: Delivery,
  until: Date,
): Promise<boolean> {
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

/** Stops a pending delivery: its endpoint is gone or disabled. */
export async function stopDelivery(mongo: Mongo, id: string): Promise<void> {
  await mongo.deliveries.updateOne(
    { _id: id, state: 'pending' },
    { $set: { state: 'stopped', next_attempt_at: null } },
  );
}

type OfState = Pick<Delivery, 'm' | 'endpoint_id' | 'state'>;

/** Deliveries of an endpoint in that state, counted up to `limit`. */
export async function countDeliveries(
  mongo: Mongo,
  { m, endpoint_id, state }: OfState,
  limit: number,
): Promise<number> {
  return mongo.deliveries.countDocuments({ m, endpoint_id, state }, { limit });
}

/**
 * Stops every delivery that waits for the endpoint, or those of them that a replay made; answers
 * how many it stopped. It goes by batches, of which each is done by itself: what a process that
 * dies has left over is stopped when it comes due, by its endpoint or its replay.
 */
export async function stopDeliveriesOf(
  mongo: Mongo,
  { m, _id }: Pick<Endpoint, 'm' | '_id'>,
  { replayId }: { replayId?: string } = {},
): Promise<number> {
  const ofReplay = replayId === undefined ? {} : { replay_id: replayId };
  const waiting = { m, endpoint_id: _id, state: 'pending' as const, ...ofReplay };
  let stopped = 0;
  for (;;) {
    const found = mongo.deliveries.find(waiting, { projection: { _id: 1 } });
    const ids = (await found.limit(STOPPED_AT_ONCE).toArray()).map((row) => row._id);
    const { modifiedCount } = await mongo.deliveries.updateMany(
      { _id: { $in: ids }, state: 'pending' },
      { $set: { state: 'stopped', next_attempt_at: null } },
    );
    stopped += modifiedCount;
    if (ids.length < STOPPED_AT_ONCE) return stopped;
  }
}

/**
 * Looks at the `limit` oldest deliveries with ids between `after` (null: from the beginning) and
 * `before`, and removes those of them that are not pending. `last` is where the next look goes on,
 * null when this one came to the end. Repeats, and several at once, remove nothing else.
 */
export async function pruneDeliveries(
  mongo: Mongo,
  { after, before, limit }: { after: string | null; before: string; limit: number },
): Promise<{ pruned: number; last: string | null }> {
  const old = after === null ? { $lt: before } : { $gt: after, $lt: before };
  // By `_id` alone, so that the index answers it; only the removal reads the rows themselves.
  const found = mongo.deliveries.find({ _id: old }, { projection: { _id: 1 } });
  const ids = (await found.sort({ _id: 1 }).limit(limit).toArray()).map((row) => row._id);
  const last = ids.length < limit ? null : (ids.at(-1) ?? null);
  if (ids.length === 0) return { pruned: 0, last };
  const ended = { _id: { $in: ids }, state: { $ne: 'pending' as const } };
  const { deletedCount } = await mongo.deliveries.deleteMany(ended);
  return { pruned: deletedCount, last };
}

/** When the newest delivery that an endpoint accepted was accepted; null when there is none. */
export async function lastSuccessAt(
  mongo: Mongo,
  { m, _id }: Pick<Endpoint, 'm' | '_id'>,
): Promise<Date | null> {
  const accepted = { m, endpoint_id: _id, state: 'succeeded' as const };
  const newest = await mongo.deliveries.find(accepted).sort({ _id: -1 }).limit(1).next();
  return newest?.attempts.at(-1)?.at ?? null;
}
