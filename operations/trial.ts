/** An event for one endpoint alone, whatever it subscribes to, by the way that all events go. */
import { newDelivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { TRIAL, composeEvent } from '../domain/event.ts';
import type { EventType } from '../domain/event.ts';
import { merchantOf } from '../domain/merchant.ts';
import { insertAudit } from '../store/audit.ts';
import { insertDeliveries } from '../store/deliveries.ts';
import { insertEvent } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import { entryOf, beginDelivery } from './services.ts';
import type { Services, Shown } from './services.ts';

/** Stores the event with its delivery, and starts that: it is signed, retried and recorded. */
export async function sendTrial(
  services: Services,
  { _id: endpointId, m }: Endpoint,
  { type, object }: { type: EventType; object: unknown },
): Promise<Shown> {
  const { mongo } = services;
  const eventId = mintId('event');
  // Of no payment: what is told of a payment has happened to it.
  const about = { type, object, paymentId: null, request: null };
  const cause = `${endpointId}${TRIAL}${eventId}`;
  const event = composeEvent({ id: eventId, m, cause, ...about });
  const delivery = newDelivery({
    id: mintId('delivery'),
    m,
    endpointId,
    eventId,
    state: 'pending',
    trigger: 'test',
    now: event.created_at,
  });
  const entry = entryOf(services, {
    action: type === 'webhook_endpoint.ping' ? 'endpoint.ping' : 'endpoint.example',
    objectId: endpointId,
    merchantId: merchantOf(m),
    after: { event_type: type, event_id: eventId, delivery_id: delivery._id },
  });
  await mongo.transact(async (session) => {
    await insertEvent(mongo, session, event);
    await insertDeliveries(mongo, session, [delivery]);
    await insertAudit(mongo, session, entry);
  });
  return { event_id: eventId, ...(await beginDelivery(services, delivery)) };
}
