/** Deliveries: what was sent and what came back, and sending the event of one again. */
import { DELIVERY_STATES, newDelivery } from '../domain/delivery.ts';
import type { Delivery, DeliveryState } from '../domain/delivery.ts';
import { merchantOf } from '../domain/merchant.ts';
import { deliveryById, insertResend } from '../store/deliveries.ts';
import { eventById, eventTypesOf } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import { readPage } from '../store/page.ts';
import { checkPage, requireEnabled, requireEndpoint } from './checks.ts';
import type { PageOptions } from './checks.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf, startTime } from './services.ts';
import type { Services, Shown } from './services.ts';

type Reader = Pick<Services, 'mongo'>;

export interface ListOptions extends PageOptions {
  endpoint: string;
  /** One or more states, separated by commas. */
  state?: string;
}

/** Returns a page of an endpoint's deliveries, newest first, with the types of their events. */
export async function showDeliveries(services: Reader, options: ListOptions): Promise<Shown> {
  const { state } = options;
  const { m: tenant, _id: endpoint_id } = await requireEndpoint(services, options.endpoint);
  const page = checkPage('delivery', options);
  const chosen = state === undefined ? {} : { state: { $in: statesIn(state) } };
  const filter = { m: tenant, endpoint_id, ...chosen };
  const { rows, hasMore } = await readPage(services.mongo.deliveries, { filter, ...page });
  const events = await eventTypesOf(
    services.mongo,
    rows.map(({ event_id }) => event_id),
  );
  return {
    deliveries: rows.map((row) => show(row, events.get(row.event_id)?.type)),
    has_more: hasMore,
  };
}

/** Returns a delivery with all of its attempts, and the event's bytes as they were sent. */
export async function showDelivery({ mongo }: Reader, { id }: { id: string }): Promise<Shown> {
  const delivery = await requireDelivery({ mongo }, id);
  const event = await eventById(mongo, delivery.event_id);
  const shown = show(delivery, event?.type);
  return { ...shown, attempts: delivery.attempts, body: event?.body ?? null };
}

/**
 * Sends the event of a delivery to its endpoint again, with the same bytes. The new delivery is
 * retried like any other. Throws `Refusal` if the endpoint is disabled or deleted, or if the event
 * was sent again since `resends` was read.
 */
export async function resendDelivery(
  services: Services,
  { id, resends }: { id: string; resends?: number },
): Promise<Shown> {
  const { m: tenant, endpoint_id, event_id, trigger } = await requireDelivery(services, id);
  await requireEnabled(services, endpoint_id);
  const row = newDelivery({
    id: mintId('delivery'),
    tenant,
    endpointId: endpoint_id,
    eventId: event_id,
    state: 'pending',
    // A resent test event is still a test: replays leave it out, and the gate lets it pass.
    trigger: trigger === 'test' ? 'test' : 'manual',
    now: new Date(),
  });
  const entry = entryOf(services, {
    action: 'delivery.resend',
    objectId: id,
    merchantId: merchantOf(tenant),
    after: { endpoint_id, event_id, delivery_id: row._id },
  });
  if (!(await insertResend(services.mongo, row, { of: id, resends, entry }))) {
    const message = 'The event was sent again since this page was loaded.';
    throw new Refusal('parameter_invalid', { message });
  }
  const start = services.temporal.startDelivery(row._id, null, row);
  return { id: row._id, starts: await startTime(start) };
}

/** Returns the delivery. Throws `Refusal` if it does not exist. */
export async function requireDelivery({ mongo }: Reader, id: string): Promise<Delivery> {
  return requireFound(await deliveryById(mongo, id), 'There is no such delivery.');
}

function statesIn(list: string): DeliveryState[] {
  const given = list.split(',').map((state) => state.trim());
  if (given.every((state) => DELIVERY_STATES.includes(state as DeliveryState))) {
    return given as DeliveryState[];
  }
  throw Refusal.ofParam('state', `The states are: ${DELIVERY_STATES.join(', ')}.`);
}

function show(delivery: Delivery, eventType: string | undefined): Shown {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery._id,
    event_id: delivery.event_id,
    event_type: eventType ?? null,
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
