/** Replays: sending many events to one endpoint again, at a limited rate. */
import type { Endpoint } from '../domain/endpoint.ts';
import { merchantOf } from '../domain/merchant.ts';
import { DEFAULT_PER_SECOND, MAX_PER_SECOND } from '../domain/replay.ts';
import type { Replay, ReplaySelection } from '../domain/replay.ts';
import { mintId } from '../store/mint.ts';
import { readPage } from '../store/page.ts';
import { findReplay, insertReplay, runningReplayOf, stopReplay } from '../store/replays.ts';
import { countSelected } from '../store/selection.ts';
import type { Wanted } from '../store/selection.ts';
import type { Temporal } from '../temporal/client.ts';
import { CLOCKS_MS, requireEnabled, requireEndpoint } from './checks.ts';
import { Refusal, requireFound } from './refusal.ts';
import { notSent, subscribedOf } from './selection.ts';
import { entryOf, startTime } from './services.ts';
import type { Services, Shown } from './services.ts';

type Reader = Pick<Services, 'mongo'>;

interface ReplayServices extends Pick<Services, 'mongo' | 'actor'> {
  readonly temporal: Pick<Temporal, 'resumeReplay'>;
}

/** A request to send again events or deliveries that were created from `from` until `until`. */
export interface ReplayRequest {
  endpoint: string;
  from: Date;
  until: Date;
  selection: ReplaySelection;
  /** A number as text, by default 10. */
  perSecond?: string | undefined;
  /** The id of the newest replay to the endpoint that the person saw; empty if there was none. */
  newest?: string;
}

const LISTED = 20;

/** Returns how many events a replay would send, and how many rows it would leave out. */
export async function countReplay(services: Reader, request: ReplayRequest): Promise<Shown> {
  checkRate(request.perSecond);
  const endpoint = await requireEndpoint(services, request.endpoint);
  return { endpoint_id: endpoint._id, ...(await count(services, endpoint, request)).shown };
}

/**
 * Counts the events and starts to send them. If there are none, creates no replay and returns the
 * id null. Throws `Refusal` if the endpoint is disabled, if another replay to it is running, and if
 * one was started since the person looked.
 */
export async function startReplay(
  services: ReplayServices,
  request: ReplayRequest,
): Promise<Shown> {
  const perSecond = checkRate(request.perSecond);
  const endpoint = await requireEnabled(services, request.endpoint);
  await requireNewest(services, endpoint, request.newest);
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
  const starts = await startTime(services.temporal.resumeReplay(replay._id));
  return { ...show(replay), ...counted, starts };
}

/** Returns the state of a replay. */
export async function showReplay(services: Reader, { id }: { id: string }): Promise<Shown> {
  return show(await requireReplay(services, id));
}

/** Returns the latest replays of an endpoint, newest first. */
export async function listReplays(
  services: Reader,
  { endpoint: id }: { endpoint: string },
): Promise<Shown> {
  const { m: tenant, _id } = await requireEndpoint(services, id);
  const filter = { m: tenant, endpoint_id: _id };
  const page = await readPage(services.mongo.replays, { filter, limit: LISTED });
  return { replays: page.rows.map(show), has_more: page.hasMore };
}

/** Stops a replay and its pending deliveries. */
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
  return { ...show(await requireReplay(services, id)), deliveries_stopped: stopped };
}

async function count({ mongo }: Reader, endpoint: Endpoint, request: ReplayRequest) {
  const wanted = wantedOf(endpoint, request);
  const named = await notSent(mongo, endpoint, wanted);
  const { total, leftOut } = await countSelected(mongo, wanted);
  return { wanted, total, shown: { total, left_out: leftOut, ...named } };
}

function wantedOf(endpoint: Endpoint, { from, until, selection }: ReplayRequest): Wanted {
  const { m: tenant, _id } = endpoint;
  const now = new Date();
  if (until <= from || from >= now) {
    throw Refusal.ofParam('until', 'The range ends before it begins, or begins in the future.');
  }
  const isNamed = selection.kind === 'events' && selection.ids !== null;
  // The replay must not select its own deliveries, which are created after now. It creates no
  // events, and a named event may have been created with a clock that is ahead of ours.
  const end = isNamed ? new Date(now.getTime() + CLOCKS_MS) : until < now ? until : now;
  return {
    m: tenant,
    endpoint_id: _id,
    from,
    until: end,
    selection: subscribedOf(endpoint, selection),
  };
}

function checkRate(text = String(DEFAULT_PER_SECOND)): number {
  const rate = Number(text);
  if (/^\d+$/.test(text) && rate >= 1 && rate <= MAX_PER_SECOND) return rate;
  throw Refusal.ofParam('per-second', `The rate is from 1 to ${MAX_PER_SECOND} a second.`);
}

async function busy({ mongo }: Reader, { _id }: Endpoint): Promise<Refusal> {
  const running = await runningReplayOf(mongo, _id);
  const message = `Another replay to this endpoint is running (${running?._id ?? 'just now'}).`;
  return Refusal.ofParam('endpoint', `${message} Wait for its end, or stop it.`);
}

/** Throws `Refusal` if another replay is the newest, as when a form is submitted twice. */
async function requireNewest(
  { mongo }: Reader,
  { m: tenant, _id }: Endpoint,
  newest: string | undefined,
): Promise<void> {
  if (newest === undefined) return;
  const filter = { m: tenant, endpoint_id: _id };
  const { rows } = await readPage(mongo.replays, { filter, limit: 1 });
  if ((rows[0]?._id ?? '') === newest) return;
  const message = 'A replay was started since this page was loaded: look at it first.';
  throw new Refusal('parameter_invalid', { message });
}

async function requireReplay({ mongo }: Reader, id: string): Promise<Replay> {
  return requireFound(await findReplay(mongo, id), 'There is no such replay.');
}

function show(replay: Replay): Shown {
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
