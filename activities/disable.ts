/** Disables endpoints that are gone or keep failing, and notifies the merchant. */
import { SYSTEM, composeEntry, endpointChange } from '../domain/audit.ts';
import { DISABLE_AFTER_MS } from '../domain/endpoint.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { composeEvent } from '../domain/event.ts';
import { merchantOf } from '../domain/merchant.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { publish } from '../facts.ts';
import { insertAudit } from '../store/audit.ts';
import { disableEndpoint, endpointById } from '../store/endpoints.ts';
import { mintId } from '../store/mint.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Temporal } from '../temporal/client.ts';
import { emitToOthers } from '../store/emit.ts';

/** Returns whether the endpoint has failed for 5 days without a success. */
export function hasFailedForTooLong(endpoint: Endpoint, now: Date): boolean {
  const since = endpoint.failing_since?.getTime() ?? now.getTime();
  return now.getTime() - since >= DISABLE_AFTER_MS;
}

/**
 * Disables the endpoint, records the change and notifies the merchant's other endpoints, in one
 * transaction. Does nothing if the endpoint was changed since it was read, or, with the reason
 * `failing`, has worked since. Returns whether the endpoint is disabled now.
 */
export async function disable(
  deps: { mongo: Mongo; temporal: Pick<Temporal, 'startDelivery'> },
  endpoint: Endpoint,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const now = new Date();
  const id = mintId('event');
  const disabled: Endpoint = {
    ...endpoint,
    status: 'disabled',
    disabled_reason: reason,
    updated_at: now,
  };
  const event = composeEvent({
    id,
    tenant: endpoint.m,
    type: 'webhook_endpoint.disabled',
    paymentId: null,
    cause: `${endpoint._id}:disabled:${endpoint.updated_at.getTime()}`,
    object: publicEndpoint(disabled, null),
    request: null,
  });
  const about = { objectId: endpoint._id, merchantId: merchantOf(endpoint.m) };
  const entry = composeEntry(
    { action: 'endpoint.disable', ...about, ...endpointChange(endpoint, disabled) },
    { id: mintId('audit'), actor: SYSTEM },
  );
  const deliveries = await deps.mongo.transact(async (session) => {
    if (!(await disableEndpoint(deps.mongo, session, { endpoint, reason, now }))) return null;
    await insertAudit(deps.mongo, session, entry);
    return emitToOthers(deps.mongo, session, { event, about: endpoint });
  });
  if (!deliveries) return (await endpointById(deps.mongo, endpoint._id))?.status !== 'enabled';
  publish('disabled', { reason });
  // If a start fails, the sweep starts it later. The caller must still record its attempt.
  const start = async (each: Delivery) => deps.temporal.startDelivery(each._id, null, each);
  await Promise.allSettled(deliveries.map(start));
  return true;
}
