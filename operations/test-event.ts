/** Test events for one endpoint: a ping, and examples of the other types. */
import { newDelivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { EVENT_TYPES, TRIAL, composeEvent, typesOf } from '../domain/event.ts';
import type { EventType } from '../domain/event.ts';
import { exampleObject } from '../domain/example.ts';
import { isLive, merchantOf } from '../domain/merchant.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { insertAudit } from '../store/audit.ts';
import { insertDeliveries, lastSuccessAt } from '../store/deliveries.ts';
import { insertEvent } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import { checkEvents, requireEnabled } from './checks.ts';
import { Refusal } from './refusal.ts';
import { entryOf, startTime } from './services.ts';
import type { Services, Shown } from './services.ts';

/**
 * Sends `webhook_endpoint.ping` to the endpoint alone, even if it does not subscribe to it. The
 * event is signed, retried and recorded like any other. Throws `Refusal` if the endpoint is
 * disabled or deleted.
 */
export async function pingEndpoint(services: Services, { id }: { id: string }): Promise<Shown> {
  return send(services, await requireEnabled(services, id), 'webhook_endpoint.ping');
}

/**
 * Sends an example of each type in `type` (comma-separated, `payment.*` or `*`) to the endpoint
 * alone, even if it does not subscribe to it. The events are stored like any other, but not
 * retried, because their payments and refunds do not exist. Throws `Refusal` for an unknown type,
 * for an endpoint that is disabled or deleted, and in live mode, where receivers trust every event.
 */
export async function sendExample(
  services: Services,
  { id, type: list }: { id: string; type: string },
): Promise<{ events: Shown[] }> {
  const wanted = checkEvents(list, 'type').flatMap((one) => typesOf(one) ?? []);
  const endpoint = await requireEnabled(services, id);
  if (isLive(endpoint.m)) throw Refusal.ofParam('id', 'Examples are sent in test mode only.');
  const events: Shown[] = [];
  for (const type of EVENT_TYPES.filter((each) => wanted.includes(each))) {
    events.push({ type, ...(await send(services, endpoint, type)) });
  }
  return { events };
}

/** Stores a test event with its delivery, and starts the delivery. */
async function send(services: Services, endpoint: Endpoint, type: EventType): Promise<Shown> {
  const { mongo, temporal } = services;
  const { _id: endpointId, m: tenant } = endpoint;
  const isPing = type === 'webhook_endpoint.ping';
  const object = isPing
    ? publicEndpoint(endpoint, await lastSuccessAt(mongo, endpoint))
    : exampleObject(type, { now: new Date(), mintId });
  const eventId = mintId('event');
  const cause = `${endpointId}${TRIAL}${eventId}`;
  // It belongs to no payment, because nothing has happened to any payment.
  const about = { type, object, paymentId: null, request: null };
  const event = composeEvent({ id: eventId, tenant, cause, ...about });
  const delivery = newDelivery({
    id: mintId('delivery'),
    tenant,
    endpointId,
    eventId,
    state: 'pending',
    trigger: 'test',
    once: !isPing,
    now: event.created_at,
  });
  const entry = entryOf(services, {
    action: isPing ? 'endpoint.ping' : 'endpoint.example',
    objectId: endpointId,
    merchantId: merchantOf(tenant),
    after: { event_type: type, event_id: eventId, delivery_id: delivery._id },
  });
  await mongo.transact(async (session) => {
    await insertEvent(mongo, session, event);
    await insertDeliveries(mongo, session, [delivery]);
    await insertAudit(mongo, session, entry);
  });
  const starts = await startTime(temporal.startDelivery(delivery._id, null, delivery));
  return { event_id: eventId, id: delivery._id, starts };
}
