/** Events and their deliveries, written in the transaction of the change they tell of. */
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
 * Inserts the event and one delivery for each endpoint of the merchant that hears of it; answers
 * the deliveries that are to be made. Throws the duplicate of `cause` when it was told before.
 */
export async function emitEvent(mongo: Mongo, session: Session, event: Event): Promise<Delivery[]> {
  return emit(mongo, session, { event, endpoints: await endpointsOf(mongo, session, event.m) });
}

/** The same for an event about an endpoint, of which that endpoint itself does not hear. */
export async function emitToOthers(
  mongo: Mongo,
  session: Session,
  { event, about }: { event: Event; about: Pick<Endpoint, '_id'> },
): Promise<Delivery[]> {
  const all = await endpointsOf(mongo, session, event.m);
  const endpoints = all.filter(({ _id }) => _id !== about._id);
  return emit(mongo, session, { event, endpoints });
}

async function emit(
  mongo: Mongo,
  session: Session,
  { event, endpoints }: { event: Event; endpoints: Endpoint[] },
): Promise<Delivery[]> {
  const deliveries = endpoints.flatMap((endpoint): Delivery[] => {
    const state = deliveryStateFor(endpoint, event.type);
    if (state === undefined) return [];
    return [
      newDelivery({
        id: mintId('delivery'),
        m: event.m,
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
