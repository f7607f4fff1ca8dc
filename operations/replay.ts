/** Sending many events to one endpoint again: counted first, at a limited rate, until stopped. */
import type { Endpoint } from '../domain/endpoint.ts';
import { subscribes } from '../domain/endpoint.ts';
import { EVENT_TYPES, typesOf } from '../domain/event.ts';
import { isId } from '../domain/id.ts';
import { merchantOf } from '../domain/merchant.ts';
import {
  DEFAULT_PER_SECOND,
  MAX_PER_SECOND,
  MAX_REPLAY_IDS,
  REPEATABLE_STATES,
} from '../domain/replay.ts';
import type { RepeatableState, Replay, ReplaySelection } from '../domain/replay.ts';
import { mintId } from '../store/mint.ts';
import { readPage } from '../store/page.ts';
import { findReplay, insertReplay, runningReplayOf, stopReplay } from '../store/replays.ts';
import { countSelected } from '../store/selection.ts';
import type { Wanted } from '../store/selection.ts';
import type { Temporal } from '../temporal/client.ts';
import { CLOCKS_MS, checkEvents, requireEnabled, requireEndpoint } from './checks.ts';
import { notSent } from './named.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services, Shown } from './services.ts';

export interface ReplayServices extends Pick<Services, 'mongo' | 'actor'> {
  readonly temporal: Pick<Temporal, 'resumeReplay'>;
}

/** A request to send again what was created from `from` until `until`. */
export interface ReplayRequest {
  endpoint: string;
  from: Date;
  until: Date;
  selection: ReplaySelection;
  /** A number as text; ten otherwise. */
  perSecond?: string | undefined;
}

const LISTED = 20;

/** Deliveries that the endpoint has not accepted: a comma list of failed, skipped, stopped. */
export function failuresIn(states: string): ReplaySelection {
  const given = states.split(',').map((state) => state.trim());
  if (given.every((state) => REPEATABLE_STATES.includes(state as RepeatableState))) {
    return { kind: 'deliveries', states: given as RepeatableState[] };
  }
  const message = `The states to send again are: ${REPEATABLE_STATES.join(', ')}.`;
  throw new Refusal('parameter_invalid', { message, param: 'state' });
}

/** Events by type (a comma list; `*` is all the endpoint hears of), payment, or one by one. */
export function eventsOf(chosen: {
  events?: string | undefined;
  payment?: string | undefined;
  ids?: string | undefined;
}): ReplaySelection {
  const types = checkEvents(chosen.events ?? '*').flatMap((one) => typesOf(one) ?? []);
  if (chosen.payment !== undefined && !isId('payment', chosen.payment)) {
    throw new Refusal('parameter_invalid', {
      message: `${chosen.payment} is no payment's id.`,
      param: 'payment',
    });
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
    throw new Refusal('parameter_invalid', {
      message: `"${wrong}" is no event's id.`,
      param: 'ids',
    });
  }
  if (ids.length <= MAX_REPLAY_IDS) return ids;
  const message = `At most ${MAX_REPLAY_IDS} events can be named; take a time and types for more.`;
  throw new Refusal('parameter_invalid', { message, param: 'ids' });
}

/** How many events would be sent, and how many have reached the endpoint in another way. */
export async function countReplay(
  services: ReplayServices,
  request: ReplayRequest,
): Promise<Shown> {
  checkRate(request.perSecond);
  const endpoint = await requireEndpoint(services, request.endpoint);
  return { endpoint_id: endpoint._id, ...(await count(services, endpoint, request)).shown };
}

/**
 * Counts, and begins to send. Throws `Refusal` when the endpoint takes nothing, or another replay
 * of it is running; with nothing to send there is no replay, and its id is null.
 */
export async function startReplay(
  services: ReplayServices,
  request: ReplayRequest,
): Promise<Shown> {
  const perSecond = checkRate(request.perSecond);
  const endpoint = await requireEnabled(services, request.endpoint);
  const { wanted, total, shown: counted } = await count(services, endpoint, request);
  if (total === 0) return { id: null, endpoint_id: endpoint._id, ...counted };
  const now = new Date();
  const replay: Replay = {
    ...wanted,
    _id: mintId('replay'),
    per_second: perSecond,
    status: 'running',
    stopped_reason: null,
    total,
    sent: 0,
    cursor: null,
    due_at: now,
    created_at: now,
    updated_at: now,
  };
  const { from, until, selection, endpoint_id } = wanted;
  const entry = entryOf(services, {
    action: 'replay.start',
    objectId: replay._id,
    merchantId: merchantOf(replay.m),
    after: { endpoint_id, from, until, selection, per_second: perSecond, total },
  });
  if (!(await insertReplay(services.mongo, replay, entry))) throw await busy(services, endpoint);
  // The sweep begins what could not be begun now.
  const isStarted = await services.temporal.resumeReplay(replay._id).then(
    () => true,
    () => false,
  );
  const starts = isStarted ? 'now' : 'within a minute or two';
  return { ...shown(replay), ...counted, starts };
}

