/** What a replay sends, of a merchant's deliveries or events: read page by page, oldest first. */
import type { Filter } from 'mongodb';
import type { Delivery } from '../domain/delivery.ts';
import { TRIAL } from '../domain/event.ts';
import type { Event } from '../domain/event.ts';
import { firstIdAt, timeOf } from '../domain/id.ts';
import { isTaken } from '../domain/replay.ts';
import type { RepeatableState, Replay } from '../domain/replay.ts';
import type { Mongo } from './mongo.ts';

/** Rows that are read at a time while looking for what is to be sent. */
const SCAN_ROWS = 500;
/** So many pages at most make one batch; a batch may turn out small, and the next one goes on. */
const SCAN_PAGES = 20;

/** What a replay sends, before there is one. */
export type Wanted = Pick<Replay, 'm' | 'endpoint_id' | 'selection' | 'from' | 'until'>;

interface Selected {
  readonly eventIds: string[];
  /** The last row that was looked at. */
  readonly cursor: string | null;
  /** Whether there is nothing behind it. */
  readonly isEnd: boolean;
  /** Rows that were looked at and have nothing to send any more. */
  readonly leftOut: number;
}

interface Candidate {
  readonly _id: string;
  readonly event_id: string;
  /** Of a delivery. */
  readonly state?: Delivery['state'];
}

type Place = Wanted & { readonly _id?: string; readonly cursor: string | null };
type Found = Omit<Selected, 'eventIds'> & { readonly rows: readonly Candidate[] };

/**
 * Up to `limit` events that come next, oldest first. It takes nothing that was a trial. Of
 * deliveries, each event counts once, and not when the endpoint has accepted it meanwhile, is about
 * to get it, or gets it by this replay. What a replay made and was stopped is none of them: it ends
 * with its replay, and what the endpoint has not accepted before stands in a row of its own.
 */
export async function selectEvents(mongo: Mongo, wanted: Place, limit: number): Promise<Selected> {
  const { rows, ...found } = await select(mongo, wanted, { limit, pages: SCAN_PAGES });
  return { ...found, eventIds: rows.map(({ event_id }) => event_id) };
}

async function select(
  mongo: Mongo,
  wanted: Place,
  { limit, pages }: { limit: number; pages: number },
): Promise<Found> {
  const found = new Map<string, Candidate>();
  let { cursor } = wanted;
  let leftOut = 0;
  for (let page = 0; page < pages; page += 1) {
    const rows = await candidates(mongo, wanted, cursor);
    const taken = await takenEvents(mongo, wanted, rows);
    for (const row of rows) {
      if (found.size === limit) return { rows: [...found.values()], cursor, isEnd: false, leftOut };
      cursor = row._id;
      if (taken.has(row.event_id) || found.has(row.event_id)) leftOut += 1;
      else found.set(row.event_id, row);
    }
    const isEnd = rows.length < SCAN_ROWS;
    if (isEnd) return { rows: [...found.values()], cursor, isEnd, leftOut };
  }
  return { rows: [...found.values()], cursor, isEnd: false, leftOut };
}

/** Everything, page by page. */
async function* selectAll(mongo: Mongo, wanted: Wanted): AsyncGenerator<Found, void, undefined> {
  let cursor: string | null = null;
  for (;;) {
    const page = { limit: SCAN_ROWS, pages: 1 };
    const found: Found = await select(mongo, { ...wanted, cursor }, page);
    yield found;
    if (found.isEnd) return;
    ({ cursor } = found);
  }
}

/** How many events would be sent now, and how many rows have nothing to send any more. */
export async function countSelected(
  mongo: Mongo,
  wanted: Wanted,
): Promise<{ total: number; leftOut: number }> {
  const seen = new Set<string>();
  let looked = 0;
  for await (const { rows, leftOut } of selectAll(mongo, wanted)) {
    looked += rows.length + leftOut;
    for (const { event_id } of rows) seen.add(event_id);
  }
  return { total: seen.size, leftOut: looked - seen.size };
}

