/** Events and their deliveries, written in the transaction of the change they tell of. */
import type { Delivery } from '../domain/delivery.ts';
import { deliveryStateFor } from '../domain/endpoint.ts';
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
  const endpoints = await endpointsOf(mongo, session, event.m);
  const deliveries = endpoints.flatMap((endpoint): Delivery[] => {
    const state = deliveryStateFor(endpoint, event.type);
    if (state === undefined) return [];
    return [
      {
        _id: mintId('delivery'),
        m: event.m,
        endpoint_id: endpoint._id,
        event_id: event._id,
        state,
        attempts: [],
        next_attempt_at: state === 'pending' ? event.created_at : null,
        created_at: event.created_at,
      },
    ];
  });
  await insertEvent(mongo, session, event);
  await insertDeliveries(mongo, session, deliveries);
  return deliveries.filter((delivery) => delivery.state === 'pending');
}
