/**
 * Selects the events of a replay from a tenant's deliveries or events, page by page, oldest first.
 */
import type { Filter } from 'mongodb';
import type { Delivery } from '../domain/delivery.ts';
import { TRIAL } from '../domain/event.ts';
import type { Event } from '../domain/event.ts';
import { firstIdAt, timeOf } from '../domain/id.ts';
import { isTaken } from '../domain/replay.ts';
import type { RepeatableState, Replay } from '../domain/replay.ts';
import type { Mongo } from './mongo.ts';

/** Rows in a page. */
const SCAN_ROWS = 500;
/**
 * The most pages to read for one batch. The batch may then be small, and the next one continues.
 */
const SCAN_PAGES = 20;

/** What a replay selects, before it is inserted. */
export type Wanted = Pick<Replay, 'm' | 'endpoint_id' | 'selection' | 'from' | 'until'>;

type Place = Wanted & Partial<Pick<Replay, '_id'>> & Pick<Replay, 'cursor'>;

interface Candidate {
  readonly _id: string;
  readonly event_id: string;
  /** The state of a delivery; absent for an event. */
  readonly state?: Delivery['state'];
}

interface ScanPage {
  readonly rows: readonly Candidate[];
  /** The events of rows that must not be sent: see `takenEvents`. */
  readonly taken: ReadonlySet<string>;
  readonly isEnd: boolean;
}

async function* scan(mongo: Mongo, place: Place): AsyncGenerator<ScanPage, void, undefined> {
  let { cursor } = place;
  for (;;) {
    const rows = await candidates(mongo, place, cursor);
    const taken = await takenEvents(mongo, place, rows);
    const isEnd = rows.length < SCAN_ROWS;
    yield { rows, taken, isEnd };
    if (isEnd) return;
    cursor = rows.at(-1)?._id ?? cursor;
  }
}

/**
 * Returns up to `limit` events after the cursor, each once, and the new cursor. `isEnd` is true if
 * there are no more. Skips events that the endpoint has accepted or is about to get, and test
 * events.
 */
export async function selectEvents(mongo: Mongo, place: Place, limit: number) {
  const eventIds = new Set<string>();
  let { cursor } = place;
  let pages = 0;
  const result = (isEnd: boolean) => ({ eventIds: [...eventIds], cursor, isEnd });
  for await (const { rows, taken, isEnd } of scan(mongo, place)) {
    for (const { _id, event_id } of rows) {
      if (eventIds.size === limit) return result(false);
      cursor = _id;
      if (!taken.has(event_id)) eventIds.add(event_id);
    }
    pages += 1;
    if (pages === SCAN_PAGES) return result(isEnd);
  }
  return result(true);
}

/** Returns the number of events to send now, and the number of other rows, which are left out. */
export async function countSelected(mongo: Mongo, wanted: Wanted) {
  const eventIds = new Set<string>();
  let rowsRead = 0;
  for await (const { rows, taken } of scan(mongo, { ...wanted, cursor: null })) {
    rowsRead += rows.length;
    for (const { event_id } of rows) if (!taken.has(event_id)) eventIds.add(event_id);
  }
  return { total: eventIds.size, leftOut: rowsRead - eventIds.size };
}

/**
 * Counts the events to send, by the state of their oldest delivery. `since` is the time of the
 * oldest one, or null if there is none. Reads about `limit` rows at most. If none of them is to be
 * sent, `since` is the time of the last row read, after which there may be some.
 */
export async function countByState(mongo: Mongo, wanted: Wanted, limit: number) {
  const oldest = new Map<string, Candidate>();
  let rowsRead = 0;
  let rest: string | null = null;
  for await (const { rows, taken, isEnd } of scan(mongo, { ...wanted, cursor: null })) {
    for (const row of rows) {
      if (!taken.has(row.event_id) && !oldest.has(row.event_id)) oldest.set(row.event_id, row);
    }
    rowsRead += rows.length;
    rest = isEnd ? null : (rows.at(-1)?._id ?? null);
    if (rowsRead >= limit) break;
  }
  const counted = [...oldest.values()].slice(0, limit);
  const counts: Partial<Record<RepeatableState, number>> = {};
  for (const { state } of counted as { state: RepeatableState }[]) {
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const since = counted[0]?._id ?? rest;
  return { counts, since: since === null ? null : new Date(timeOf(since)) };
}

/** Returns the next rows of the selection. Leaves out stopped deliveries of replays. */
async function candidates(
  mongo: Mongo,
  { m: tenant, endpoint_id, selection, from, until }: Wanted,
  cursor: string | null,
): Promise<Candidate[]> {
  const kind = selection.kind === 'events' ? 'event' : 'delivery';
  const lower = cursor === null ? { $gte: firstIdAt(kind, from.getTime()) } : { $gt: cursor };
  const bounds = { ...lower, $lt: firstIdAt(kind, until.getTime()) };
  const page = { sort: { _id: 1 }, limit: SCAN_ROWS } as const;
  if (selection.kind === 'deliveries') {
    const filter = {
      m: tenant,
      endpoint_id,
      state: { $in: [...selection.states] },
      _id: bounds,
      trigger: { $ne: 'test' as const },
      $nor: [{ state: 'stopped' as const, replay_id: { $exists: true } }],
    };
    const projection = { event_id: 1, state: 1 };
    return mongo.deliveries.find(filter, { ...page, projection }).toArray();
  }
  const { types, payment_id, ids } = selection;
  const filter: Filter<Event> = {
    m: tenant,
    type: { $in: [...types] },
    _id: ids === null ? bounds : { ...bounds, $in: [...ids] },
    cause: { $not: new RegExp(TRIAL) },
    ...(payment_id === null ? {} : { payment_id }),
  };
  const rows = await mongo.events.find(filter, { ...page, projection: { _id: 1 } }).toArray();
  return rows.map(({ _id }) => ({ _id, event_id: _id }));
}

/** Returns the events that the endpoint has accepted, is about to get, or gets by this replay. */
async function takenEvents(
  mongo: Mongo,
  { m: tenant, endpoint_id, selection, _id }: Place,
  rows: readonly Candidate[],
): Promise<Set<string>> {
  if (selection.kind === 'events' || rows.length === 0) return new Set();
  const events = rows.map(({ event_id }) => event_id);
  const all = mongo.deliveries.find(
    { event_id: { $in: events }, m: tenant, endpoint_id },
    { projection: { event_id: 1, state: 1, replay_id: 1 } },
  );
  const taken = (await all.toArray()).filter(
    ({ state, replay_id }) => isTaken(state) || (_id !== undefined && replay_id === _id),
  );
  return new Set(taken.map(({ event_id }) => event_id));
}

/** Returns those of the events that the tenant has, without their bodies. */
export async function namedEvents(mongo: Mongo, tenant: string, ids: readonly string[]) {
  const filter = { _id: { $in: [...ids] }, m: tenant };
  return mongo.events.find(filter, { projection: { body: 0 } }).toArray();
}