/**
 * The same events, counted up to `limit`, by the state of each one's oldest delivery among them, and
 * when the oldest of all was made; null when there is none. Rows that have nothing to send any more
 * count for the limit too: after so many it is told from where on there may be some.
 */
export async function countByState(
  mongo: Mongo,
  wanted: Wanted,
  limit: number,
): Promise<{ counts: Readonly<Partial<Record<RepeatableState, number>>>; since: Date | null }> {
  const seen = new Map<string, Candidate>();
  let looked = 0;
  let beyond: string | null = null;
  for await (const { rows, leftOut, cursor, isEnd } of selectAll(mongo, wanted)) {
    for (const row of rows) if (!seen.has(row.event_id)) seen.set(row.event_id, row);
    looked += rows.length + leftOut;
    beyond = isEnd ? null : cursor;
    if (looked >= limit) break;
  }
  const counted = [...seen.values()].slice(0, limit);
  const counts: Partial<Record<RepeatableState, number>> = {};
  for (const { state } of counted as { state: RepeatableState }[]) {
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const since = counted[0]?._id ?? beyond;
  return { counts, since: since === null ? null : new Date(timeOf(since)) };
}

async function candidates(
  mongo: Mongo,
  { m, endpoint_id, selection, from, until }: Wanted,
  cursor: string | null,
): Promise<Candidate[]> {
  const kind = selection.kind === 'events' ? 'event' : 'delivery';
  const bounds = { $gte: firstIdAt(kind, from.getTime()), $lt: firstIdAt(kind, until.getTime()) };
  const beyond = cursor === null ? bounds : { $gt: cursor, $lt: bounds.$lt };
  if (selection.kind === 'deliveries') {
    const filter = {
      m,
      endpoint_id,
      state: { $in: [...selection.states] },
      _id: beyond,
      trigger: { $ne: 'test' as const },
      $nor: [{ state: 'stopped' as const, replay_id: { $exists: true } }],
    };
    const found = mongo.deliveries.find(filter, { projection: { event_id: 1, state: 1 } });
    return found.sort({ _id: 1 }).limit(SCAN_ROWS).toArray();
  }
  const { types, payment_id, ids } = selection;
  const cause = { $not: new RegExp(TRIAL) };
  const filter: Filter<Event> = { m, type: { $in: [...types] }, _id: beyond, cause };
  if (payment_id !== null) filter.payment_id = payment_id;
  if (ids !== null) filter._id = { ...beyond, $in: [...ids] };
  const found = mongo.events.find(filter, { projection: { _id: 1 } });
  const rows = await found.sort({ _id: 1 }).limit(SCAN_ROWS).toArray();
  return rows.map(({ _id }) => ({ _id, event_id: _id }));
}

async function takenEvents(
  mongo: Mongo,
  { m, endpoint_id, selection, _id }: Wanted & { _id?: string },
  rows: readonly Candidate[],
): Promise<Set<string>> {
  if (selection.kind === 'events' || rows.length === 0) return new Set();
  const events = rows.map(({ event_id }) => event_id);
  const all = mongo.deliveries.find(
    { event_id: { $in: events }, m, endpoint_id },
    { projection: { event_id: 1, state: 1, replay_id: 1 } },
  );
  const taken = (await all.toArray()).filter(
    ({ state, replay_id }) => isTaken(state) || (_id !== undefined && replay_id === _id),
  );
  return new Set(taken.map(({ event_id }) => event_id));
}

/** Those of the named events that the merchant has, without their bodies. */
export async function namedEvents(
  mongo: Mongo,
  m: string,
  ids: readonly string[],
): Promise<Omit<Event, 'body'>[]> {
  const found = mongo.events.find({ _id: { $in: [...ids] }, m }, { projection: { body: 0 } });
  return found.toArray();
}
