/** Events. They are inserted in the transaction of what happened, and never changed. */
import type { Event } from '../domain/event.ts';
import type { Payment } from '../domain/payment.ts';
import type { Mongo, Session } from './mongo.ts';
import { makeRead } from './together.ts';

/** Inserts an event. Throws the duplicate of `cause` if it exists. */
export async function insertEvent(mongo: Mongo, session: Session, event: Event): Promise<void> {
  await mongo.events.insertOne(event, { session });
}

/** Returns the event of any tenant, for its deliveries. */
export const eventById = makeRead<Event>(async (mongo, ids) =>
  mongo.events.find({ _id: { $in: [...ids] } }).toArray(),
);

/** Returns a tenant's event. */
export async function findEvent(mongo: Mongo, tenant: string, id: string): Promise<Event | null> {
  return mongo.events.findOne({ _id: id, m: tenant });
}

/** Returns the existing events of the causes, oldest first. */
export async function eventsOfCauses(mongo: Mongo, causes: readonly string[]): Promise<Event[]> {
  const events = mongo.events.find({ cause: { $in: [...causes] } });
  return events.sort({ _id: 1 }).toArray();
}

/** Returns the ids of a payment's newest events, up to `limit`. */
export async function newestEventIdsOf(
  mongo: Mongo,
  { m, payment_id }: { m: string; payment_id: string },
  limit: number,
): Promise<string[]> {
  const events = mongo.events.find({ m, payment_id }, { projection: { _id: 1 } });
  const found = await events.sort({ _id: -1 }).limit(limit).toArray();
  return found.map(({ _id }) => _id);
}

/** Returns the types and payments of the events, by id, without their bodies. */
export async function eventTypesOf(mongo: Mongo, ids: readonly string[]) {
  const found = mongo.events.find({ _id: { $in: [...new Set(ids)] } });
  const rows = await found
    .project<Pick<Event, '_id' | 'type' | 'payment_id'>>({ type: 1, payment_id: 1 })
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Returns the newest event of a payment, or null. */
export async function newestEventOf(mongo: Mongo, tenant: string, paymentId: string) {
  const events = mongo.events.find({ m: tenant, payment_id: paymentId });
  return events.sort({ _id: -1 }).limit(1).next();
}

/** Returns the newest events of a payment and its refunds, oldest first. */
export async function eventsOfPayment(
  mongo: Mongo,
  { m: tenant, _id }: Pick<Payment, 'm' | '_id'>,
  limit: number,
): Promise<Event[]> {
  const events = mongo.events.find({ m: tenant, payment_id: _id });
  return (await events.sort({ _id: -1 }).limit(limit).toArray()).toReversed();
}
