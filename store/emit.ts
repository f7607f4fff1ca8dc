/** Events and their deliveries, written in the transaction of what happened. */
import { newDelivery } from '../domain/delivery.ts';
import type { Delivery } from '../domain/delivery.ts';
import { deliveryStateFor } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { Event } from '../domain/event.ts';
import { insertDeliveries } from './deliveries.ts';
import { endpointsOf } from './endpoints.ts';
import { insertEvent } from './events.ts';
import { mintId } from './mint.ts';
import type { Mongo, Session } from './mongo.ts';

/**
 * Inserts the event, and one delivery for each endpoint of its tenant that subscribes. Returns the
 * pending deliveries. Throws the duplicate of `cause` if the event exists.
 */
export async function emitEvent(mongo: Mongo, session: Session, event: Event): Promise<Delivery[]> {
  return emitToOthers(mongo, session, { event });
}

/** Emits an event about an endpoint as `emitEvent` does, but not to that endpoint itself. */
export async function emitToOthers(
  mongo: Mongo,
  session: Session,
  { event, about }: { event: Event; about?: Pick<Endpoint, '_id'> },
): Promise<Delivery[]> {
  const endpoints = await endpointsOf(mongo, session, event.m);
  const deliveries = endpoints.flatMap((endpoint): Delivery[] => {
    const state = deliveryStateFor(endpoint, event.type);
    if (state === undefined || endpoint._id === about?._id) return [];
    return [
      newDelivery({
        id: mintId('delivery'),
        tenant: event.m,
        endpointId: endpoint._id,
        eventId: event._id,
        state,
        trigger: 'automatic',
        now: event.created_at,
      }),
    ];
  });
  await insertEvent(mongo, session, event);
  await insertDeliveries(mongo, session, deliveries);
  return deliveries.filter((delivery) => delivery.state === 'pending');
}
