/** Replays: what they send, the batches they make of it, and their end. */
import type { Filter } from 'mongodb';
import type { Delivery } from '../domain/delivery.ts';
import { TRIAL } from '../domain/event.ts';
import type { Event } from '../domain/event.ts';
import { firstIdAt, timeOf } from '../domain/id.ts';
import { isTaken } from '../domain/replay.ts';
import type { RepeatableState, Replay } from '../domain/replay.ts';
import { insertDeliveries, stopDeliveriesOf } from './deliveries.ts';
import { dueWithin, duplicateOf } from './mongo.ts';
import type { DueRange, Mongo } from './mongo.ts';

/** Rows that are read at a time while looking for what is to be sent. */
const SCAN_ROWS = 500;
/** So many pages at most make one batch; a batch may turn out small, and the next one goes on. */
const SCAN_PAGES = 20;

/** What a replay sends, before there is one. */
export type Wanted = Pick<Replay, 'm' | 'endpoint_id' | 'selection' | 'from' | 'until'>;

export interface Selected {
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
  const { rows, ...found } = await select(mongo, wanted, limit);
  return { ...found, eventIds: rows.map(({ event_id }) => event_id) };
}

async function select(mongo: Mongo, wanted: Place, limit: number): Promise<Found> {
  const found = new Map<string, Candidate>();
  let { cursor } = wanted;
  let leftOut = 0;
  for (let page = 0; page < SCAN_PAGES; page += 1) {
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

async function* selectAll(mongo: Mongo, wanted: Wanted): AsyncGenerator<Found, void, undefined> {
  let cursor: string | null = null;
  for (;;) {
    const found: Found = await select(mongo, { ...wanted, cursor }, SCAN_ROWS);
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
 * when the oldest of all was made; null when there is none.
 */
export async function countByState(
  mongo: Mongo,
  wanted: Wanted,
  limit: number,
): Promise<{ counts: Readonly<Partial<Record<RepeatableState, number>>>; since: Date | null }> {
  const seen = new Map<string, Candidate>();
  for await (const { rows } of selectAll(mongo, wanted)) {
    for (const row of rows) if (!seen.has(row.event_id)) seen.set(row.event_id, row);
    if (seen.size >= limit) break;
  }
  const counted = [...seen.values()].slice(0, limit);
  const counts: Partial<Record<RepeatableState, number>> = {};
  for (const { state } of counted as { state: RepeatableState }[]) {
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const [oldest] = counted;
  return { counts, since: oldest ? new Date(timeOf(oldest._id)) : null };
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

/** Inserts a replay; false when the endpoint has one that is running. */
export async function insertReplay(mongo: Mongo, replay: Replay): Promise<boolean> {
  try {
    await mongo.replays.insertOne(replay);
    return true;
  } catch (error) {
    if (duplicateOf(error) !== 'endpoint_id') throw error;
    return false;
  }
}

/** A replay by its id. */
export async function findReplay(mongo: Mongo, id: string): Promise<Replay | null> {
  return mongo.replays.findOne({ _id: id });
}

/** The replay of an endpoint that is running, or null. */
export async function runningReplayOf(mongo: Mongo, endpointId: string): Promise<Replay | null> {
  return mongo.replays.findOne({ endpoint_id: endpointId, status: 'running' });
}

/** Running replays whose next batch should have gone before `before`. */
export async function overdueReplays(mongo: Mongo, range: DueRange): Promise<Replay[]> {
  const filter = { status: 'running' as const, due_at: dueWithin(range) };
  return mongo.replays.find(filter).sort({ due_at: 1 }).limit(range.limit).toArray();
}

/**
 * Writes a batch and the place the replay has come to, in one transaction; whether it was written.
 * It is not when the replay was stopped, or another run has written this batch.
 */
export async function recordBatch(
  mongo: Mongo,
  replay: Replay,
  batch: { deliveries: Delivery[]; cursor: string | null; isEnd: boolean; dueAt: Date; now: Date },
): Promise<boolean> {
  const { deliveries, cursor, isEnd, dueAt, now } = batch;
  return mongo.transact(async (session) => {
    const written = await mongo.replays.updateOne(
      { _id: replay._id, status: 'running', cursor: replay.cursor, sent: replay.sent },
      {
        $set: {
          cursor,
          due_at: dueAt,
          updated_at: now,
          ...(isEnd ? { status: 'completed' as const } : {}),
        },
        $inc: { sent: deliveries.length },
      },
      { session },
    );
    if (written.modifiedCount === 0) return false;
    await insertDeliveries(mongo, session, deliveries);
    return true;
  });
}

/**
 * Ends a running replay, and stops those of its deliveries that are still to be made, also of one
 * that has ended; answers how many were stopped. No batch is written after the first of the two.
 */
export async function stopReplay(
  mongo: Mongo,
  { _id, m, endpoint_id }: Replay,
  { reason, now }: { reason: 'asked' | 'endpoint_disabled'; now: Date },
): Promise<number> {
  await mongo.replays.updateOne(
    { _id, status: 'running' },
    { $set: { status: 'stopped', stopped_reason: reason, updated_at: now } },
  );
  return stopDeliveriesOf(mongo, { m, _id: endpoint_id }, { replayId: _id });
}
