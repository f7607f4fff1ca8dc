/** Listing, changing, enabling, disabling and deleting endpoints, and replacing their secrets. */
import { makeWebhookSecret } from '../outbound/sign.ts';
import { endpointChange } from '../domain/audit.ts';
import type { Action } from '../domain/audit.ts';
import { MAX_LIVE_SECRETS, withNewSecret } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { merchantOf, tenantOf } from '../domain/merchant.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { countDeliveries, lastSuccessAt, stopDeliveriesOf } from '../store/deliveries.ts';
import { changeEndpoint, listEndpoints } from '../store/endpoints.ts';
import { countByState } from '../store/selection.ts';
import {
  CLOCKS_MS,
  checkDescription,
  checkEvents,
  checkOverlap,
  checkUrl,
  requireEndpoint,
  requireMerchant,
} from './checks.ts';
import { HINT_LENGTH } from './create-endpoint.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Registry, Shown } from './services.ts';

/** The number of tries to change an endpoint while other operators change it too. */
const MAX_TRIES = 5;

/** The highest count. It means this number or more, because counting further costs too much. */
const COUNTED_TO = 1_000;
/** The states of deliveries that an endpoint has not accepted. */
const OPEN_STATES = ['pending', 'failed', 'skipped', 'stopped'] as const;

/**
 * Returns all endpoints in a merchant's test mode except deleted ones. Each has the number of its
 * deliveries in each state but succeeded, up to `counted_to`. A failed delivery still counts after
 * its event was sent again, because that was another delivery.
 */
export async function showEndpoints(
  services: Registry,
  { merchant }: { merchant: string },
): Promise<{ endpoints: Shown[] }> {
  await requireMerchant(services, merchant);
  const endpoints = await listEndpoints(services.mongo, tenantOf(merchant, 'test'));
  const shown = endpoints.map(async (each) => {
    return { ...(await show(services, each)), deliveries: await countOpen(services, each) };
  });
  return { endpoints: await Promise.all(shown) };
}

/** Returns what differs after every change of an endpoint by a person, for `version`. */
export const versionOf = ({ updated_at }: Endpoint): string => updated_at.toISOString();

/**
 * Changes the given members. Pending deliveries use a new URL from their next attempt on. Throws
 * `Refusal` if no member is given or one is invalid, or if the endpoint has another `version`.
 */
export async function updateEndpoint(
  services: Registry,
  options: { id: string; url?: string; events?: string; description?: string; version?: string },
): Promise<Shown> {
  const { id, url, events, description, version } = options;
  if (url === undefined && events === undefined && description === undefined) {
    const message = 'Give at least one of the url, the events and the description.';
    throw new Refusal('parameter_missing', { message });
  }
  const changes = {
    ...(url === undefined ? {} : { url: await checkUrl(url, services.opened) }),
    ...(events === undefined ? {} : { enabled_events: checkEvents(events) }),
    ...(description === undefined ? {} : { description: checkDescription(description) }),
  };
  const act = { id, version, action: 'endpoint.update' } as const;
  return show(services, await edit(services, act, () => changes));
}

/**
 * Enables an endpoint. Returns how many deliveries it missed while it was disabled, now or earlier,
 * and the time of the first. Counts the oldest `counted_to` at most. A `skipped` delivery was
 * created while the endpoint was disabled. A `stopped` one was pending when it was disabled. A
 * replay of both states since `missed_since` sends them.
 */
export async function enableEndpoint(services: Registry, { id }: { id: string }): Promise<Shown> {
  const enabled = await edit(services, { id, action: 'endpoint.enable' }, () => ({
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  }));
  const { m: tenant, _id: endpoint_id } = enabled;
  const selection = { kind: 'deliveries', states: ['skipped', 'stopped'] } as const;
  // Another process may have created deliveries with a clock that is ahead of ours.
  const until = new Date(Date.now() + CLOCKS_MS);
  const wanted = { m: tenant, endpoint_id, selection, from: new Date(0), until };
  const { counts, since } = await countByState(services.mongo, wanted, COUNTED_TO);
  return {
    ...(await show(services, enabled)),
    skipped: counts.skipped ?? 0,
    stopped: counts.stopped ?? 0,
    counted_to: COUNTED_TO,
    missed_since: since?.toISOString() ?? null,
  };
}

/** Disables an endpoint: stops its deliveries, and keeps later events for it as skipped. */
export async function disableEndpointByHand(
  services: Registry,
  { id }: { id: string },
): Promise<Shown> {
  const disabled = await edit(services, { id, action: 'endpoint.disable' }, () => ({
    status: 'disabled',
    disabled_reason: 'merchant',
  }));
  const stopped = await stopDeliveriesOf(services.mongo, disabled);
  return { ...(await show(services, disabled)), stopped };
}

/** Deletes an endpoint permanently: stops its deliveries, and keeps no later events for it. */
export async function deleteEndpoint(services: Registry, { id }: { id: string }): Promise<Shown> {
  const deleted = await edit(services, { id, action: 'endpoint.delete' }, () => ({
    status: 'deleted',
  }));
  return { id, deleted: true, stopped: await stopDeliveriesOf(services.mongo, deleted) };
}

/**
 * Creates a new signing secret, which is shown only once. The old one signs too during the overlap.
 * Throws `Refusal` if the endpoint has too many secrets, or another `version`.
 */
export async function rotateSecret(
  services: Registry,
  { id, overlap, version }: { id: string; overlap: string; version?: string },
): Promise<Shown> {
  const overlapMs = checkOverlap(overlap);
  const secret = makeWebhookSecret();
  const fresh = { secret: services.sealer.seal(secret, id), hint: secret.slice(-HINT_LENGTH) };
  const now = new Date();
  await edit(services, { id, version, action: 'endpoint.rotate_secret' }, (endpoint) => {
    const rotated = withNewSecret(endpoint, fresh, { overlapMs, now });
    if (rotated) return rotated;
    const message = `An endpoint has at most ${MAX_LIVE_SECRETS} secrets at a time: wait until an older one expires, or use the overlap 0, which expires all of them.`;
    throw Refusal.ofParam('overlap', message);
  });
  const until = overlapMs === 0 ? null : new Date(now.getTime() + overlapMs).toISOString();
  return { id, secret, old_secret_signs_until: until };
}

async function edit(
  services: Registry,
  { id, action, version }: { id: string; action: Action; version?: string | undefined },
  change: (endpoint: Endpoint) => Partial<Endpoint>,
): Promise<Endpoint> {
  for (let round = 0; round < MAX_TRIES; round += 1) {
    const before = await requireEndpoint(services, id);
    if (version !== undefined && version !== versionOf(before)) {
      const message = 'The endpoint has changed since this page was loaded: check it first.';
      throw new Refusal('parameter_invalid', { message });
    }
    const after = { ...before, ...change(before), updated_at: new Date() };
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

async function countOpen(
  { mongo }: Registry,
  { m: tenant, _id: endpoint_id }: Endpoint,
): Promise<Shown> {
  const counts = OPEN_STATES.map(async (state) => {
    return [
      state,
      await countDeliveries(mongo, { m: tenant, endpoint_id, state }, COUNTED_TO),
    ] as const;
  });
  return { ...Object.fromEntries(await Promise.all(counts)), counted_to: COUNTED_TO };
}
