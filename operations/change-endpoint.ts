/** An endpoint's life after it was registered. */
import { makeWebhookSecret } from '../outbound/sign.ts';
import { endpointChange } from '../domain/audit.ts';
import type { Action } from '../domain/audit.ts';
import { MAX_LIVE_SECRETS, withNewSecret } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { merchantOf, tenantOf } from '../domain/merchant.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { countDeliveries, lastSuccessAt, stopDeliveriesOf } from '../store/deliveries.ts';
import { changeEndpoint, listEndpoints } from '../store/endpoints.ts';
import { findMerchant } from '../store/merchants.ts';
import { countByState } from '../store/selection.ts';
import {
  CLOCKS_MS,
  checkDescription,
  checkEvents,
  checkOverlap,
  checkUrl,
  requireEndpoint,
} from './checks.ts';
import { HINT_LENGTH } from './create-endpoint.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Registry, Shown } from './services.ts';

/** Another operator may change the endpoint between our look and our write; then we look again. */
const MAX_TRIES = 5;

/** Counting further reads more of the index than the figure is worth: this means so many or more. */
const COUNTED_TO = 1_000;
/** What an endpoint has not accepted. */
const OPEN_STATES = ['pending', 'failed', 'skipped', 'stopped'] as const;

/**
 * All endpoints of a merchant's test mode that are not deleted, each with how many of its
 * deliveries are in each state but succeeded, up to `counted_to`. What was sent again later counts
 * all the same: that is another delivery.
 */
export async function showEndpoints(
  services: Registry,
  { merchant }: { merchant: string },
): Promise<{ endpoints: Shown[] }> {
  if (!(await findMerchant(services.mongo, merchant))) {
    throw new Refusal('resource_missing', {
      message: 'There is no such merchant.',
      param: 'merchant',
    });
  }
  const endpoints = await listEndpoints(services.mongo, tenantOf(merchant, 'test'));
  const shown = endpoints.map(async (each) => {
    return { ...(await show(services, each)), deliveries: await countOpen(services, each) };
  });
  return { endpoints: await Promise.all(shown) };
}

/**
 * Changes what is given. Deliveries that wait use the new address from their next attempt. Throws
 * `Refusal` when nothing is given, or one of it cannot be taken.
 */
export async function updateEndpoint(
  services: Registry,
  options: { id: string; url?: string; events?: string; description?: string },
): Promise<Shown> {
  const { id, url, events, description } = options;
  if (url === undefined && events === undefined && description === undefined) {
    const message = 'Say what to change: the url, the events or the description.';
    throw new Refusal('parameter_missing', { message });
  }
  const changes = {
    ...(url === undefined ? {} : { url: await checkUrl(url, services.opened) }),
    ...(events === undefined ? {} : { enabled_events: checkEvents(events) }),
    ...(description === undefined ? {} : { description: checkDescription(description) }),
  };
  const change = (endpoint: Endpoint): Endpoint => ({ ...endpoint, ...changes });
  return show(services, await edit(services, { id, action: 'endpoint.update' }, change));
}

/** Moves an endpoint to an address that the operator configured, without checking it. */
export async function moveEndpoint(
  services: Registry,
  { id, url }: { id: string; url: string },
): Promise<void> {
  await edit(services, { id, action: 'endpoint.update' }, (endpoint) => ({ ...endpoint, url }));
}

/**
 * Lets an endpoint hear of events again. Tells how many it has missed while it was disabled, at any
 * time, among the oldest `counted_to`, and since when: `skipped` were made meanwhile, `stopped`
 * waited when it happened. They are the events that a replay of both states since then sends.
 */