/** What has become of a replay. */
export async function showReplay(services: ReplayServices, { id }: { id: string }): Promise<Shown> {
  return shown(await requireReplay(services, id));
}

/** The latest replays of an endpoint, newest first. */
export async function listReplays(
  services: ReplayServices,
  { endpoint: id }: { endpoint: string },
): Promise<Shown> {
  const { m, _id } = await requireEndpoint(services, id);
  const filter = { m, endpoint_id: _id };
  const page = await readPage(services.mongo.replays, { filter, limit: LISTED });
  return { replays: page.rows.map(shown), has_more: page.hasMore };
}

/** Ends a replay and what waits of its deliveries; what has been sent stays sent. */
export async function endReplay(services: ReplayServices, { id }: { id: string }): Promise<Shown> {
  const replay = await requireReplay(services, id);
  const entry = entryOf(services, {
    action: 'replay.stop',
    objectId: id,
    merchantId: merchantOf(replay.m),
    before: { status: replay.status },
    after: { endpoint_id: replay.endpoint_id, sent: replay.sent, total: replay.total },
  });
  const cause = { reason: 'asked', now: new Date(), entry } as const;
  const stopped = await stopReplay(services.mongo, replay, cause);
  return { ...shown(await requireReplay(services, id)), deliveries_stopped: stopped };
}

async function count({ mongo }: ReplayServices, endpoint: Endpoint, request: ReplayRequest) {
  const wanted = wantedOf(endpoint, request);
  const named = await notSent(mongo, endpoint, wanted);
  const { total, leftOut } = await countSelected(mongo, wanted);
  return { wanted, total, shown: { total, left_out: leftOut, ...named } };
}

function wantedOf(endpoint: Endpoint, { from, until, selection }: ReplayRequest): Wanted {
  const { m, _id } = endpoint;
  const now = new Date();
  if (until <= from || from >= now) {
    throw new Refusal('parameter_invalid', {
      message: 'The time ends before it begins, or lies ahead.',
      param: 'until',
    });
  }
  const isNamed = selection.kind === 'events' && selection.ids !== null;
  // What the replay itself makes is later than now, and so never part of it. What is named is an
  // event, of which it makes none, and may be of a clock before ours.
  const end = isNamed ? new Date(now.getTime() + CLOCKS_MS) : until < now ? until : now;
  return { m, endpoint_id: _id, from, until: end, selection: heardBy(endpoint, selection) };
}

/** An endpoint is sent what it subscribes to, also when it is sent again. */
function heardBy({ enabled_events: events }: Endpoint, selection: ReplaySelection) {
  if (selection.kind === 'deliveries') return selection;
  const heard = selection.types.filter((type) => subscribes(events, type));
  const types = heard.filter((type) => type !== 'webhook_endpoint.ping');
  if (types.length > 0) return { ...selection, types };
  const message =
    heard.length > 0
      ? 'Pings and examples are never replayed: send a new one.'
      : `The endpoint does not hear of these events, but of: ${events.join(', ')}.`;
  throw new Refusal('parameter_invalid', { message, param: 'events' });
}

function checkRate(text = String(DEFAULT_PER_SECOND)): number {
  const rate = Number(text);
  if (/^\d+$/.test(text) && rate >= 1 && rate <= MAX_PER_SECOND) return rate;
  const message = `The rate is from 1 to ${MAX_PER_SECOND} a second.`;
  throw new Refusal('parameter_invalid', { message, param: 'per-second' });
}

async function busy({ mongo }: ReplayServices, { _id }: Endpoint): Promise<Refusal> {
  const running = await runningReplayOf(mongo, _id);
  const message = `Another replay to this endpoint is running (${running?._id ?? 'just now'}).`;
  return new Refusal('parameter_invalid', {
    message: `${message} Wait for its end, or stop it.`,
    param: 'endpoint',
  });
}

async function requireReplay({ mongo }: ReplayServices, id: string): Promise<Replay> {
  const replay = await findReplay(mongo, id);
  if (replay) return replay;
  throw new Refusal('resource_missing', { message: 'There is no such replay.', param: 'id' });
}

function shown(replay: Replay): Shown {
  return {
    id: replay._id,
    endpoint_id: replay.endpoint_id,
    status: replay.status,
    stopped_reason: replay.stopped_reason,
    total: replay.total,
    sent: replay.sent,
    per_second: replay.per_second,
    from: replay.from.toISOString(),
    until: replay.until.toISOString(),
    selection: replay.selection,
    created_at: replay.created_at.toISOString(),
    updated_at: replay.updated_at.toISOString(),
  };
}
