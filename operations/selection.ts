/** The selection of a replay: what people may choose, and the part that the endpoint may get. */
import { subscribes } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { EVENT_TYPES, TRIAL, typesOf } from '../domain/event.ts';
import type { Event } from '../domain/event.ts';
import { firstIdAt, isId } from '../domain/id.ts';
import { MAX_REPLAY_IDS, REPEATABLE_STATES } from '../domain/replay.ts';
import type { RepeatableState, ReplaySelection } from '../domain/replay.ts';
import type { Mongo } from '../store/mongo.ts';
import { namedEvents } from '../store/selection.ts';
import type { Wanted } from '../store/selection.ts';
import { checkEvents } from './checks.ts';
import { Refusal } from './refusal.ts';

/** Returns a selection of deliveries by states: failed, skipped or stopped, comma-separated. */
export function failuresIn(states: string): ReplaySelection {
  const given = states.split(',').map((state) => state.trim());
  if (given.every((state) => REPEATABLE_STATES.includes(state as RepeatableState))) {
    return { kind: 'deliveries', states: given as RepeatableState[] };
  }
  const message = `The states to send again are: ${REPEATABLE_STATES.join(', ')}.`;
  throw Refusal.ofParam('state', message);
}

/** Returns a selection of events by type (comma-separated, by default all), by payment or by id. */
export function eventsOf(chosen: {
  events?: string | undefined;
  payment?: string | undefined;
  ids?: string | undefined;
}): ReplaySelection {
  const types = checkEvents(chosen.events ?? '*').flatMap((one) => typesOf(one) ?? []);
  if (chosen.payment !== undefined && !isId('payment', chosen.payment)) {
    throw Refusal.ofParam('payment', `${chosen.payment} is not a payment's id.`);
  }
  return {
    kind: 'events',
    types: EVENT_TYPES.filter((type) => types.includes(type)),
    payment_id: chosen.payment ?? null,
    ids: chosen.ids === undefined ? null : idsIn(chosen.ids),
  };
}

function idsIn(list: string): string[] {
  const ids = list.split(',').map((id) => id.trim());
  const wrong = ids.find((id) => !isId('event', id));
  if (wrong !== undefined) {
    throw Refusal.ofParam('ids', `"${wrong}" is not an event's id.`);
  }
  if (ids.length <= MAX_REPLAY_IDS) return ids;
  const message = `At most ${MAX_REPLAY_IDS} events can be named: use a range and types for more.`;
  throw Refusal.ofParam('ids', message);
}

/** Returns the part of a selection that the endpoint subscribes to. */
export function subscribedOf({ enabled_events: events }: Endpoint, selection: ReplaySelection) {
  if (selection.kind === 'deliveries') return selection;
  const subscribed = selection.types.filter((type) => subscribes(events, type));
  const types = subscribed.filter((type) => type !== 'webhook_endpoint.ping');
  if (types.length > 0) return { ...selection, types };
  const message =
    subscribed.length > 0
      ? 'Pings and examples are never replayed: send a new one.'
      : `The endpoint does not subscribe to these events, but to: ${events.join(', ')}.`;
  throw Refusal.ofParam('events', message);
}

/**
 * Returns the named events that will not be sent, each with the reason. Returns nothing if no
 * events are named. Throws `Refusal` for an event that the merchant does not have.
 */
export async function notSent(
  mongo: Mongo,
  endpoint: Endpoint,
  wanted: Wanted,
): Promise<{ not_sent?: { id: string; why: string }[] }> {
  const { selection } = wanted;
  if (selection.kind === 'deliveries' || selection.ids === null) return {};
  const events = await namedEvents(mongo, endpoint.m, selection.ids);
  const missing = selection.ids.find((id) => events.every(({ _id }) => _id !== id));
  if (missing !== undefined) {
    const message = `The endpoint's merchant has no event ${missing}.`;
    throw Refusal.ofParam('ids', message, 'resource_missing');
  }
  const named = { ...wanted, selection, endpoint };
  return {
    not_sent: events.flatMap((event) => {
      const why = whyNot(event, named);
      return why === undefined ? [] : [{ id: event._id, why }];
    }),
  };
}

type Named = Wanted & {
  readonly endpoint: Endpoint;
  readonly selection: Extract<ReplaySelection, { kind: 'events' }>;
};

function whyNot(event: Omit<Event, 'body'>, wanted: Named): string | undefined {
  const { endpoint, selection, from, until } = wanted;
  const { _id, type, payment_id, cause } = event;
  if (type === 'webhook_endpoint.ping' || cause.includes(TRIAL)) {
    return 'It is a ping or an example: these are never replayed.';
  }
  if (!subscribes(endpoint.enabled_events, type)) {
    return `The endpoint does not subscribe to ${type}.`;
  }
  const isWanted =
    selection.types.includes(type) &&
    (selection.payment_id === null || selection.payment_id === payment_id) &&
    _id >= firstIdAt('event', from.getTime()) &&
    _id < firstIdAt('event', until.getTime());
  return isWanted ? undefined : 'It does not match the types, payment or time asked for.';
}
