/** Events: written once, in the transaction of the change they tell of, and never changed. */
import type { Event } from '../domain/event.ts';
import type { Mongo, Session } from './mongo.ts';

/** Inserts an event. Throws the duplicate of `cause` when this has been told before. */
export async function insertEvent(mongo: Mongo, session: Session, event: Event): Promise<void> {
  await mongo.events.insertOne(event, { session });
}

/** Returns the event of any tenant, for its deliveries. */
export async function eventById(mongo: Mongo, id: string): Promise<Event | null> {
  return mongo.events.findOne({ _id: id });
}

/** A merchant's event. */
export async function findEvent(mongo: Mongo, m: string, id: string): Promise<Event | null> {
  return mongo.events.findOne({ _id: id, m });
}

/** The events of these causes, as far as they have happened, oldest first. */
export async function eventsOfCauses(mongo: Mongo, causes: readonly string[]): Promise<Event[]> {
  const events = mongo.events.find({ cause: { $in: [...causes] } });
  return events.sort({ _id: 1 }).toArray();
}

/** The newest event of a payment, or null. */
export async function newestEventOf(
  mongo: Mongo,
  m: string,
  paymentId: string,
): Promise<Event | null> {
  const events = mongo.events.find({ m, payment_id: paymentId }).sort({ _id: -1 }).limit(1);
  return events.next();
}
