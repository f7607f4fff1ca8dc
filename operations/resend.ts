/** Sending the event of one delivery again. */
import { newDelivery } from '../domain/delivery.ts';
import { merchantOf } from '../domain/merchant.ts';
import { insertDelivery } from '../store/deliveries.ts';
import { mintId } from '../store/mint.ts';
import { requireEnabled } from './checks.ts';
import { requireDelivery } from './deliveries.ts';
import { entryOf, beginDelivery } from './services.ts';
import type { Services, Shown } from './services.ts';

/**
 * Sends the event of a delivery to its endpoint again, with the same bytes, by a new delivery that
 * is retried like any other; a trial stays one. Throws `Refusal` when the endpoint takes none.
 */
export async function resendDelivery(services: Services, { id }: { id: string }): Promise<Shown> {
  const { mongo } = services;
  const { m, endpoint_id, event_id, trigger } = await requireDelivery(services, id);
  await requireEnabled(services, endpoint_id);
  const row = newDelivery({
    id: mintId('delivery'),
    m,
    endpointId: endpoint_id,
    eventId: event_id,
    state: 'pending',
    // What a replay leaves out, and the gate lets pass, is the same however often it is sent.
    trigger: trigger === 'test' ? 'test' : 'manual',
    now: new Date(),
  });
  const entry = entryOf(services, {
    action: 'delivery.resend',
    objectId: id,
    merchantId: merchantOf(m),
    after: { endpoint_id, event_id, delivery_id: row._id },
  });
  await insertDelivery(mongo, row, entry);
  return beginDelivery(services, row);
}
