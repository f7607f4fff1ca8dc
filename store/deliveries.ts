/** Deliveries: each row owns the count of its attempts and the time of the next one. */
import type { Delivery, DeliveryAttempt, DeliveryState } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { dueWithin } from './mongo.ts';
import type { DueRange, Mongo, Session } from './mongo.ts';

/** Inserts the deliveries of one event, inside its transaction. */
export async function insertDeliveries(
  mongo: Mongo,
  session: Session,
  deliveries: Delivery[],
): Promise<void> {
  if (deliveries.length > 0) await mongo.deliveries.insertMany(deliveries, { session });
}

/** Inserts a delivery that a person asked for. */
export async function insertDelivery(mongo: Mongo, delivery: Delivery): Promise<void> {
  await mongo.deliveries.insertOne(delivery);
}

/** A delivery by its id, for its activity. */
export async function findAnyDelivery(mongo: Mongo, id: string): Promise<Delivery | null> {
  return mongo.deliveries.findOne({ _id: id });
}

/** The deliveries of an event that are still to be made. */
export async function pendingDeliveriesOf(mongo: Mongo, eventId: string): Promise<Delivery[]> {
  return mongo.deliveries.find({ event_id: eventId, state: 'pending' }).toArray();
}

/** Pending deliveries whose next attempt should have begun before `before`. */
export async function overdueDeliveries(mongo: Mongo, range: DueRange): Promise<Delivery[]> {
  const filter = { state: 'pending' as const, next_attempt_at: dueWithin(range) };
  return mongo.deliveries.find(filter).sort({ next_attempt_at: 1 }).limit(range.limit).toArray();
}

/**
 * Records an attempt and what follows from it; whether it was recorded. A second record of the
 * same attempt (its activity ran twice) is refused by the number of attempts in the filter.
 */
export async function recordAttempt(
  mongo: Mongo,
  delivery: Delivery,
  result: { attempt: DeliveryAttempt; state: DeliveryState; nextAttemptAt: Date | null },
): Promise<boolean> {
  const written = await mongo.deliveries.updateOne(
    { _id: delivery._id, state: 'pending', attempts: { $size: delivery.attempts.length } },
    {
      $push: { attempts: result.attempt },
      $set: { state: result.state, next_attempt_at: result.nextAttemptAt },
    },
  );
  return written.modifiedCount === 1;
}

/** Stops a pending delivery: its endpoint is gone or disabled. */
export async function stopDelivery(mongo: Mongo, id: string): Promise<void> {
  await mongo.deliveries.updateOne(
    { _id: id, state: 'pending' },
    { $set: { state: 'stopped', next_attempt_at: null } },
  );
}

/** Deliveries of an endpoint in that state. */
export async function countDeliveries(
  mongo: Mongo,
  filter: Pick<Delivery, 'm' | 'endpoint_id' | 'state'>,
): Promise<number> {
  return mongo.deliveries.countDocuments(filter);
}

/** Stops every delivery that waits for the endpoint: nothing more is sent to it of these. */
export async function stopDeliveriesOf(
  mongo: Mongo,
  { m, _id }: Pick<Endpoint, 'm' | '_id'>,
): Promise<number> {
  const { modifiedCount } = await mongo.deliveries.updateMany(
    { m, endpoint_id: _id, state: 'pending' },
    { $set: { state: 'stopped', next_attempt_at: null } },
  );
  return modifiedCount;
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
