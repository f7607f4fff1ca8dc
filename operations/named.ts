/** Events that somebody names one by one: of each that is not sent he is told why. */
import { subscribes } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { TRIAL } from '../domain/event.ts';
import type { Event } from '../domain/event.ts';
import { firstIdAt } from '../domain/id.ts';
import type { ReplaySelection } from '../domain/replay.ts';
import type { Mongo } from '../store/mongo.ts';
import { namedEvents } from '../store/selection.ts';
import type { Wanted } from '../store/selection.ts';
import { Refusal } from './refusal.ts';

/** Nothing where no events are named. Throws `Refusal` for one that the merchant does not have. */
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
    throw new Refusal('resource_missing', { message, param: 'ids' });
  }
  const reasons = events.map((event) => ({
    id: event._id,
    why: whyNot(event, { ...wanted, selection, endpoint }),
  }));
  return { not_sent: reasons.flatMap(({ id, why }) => (why === undefined ? [] : [{ id, why }])) };
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
  if (!subscribes(endpoint.enabled_events, type)) return `The endpoint does not hear of ${type}.`;
  const isWanted =
    selection.types.includes(type) &&
    (selection.payment_id === null || selection.payment_id === payment_id) &&
    _id >= firstIdAt('event', from.getTime()) &&
    _id < firstIdAt('event', until.getTime());
  return isWanted ? undefined : 'It is not of the types, the payment or the time asked for.';
}