export async function enableEndpoint(services: Registry, { id }: { id: string }): Promise<Shown> {
  const enabled = await edit(services, { id, action: 'endpoint.enable' }, (endpoint) => ({
    ...endpoint,
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  }));
  const { m, _id: endpoint_id } = enabled;
  const selection = { kind: 'deliveries', states: ['skipped', 'stopped'] } as const;
  // A little ahead: what another process has made may be of a clock before ours.
  const stretch = { from: new Date(0), until: new Date(Date.now() + CLOCKS_MS) };
  const wanted = { m, endpoint_id, selection, ...stretch };
  const { counts, since } = await countByState(services.mongo, wanted, COUNTED_TO);
  return {
    ...(await show(services, enabled)),
    skipped: counts.skipped ?? 0,
    stopped: counts.stopped ?? 0,
    counted_to: COUNTED_TO,
    missed_since: since?.toISOString() ?? null,
  };
}

/** Sends nothing more to an endpoint; events are kept for it as skipped. */
export async function disableEndpointByHand(
  services: Registry,
  { id }: { id: string },
): Promise<Shown> {
  const disabled = await edit(services, { id, action: 'endpoint.disable' }, (endpoint) => ({
    ...endpoint,
    status: 'disabled',
    disabled_reason: 'merchant',
  }));
  const stopped = await stopDeliveriesOf(services.mongo, disabled);
  return { ...(await show(services, disabled)), stopped };
}

/** Removes an endpoint for good: nothing more is sent to it, and nothing is kept for it. */
export async function deleteEndpoint(services: Registry, { id }: { id: string }): Promise<Shown> {
  const deleted = await edit(services, { id, action: 'endpoint.delete' }, (endpoint) => ({
    ...endpoint,
    status: 'deleted',
  }));
  return { id, deleted: true, stopped: await stopDeliveriesOf(services.mongo, deleted) };
}

/** A new signing secret, shown this one time; the old one signs too while the overlap lasts. */
export async function rotateSecret(
  services: Registry,
  { id, overlap }: { id: string; overlap: string },
): Promise<Shown> {
  const overlapMs = checkOverlap(overlap);
  const secret = makeWebhookSecret();
  const fresh = { secret: services.sealer.seal(secret, id), hint: secret.slice(-HINT_LENGTH) };
  const now = new Date();
  await edit(services, { id, action: 'endpoint.rotate_secret' }, (endpoint) => {
    const rotated = withNewSecret(endpoint, fresh, { overlapMs, now });
    if (rotated) return rotated;
    const message = `An endpoint has at most ${MAX_LIVE_SECRETS} secrets at a time: wait until an older one ends, or take the overlap 0, which ends all of them.`;
    throw new Refusal('parameter_invalid', { message, param: 'overlap' });
  });
  const until = overlapMs === 0 ? null : new Date(now.getTime() + overlapMs).toISOString();
  return { id, secret, old_secret_signs_until: until };
}

async function edit(
  services: Registry,
  { id, action }: { id: string; action: Action },
  change: (endpoint: Endpoint) => Endpoint,
): Promise<Endpoint> {
  for (let round = 0; round < MAX_TRIES; round += 1) {
    const before = await requireEndpoint(services, id);
    const after = { ...change(before), updated_at: new Date() };
    const merchantId = merchantOf(before.m);
    const changed = endpointChange(before, after);
    const entry = entryOf(services, { action, objectId: id, merchantId, ...changed });
    if (await changeEndpoint(services.mongo, { before, after, entry })) return after;
  }
  throw new Error(`${id} is being changed by others; try again.`);
}

async function show({ mongo }: Registry, endpoint: Endpoint): Promise<Shown> {
  return publicEndpoint(endpoint, await lastSuccessAt(mongo, endpoint));
}

async function countOpen({ mongo }: Registry, { m, _id: endpoint_id }: Endpoint): Promise<Shown> {
  const counts = OPEN_STATES.map(async (state) => {
    return [state, await countDeliveries(mongo, { m, endpoint_id, state }, COUNTED_TO)] as const;
  });
  return { ...Object.fromEntries(await Promise.all(counts)), counted_to: COUNTED_TO };
}
