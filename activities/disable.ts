/** Endpoints that nobody answers at any more are disabled, and the merchant hears of it. */
import { SYSTEM, composeEntry, endpointChange } from '../domain/audit.ts';
import { DISABLE_AFTER_MS } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { composeEvent } from '../domain/event.ts';
import { merchantOf } from '../domain/merchant.ts';
import { publicEndpoint } from '../domain/wire.ts';
import { insertAudit } from '../store/audit.ts';
import { disableEndpoint, endpointById } from '../store/endpoints.ts';
import { mintId } from '../store/mint.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Temporal } from '../temporal/client.ts';
import { emitToOthers } from '../store/emit.ts';

/** Whether nothing but failures came back from the endpoint for 5 days. */
export function hasFailedForTooLong(endpoint: Endpoint, now: Date): boolean {
  const since = endpoint.failing_since?.getTime() ?? now.getTime();
  return now.getTime() - since >= DISABLE_AFTER_MS;
}

/**
 * Disables the endpoint, records the change and notifies the merchant's other endpoints, in one
 * transaction. Returns whether the endpoint is disabled now. Does nothing if somebody has changed
 * the endpoint since it was read. With the reason `failing`, it also does nothing if the endpoint
 * has worked since.
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
    m: endpoint.m,
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
  // What cannot be started is found by the sweep; the attempt that led here is yet to be recorded.
  await Promise.allSettled(deliveries.map(async ({ _id }) => deps.temporal.startDelivery(_id)));
  return true;
}
