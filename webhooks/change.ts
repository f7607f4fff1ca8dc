/** `tollgate endpoint list | update | enable | disable | delete | rotate-secret` */
import { makeWebhookSecret } from '../activities/sign.ts';
import { MAX_LIVE_SECRETS, OVERLAPS, withNewSecret } from '../domain/endpoint.ts';
import type { Endpoint, Overlap } from '../domain/endpoint.ts';
import { tenantOf } from '../domain/merchant.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { countDeliveries, lastSuccessAt, stopDeliveriesOf } from '../store/deliveries.ts';
import { changeEndpoint, findAnyEndpoint, listEndpoints } from '../store/endpoints.ts';
import { findMerchant } from '../store/merchants.ts';
import { HINT_LENGTH, checkDescription, checkEvents, checkUrl } from './endpoint.ts';
import { Refusal } from './refusal.ts';
import type { Services } from './services.ts';

type Shown = Record<string, unknown>;

/** Another operator may change the endpoint between our look and our write; then we look again. */
const MAX_TRIES = 5;

/** The endpoint of that id. Throws `Refusal` when there is none, or it was deleted. */
export async function requireEndpoint({ mongo }: Services, id: string): Promise<Endpoint> {
  const endpoint = await findAnyEndpoint(mongo, id);
  if (endpoint && endpoint.status !== 'deleted') return endpoint;
  throw new Refusal('resource_missing', 'There is no such webhook endpoint.', 'id');
}

/** All endpoints of a merchant's test mode that are not deleted. */
export async function showEndpoints(
  services: Services,
  { merchant }: { merchant: string },
): Promise<{ endpoints: Shown[] }> {
  if (!(await findMerchant(services.mongo, merchant))) {
    throw new Refusal('resource_missing', 'There is no such merchant.', 'merchant');
  }
  const endpoints = await listEndpoints(services.mongo, tenantOf(merchant, 'test'));
  return { endpoints: await Promise.all(endpoints.map(async (each) => show(services, each))) };
}

/** Changes what is given. Deliveries that wait use the new address from their next attempt. */
export async function updateEndpoint(
  services: Services,
  options: { id: string; url?: string; events?: string; description?: string },
): Promise<Shown> {
  const { id, url, events, description } = options;
  const changes = {
    ...(url === undefined ? {} : { url: await checkUrl(url, services.opened) }),
    ...(events === undefined ? {} : { enabled_events: checkEvents(events) }),
    ...(description === undefined ? {} : { description: checkDescription(description) }),
  };
  return show(services, await edit(services, id, (endpoint) => ({ ...endpoint, ...changes })));
}

/** Lets an endpoint hear of events again; tells how many it has missed meanwhile. */
export async function enableEndpoint(services: Services, { id }: { id: string }): Promise<Shown> {
  const enabled = await edit(services, id, (endpoint) => ({
    ...endpoint,
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  }));
  const { m } = enabled;
  const missed = await countDeliveries(services.mongo, { m, endpoint_id: id, state: 'skipped' });
  return { ...(await show(services, enabled)), skipped: missed };
}

/** Sends nothing more to an endpoint; events are kept for it as skipped. */
export async function disableEndpointByHand(
  services: Services,
  { id }: { id: string },
): Promise<Shown> {
  const disabled = await edit(services, id, (endpoint) => ({
    ...endpoint,
    status: 'disabled',
    disabled_reason: 'merchant',
  }));
  const stopped = await stopDeliveriesOf(services.mongo, disabled);
  return { ...(await show(services, disabled)), stopped };
}

/** Removes an endpoint for good: nothing more is sent to it, and nothing is kept for it. */
export async function deleteEndpoint(services: Services, { id }: { id: string }): Promise<Shown> {
  const deleted = await edit(services, id, (endpoint) => ({ ...endpoint, status: 'deleted' }));
  return { id, deleted: true, stopped: await stopDeliveriesOf(services.mongo, deleted) };
}

/** A new signing secret, shown this one time; the old one signs too while the overlap lasts. */
export async function rotateSecret(
  services: Services,
  { id, overlap }: { id: string; overlap: string },
): Promise<Shown> {
  if (!Object.hasOwn(OVERLAPS, overlap)) {
    const names = Object.keys(OVERLAPS).join(', ');
    throw new Refusal('parameter_invalid', `The overlap must be one of: ${names}.`, 'overlap');
  }
  const overlapMs = OVERLAPS[overlap as Overlap];
  const secret = makeWebhookSecret();
  const fresh = { secret: services.sealer.seal(secret, id), hint: secret.slice(-HINT_LENGTH) };
  const now = new Date();
  await edit(services, id, (endpoint) => {
    const rotated = withNewSecret(endpoint, fresh, { overlapMs, now });
    if (rotated) return rotated;
    const message = `An endpoint has at most ${MAX_LIVE_SECRETS} secrets at a time: wait until an older one ends, or take the overlap 0, which ends all of them.`;
    throw new Refusal('parameter_invalid', message, 'overlap');
  });
  const until = overlapMs === 0 ? null : new Date(now.getTime() + overlapMs).toISOString();
  return { id, secret, old_secret_signs_until: until };
}

async function edit(
  services: Services,
  id: string,
  change: (endpoint: Endpoint) => Endpoint,
): Promise<Endpoint> {
  for (let round = 0; round < MAX_TRIES; round += 1) {
    const before = await requireEndpoint(services, id);
    const after = { ...change(before), updated_at: new Date() };
    if (await changeEndpoint(services.mongo, before, after)) return after;
  }
  throw new Error(`${id} is being changed by others; try again.`);
}

async function show({ mongo }: Services, endpoint: Endpoint): Promise<Shown> {
  return publicEndpoint(endpoint, await lastSuccessAt(mongo, endpoint));
}
