/** Replays: what they send, the batches they make of it, and their end. */
import type { Filter } from 'mongodb';
import type { Delivery } from '../domain/delivery.ts';
import { TRIAL } from '../domain/event.ts';
import type { Event } from '../domain/event.ts';
import { firstIdAt } from '../domain/id.ts';
import { isTaken } from '../domain/replay.ts';
import type { Replay } from '../domain/replay.ts';
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
}

/**
 * Up to `limit` events that come next, oldest first. It takes nothing that was a trial. Of
 * deliveries, each event counts once, and not when the endpoint has accepted it meanwhile, is about
 * to get it, or gets it by this replay.
 */
export async function selectEvents(
  mongo: Mongo,
  wanted: Wanted & { _id?: string; cursor: string | null },
  limit: number,
): Promise<Selected> {
  const eventIds = new Set<string>();
  let { cursor } = wanted;
  let leftOut = 0;
  for (let page = 0; page < SCAN_PAGES; page += 1) {
    const rows = await candidates(mongo, wanted, cursor);
    const taken = await takenEvents(mongo, wanted, rows);
    for (const row of rows) {
      if (eventIds.size === limit) {
        return { eventIds: [...eventIds], cursor, isEnd: false, leftOut };
      }
      cursor = row._id;
      if (taken.has(row.event_id) || eventIds.has(row.event_id)) leftOut += 1;
      else eventIds.add(row.event_id);
    }
    if (rows.length < SCAN_ROWS) return { eventIds: [...eventIds], cursor, isEnd: true, leftOut };
  }
  return { eventIds: [...eventIds], cursor, isEnd: false, leftOut };
}

/** How many events would be sent now, and how many rows have nothing to send any more. */
export async function countSelected(
  mongo: Mongo,
  wanted: Wanted,
): Promise<{ total: number; leftOut: number }> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  let rows = 0;
  for (;;) {
    const selected = await selectEvents(mongo, { ...wanted, cursor }, SCAN_ROWS);
    rows += selected.eventIds.length + selected.leftOut;
    for (const id of selected.eventIds) seen.add(id);
    if (selected.isEnd) return { total: seen.size, leftOut: rows - seen.size };
    ({ cursor } = selected);
  }
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
    };
    const found = mongo.deliveries.find(filter, { projection: { event_id: 1 } });
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
