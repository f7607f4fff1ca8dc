/** An event of its own for one endpoint, to see whether it is heard. */
import type { Endpoint } from '../domain/endpoint.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { lastSuccessAt } from '../store/deliveries.ts';
import { requireEnabled } from './checks.ts';
import type { Services, Shown } from './services.ts';
import { sendTrial } from './trial.ts';

/**
 * Sends `webhook_endpoint.ping` to the endpoint, whatever it subscribes to, and to no other. It is
 * signed, retried and recorded like any other event. Throws `Refusal` when it takes none.
 */
export async function pingEndpoint(services: Services, { id }: { id: string }): Promise<Shown> {
  return sendPing(services, await requireEnabled(services, id));
}

/** The same to an endpoint that was looked at before. */
export async function sendPing(services: Services, endpoint: Endpoint): Promise<Shown> {
  const object = publicEndpoint(endpoint, await lastSuccessAt(services.mongo, endpoint));
  return sendTrial(services, endpoint, { type: 'webhook_endpoint.ping', object });
}
