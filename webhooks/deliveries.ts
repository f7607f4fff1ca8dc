/** `tollgate deliveries` and `tollgate resend`: what was sent, what came back, and sending again. */
import type { Delivery } from '../domain/delivery.ts';
import { DELIVERY_STATES, newDelivery } from '../domain/delivery.ts';
import type { DeliveryState } from '../domain/delivery.ts';
import { isId } from '../domain/id.ts';
import { findAnyDelivery, insertDelivery } from '../store/deliveries.ts';
import { findAnyEvent } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import { readPage } from '../store/page.ts';
import { requireEndpoint } from './endpoints.ts';
import { Refusal } from './refusal.ts';
import { startSoon } from './services.ts';
import type { Services } from './services.ts';

type Shown = Record<string, unknown>;

const MAX_LIMIT = 100;

export interface ListOptions {
  endpoint?: string;
  state?: string;
  limit: string;
  startingAfter?: string;
}

/** A page of an endpoint's deliveries, newest first. */
export async function showDeliveries(services: Services, options: ListOptions): Promise<Shown> {
  const { endpoint: id = '', state, startingAfter } = options;
  const endpoint = await requireEndpoint(services, id);
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new Refusal('limit_out_of_range', `limit must be from 1 to ${MAX_LIMIT}.`, 'limit');
  }
  if (state !== undefined && !DELIVERY_STATES.includes(state as DeliveryState)) {
    const message = `The state must be one of: ${DELIVERY_STATES.join(', ')}.`;
    throw new Refusal('parameter_invalid', message, 'state');
  }
  if (startingAfter !== undefined && !isId('delivery', startingAfter)) {
    throw new Refusal('cursor_invalid', 'starting-after is no delivery.', 'starting-after');
  }
  const of = { m: endpoint.m, endpoint_id: endpoint._id };
  const filter = state === undefined ? of : { ...of, state };
  const page = await readPage(services.mongo.deliveries, { filter, limit, startingAfter });
  return { deliveries: page.rows.map(inShort), has_more: page.hasMore };
}

/** One delivery with all of its attempts, and the event's bytes as they were sent. */
export async function showDelivery({ mongo }: Services, { id }: { id: string }): Promise<Shown> {
  const delivery = await requireDelivery({ mongo }, id);
  const event = await findAnyEvent(mongo, delivery.event_id);
  return { ...inShort(delivery), attempts: delivery.attempts, body: event?.body ?? null };
}

/**
 * Sends the event of a delivery to its endpoint again, with the same bytes, by a new delivery that
 * is retried like any other. Throws `Refusal` when the endpoint takes none.
 */
export async function resendDelivery(services: Services, { id }: { id: string }): Promise<Shown> {
  const { mongo } = services;
  const { m, endpoint_id, event_id } = await requireDelivery(services, id);
  const endpoint = await requireEndpoint(services, endpoint_id);
  if (endpoint.status !== 'enabled') {
    throw new Refusal('parameter_invalid', 'The endpoint is disabled: enable it first.', 'id');
  }
  const row = newDelivery({
    id: mintId('delivery'),
    m,
    endpointId: endpoint_id,
    eventId: event_id,
    state: 'pending',
    trigger: 'manual',
    now: new Date(),
  });
  await insertDelivery(mongo, row);
  return startSoon(services, row);
}

async function requireDelivery({ mongo }: Pick<Services, 'mongo'>, id: string): Promise<Delivery> {
  const delivery = await findAnyDelivery(mongo, id);
  if (delivery) return delivery;
  throw new Refusal('resource_missing', 'There is no such delivery.', 'id');
}

function inShort(delivery: Delivery): Shown {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery._id,
    event_id: delivery.event_id,
    endpoint_id: delivery.endpoint_id,
    state: delivery.state,
    trigger: delivery.trigger ?? 'automatic',
    attempts_count: delivery.attempts.length,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
    created_at: delivery.created_at.toISOString(),
  };
}
