/** What was sent and what came back, for people. */
import type { Delivery } from '../domain/delivery.ts';
import { DELIVERY_STATES } from '../domain/delivery.ts';
import type { DeliveryState } from '../domain/delivery.ts';
import { isId } from '../domain/id.ts';
import { deliveryById } from '../store/deliveries.ts';
import { eventById } from '../store/events.ts';
import { readPage } from '../store/page.ts';
import { requireEndpoint } from './checks.ts';
import { Refusal } from './refusal.ts';
import type { Services, Shown } from './services.ts';

type Reader = Pick<Services, 'mongo'>;

const MAX_LIMIT = 100;

export interface ListOptions {
  endpoint: string;
  state?: string;
  limit: string;
  startingAfter?: string;
}

/** A page of an endpoint's deliveries, newest first. */
export async function showDeliveries(services: Reader, options: ListOptions): Promise<Shown> {
  const { endpoint: id, state, startingAfter } = options;
  const endpoint = await requireEndpoint(services, id);
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new Refusal('limit_out_of_range', {
      message: `limit must be from 1 to ${MAX_LIMIT}.`,
      param: 'limit',
    });
  }
  if (state !== undefined && !DELIVERY_STATES.includes(state as DeliveryState)) {
    const message = `The state must be one of: ${DELIVERY_STATES.join(', ')}.`;
    throw new Refusal('parameter_invalid', { message, param: 'state' });
  }
  if (startingAfter !== undefined && !isId('delivery', startingAfter)) {
    throw new Refusal('cursor_invalid', {
      message: 'starting-after is no delivery.',
      param: 'starting-after',
    });
  }
  const of = { m: endpoint.m, endpoint_id: endpoint._id };
  const filter = state === undefined ? of : { ...of, state };
  const page = await readPage(services.mongo.deliveries, { filter, limit, startingAfter });
  return { deliveries: page.rows.map(inShort), has_more: page.hasMore };
}

/** One delivery with all of its attempts, and the event's bytes as they were sent. */
export async function showDelivery({ mongo }: Reader, { id }: { id: string }): Promise<Shown> {
  const delivery = await requireDelivery({ mongo }, id);
  const event = await eventById(mongo, delivery.event_id);
  return { ...inShort(delivery), attempts: delivery.attempts, body: event?.body ?? null };
}

/** The delivery of that id. Throws `Refusal` when there is none. */
export async function requireDelivery({ mongo }: Reader, id: string): Promise<Delivery> {
  const delivery = await deliveryById(mongo, id);
  if (delivery) return delivery;
  throw new Refusal('resource_missing', { message: 'There is no such delivery.', param: 'id' });
}

function inShort(delivery: Delivery): Shown {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery._id,
    event_id: delivery.event_id,
    endpoint_id: delivery.endpoint_id,
    state: delivery.state,
    trigger: delivery.trigger ?? 'automatic',
    ...(delivery.replay_id === undefined ? {} : { replay_id: delivery.replay_id }),
    attempts_count: delivery.attempts.length,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
    created_at: delivery.created_at.toISOString(),
  };
}
