/** Made-up events for one endpoint, one of each type that is wanted, in test mode. */
import { EVENT_TYPES, typesOf } from '../domain/event.ts';
import { isLive } from '../domain/merchant.ts';
import { checkEvents, requireEnabled } from './checks.ts';
import { exampleObject } from './examples.ts';
import { sendPing } from './ping.ts';
import { Refusal } from './refusal.ts';
import type { Services, Shown } from './services.ts';
import { sendTrial } from './trial.ts';

/**
 * Sends an example of each type in `type` (a comma list, `payment.*` or `*`) to the endpoint and to
 * no other, whatever it subscribes to: a trial sends what is asked for. The events are stored like
 * any other; the payments and refunds in them do not exist. Throws `Refusal` for an unknown type, an
 * endpoint that takes nothing, and one of live mode, where an event is taken at its word.
 */
export async function sendExample(
  services: Services,
  { id, type: list }: { id: string; type: string },
): Promise<{ events: Shown[] }> {
  const wanted = checkEvents(list, 'type').flatMap((one) => typesOf(one) ?? []);
  const endpoint = await requireEnabled(services, id);
  if (isLive(endpoint.m)) {
    throw new Refusal('parameter_invalid', {
      message: 'Examples are sent in test mode only.',
      param: 'id',
    });
  }
  const events: Shown[] = [];
  for (const type of EVENT_TYPES.filter((each) => wanted.includes(each))) {
    const sent =
      type === 'webhook_endpoint.ping'
        ? await sendPing(services, endpoint)
        : await sendTrial(services, endpoint, { type, object: exampleObject(type) });
    events.push({ type, ...sent });
  }
  return { events };
}
