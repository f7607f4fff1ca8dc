/** `tollgate endpoint ping`: an event of its own for one endpoint, to see whether it is heard. */
import { newDelivery } from '../domain/delivery.ts';
import { composeEvent } from '../domain/event.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { insertDeliveries, lastSuccessAt } from '../store/deliveries.ts';
import { insertEvent } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import { requireEndpoint } from './endpoints.ts';
import { Refusal } from './refusal.ts';
import { startSoon } from './services.ts';
import type { Services } from './services.ts';

/**
 * Sends `webhook_endpoint.ping` to the endpoint, whatever it subscribes to, and to no other. It is
 * signed, retried and recorded like any other event. Throws `Refusal` when it takes none.
 */
export async function pingEndpoint(
  services: Services,
  { id }: { id: string },
): Promise<Record<string, unknown>> {
  const { mongo } = services;
  const endpoint = await requireEndpoint(services, id);
  if (endpoint.status !== 'enabled') {
    throw new Refusal('parameter_invalid', 'The endpoint is disabled: enable it first.', 'id');
  }
  const eventId = mintId('event');
  const event = composeEvent({
    id: eventId,
    m: endpoint.m,
    type: 'webhook_endpoint.ping',
    paymentId: null,
    cause: `${id}:ping:${eventId}`,
    object: publicEndpoint(endpoint, await lastSuccessAt(mongo, endpoint)),
    request: null,
  });
  const delivery = newDelivery({
    id: mintId('delivery'),
    m: endpoint.m,
    endpointId: id,
    eventId,
    state: 'pending',
    trigger: 'test',
    now: event.created_at,
  });
  await mongo.transact(async (session) => {
    await insertEvent(mongo, session, event);
    await insertDeliveries(mongo, session, [delivery]);
  });
  return { event_id: eventId, ...(await startSoon(services, delivery)) };
}
