/** Test events for one endpoint: a ping, and examples of the other types. */
import { newDelivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { EVENT_TYPES, TRIAL, composeEvent, typesOf } from '../domain/event.ts';
import type { EventType } from '../domain/event.ts';
import { PREFIXES, isId } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';
import { isLive, merchantOf } from '../domain/merchant.ts';
import { SAMPLE_OBJECTS } from '../domain/samples.ts';
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
 * alone, even if it does not subscribe to it. The events are stored like any other, but their
 * payments and refunds do not exist. Throws `Refusal` for an unknown type, for an endpoint that is
 * disabled or deleted, and in live mode, where receivers trust every event.
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
    : exampleObject(type);
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
  const starts = await startTime(temporal.startDelivery(delivery._id));
  return { event_id: eventId, id: delivery._id, starts };
}

const KINDS = Object.keys(PREFIXES) as IdKind[];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ORDER_CHARS = 8;
const DESCRIPTION = 'An example: nothing of this exists';

/**
 * Returns the object of an example event of that type at `now`. It is the sample of the
 * documentation with new ids, and with texts that mark it as an example.
 */
export function exampleObject(
  type: EventType,
  now = new Date(),
): Record<string, unknown> & { id: string } {
  const sample = SAMPLE_OBJECTS[type];
  const shiftMs = now.getTime() - Date.parse(sample.updated_at);
  const renew = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (TIME.test(value)) return new Date(Date.parse(value) + shiftMs).toISOString();
    const kind = KINDS.find((each) => isId(each, value));
    return kind === undefined ? value : mintId(kind);
  };
  const object = JSON.parse(JSON.stringify(sample), renew) as ReturnType<typeof exampleObject>;
  const order = `example-${object.id.slice(-ORDER_CHARS).toLowerCase()}`;
  return {
    ...object,
    description: DESCRIPTION,
    ...('order_id' in object ? { order_id: order } : {}),
    ...('metadata' in object ? { metadata: { tollgate_example: 'true' } } : {}),
  };
}
