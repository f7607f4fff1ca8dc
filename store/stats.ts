/**
 * The statistics: counts per tenant and UTC day. They are counted from the events and payments in
 * the order of ids, so no payment pays for a further write.
 */
import type { Collection, Filter } from 'mongodb';
import { firstIdAt, timeOf } from '../domain/id.ts';
import type { Event } from '../domain/event.ts';
import { addTally, tallyEvent, tallyPayment } from '../domain/stats.ts';
import type { CountedEvent, Counts, Tally } from '../domain/stats.ts';
import { duplicateOf } from './mongo.ts';
import type { Mongo } from './mongo.ts';
import type { Generation, PaymentRow, StatsStateRow } from './rows.ts';

/** The collections that are counted, each with its own position. */
export const STATS_SOURCES = ['events', 'payments'] as const;
export type StatsSource = (typeof STATS_SOURCES)[number];
const KINDS = { events: 'event', payments: 'payment' } as const;

/**
 * The age at which a document is counted. Its id is chosen before its transaction, which may take a
 * minute, on a host whose clock may differ. After this time no document with an earlier id appears.
 */
export const SETTLED_MS = 2 * 60 * 1000;
/** The most documents of a source that a reader counts itself, because they are too young. */
export const LIVE_ROWS = 500;
/** The reads that a reader makes while the position moves under it. */
const READ_TRIES = 4;
/** Rows of an old generation that one command deletes. */
const DELETE_ROWS = 500;
/** Before every document. */
const FIRST: Generation = {
  number: 1,
  events: firstIdAt('event', 0),
  payments: firstIdAt('payment', 0),
};
const COUNTED = { m: 1, type: 1, payment_id: 1, cause: 1, body: 1 };

/** Returns the beginning of the ids of a generation's rows. */
const prefixOf = ({ number }: Pick<Generation, 'number'>): string =>
  `${String(number).padStart(6, '0')}:`;

/** Returns the smallest id that is too young to be counted at `nowMs`. */
export function unsettledFrom(source: StatsSource, nowMs: number): string {
  return firstIdAt(KINDS[source], nowMs - SETTLED_MS);
}

/** Returns the state of the counting, and creates it before the first. */
export async function statsState(mongo: Mongo): Promise<StatsStateRow> {
  const state = await mongo.statsState.findOne({ _id: 'stats' });
  if (state) return state;
  const fresh: StatsStateRow = { _id: 'stats', current: FIRST, next: null };
  try {
    await mongo.statsState.insertOne(fresh);
    return fresh;
  } catch (error) {
    if (duplicateOf(error) === undefined) throw error;
    return statsState(mongo);
  }
}

interface Batch {
  readonly source: StatsSource;
  /** The generation that readers use, or that of a rebuild. */
  readonly into: 'current' | 'next';
  /** Documents from this id on are not counted yet. */
  readonly before: string;
  readonly limit: number;
}

/**
 * Counts the next documents of a source. Returns how many it read; 0 at the end. The position moves
 * in the transaction of the counts, so every document counts once, even if two processes count at
 * the same time, or one dies. The process that comes second counts nothing and reads on.
 */
export async function countBatch(mongo: Mongo, batch: Batch): Promise<number> {
  const { source, into, before, limit } = batch;
  const generation = (await statsState(mongo))[into];
  if (!generation) return 0;
  const after = generation[source];
  const { ids, tallies } = await readTallies(mongo, source, {
    _id: { $gt: after, $lt: before },
    limit,
  });
  const last = ids.at(-1);
  if (last === undefined) return 0;
  const writes = incrementsOf(generation, tallies);
  const place = `${into}.${source}`;
  const here = { _id: 'stats', [`${into}.number`]: generation.number, [place]: after } as const;
  await mongo.transact(async (session) => {
    const moved = await mongo.statsState.updateOne(here, { $set: { [place]: last } }, { session });
    if (moved.matchedCount === 0 || writes.length === 0) return;
    await mongo.dayStats.bulkWrite(writes, { session, ordered: false });
  });
  return ids.length;
}

interface Range {
  readonly m?: string;
  readonly _id: { readonly $gt: string; readonly $lt?: string };
  readonly limit: number;
}

/** Reads documents in the order of ids. Returns their ids and tallies. */
async function readTallies(
  mongo: Mongo,
  source: StatsSource,
  { limit, ...filter }: Range,
): Promise<{ ids: string[]; tallies: Tally[] }> {
  const oldest = async <T extends { _id: string }>(
    rows: Collection<T>,
    projection: Readonly<Record<string, number>>,
  ) =>
    rows
      .find(filter as unknown as Filter<T>, { projection })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  if (source === 'payments') {
    const rows = await oldest<PaymentRow>(mongo.payments, { m: 1 });
    return { ids: rows.map(({ _id }) => _id), tallies: rows.map(tallyPayment) };
  }
  const rows: CountedEvent[] = await oldest<Event>(mongo.events, COUNTED);
  return { ids: rows.map(({ _id }) => _id), tallies: rows.flatMap(tallyEvent) };
}

/** Returns one write for each row. */
function incrementsOf(generation: Generation, tallies: readonly Tally[]) {
  const rows = new Map<string, Counts>();
  for (const tally of tallies) {
    const id = `${prefixOf(generation)}${tally.m}:${tally.day}`;
    const counts = rows.get(id) ?? {};
    addTally(counts, { ...tally, name: `counts.${tally.name}` });
    rows.set(id, counts);
  }
  return [...rows].map(([_id, counts]) => ({
    updateOne: { filter: { _id }, update: { $inc: counts }, upsert: true },
  }));
}

export interface Stats {
  /** The counts by day. Days without any are absent. */
  readonly days: ReadonlyMap<string, Counts>;
  /** Null if everything is counted; otherwise the time up to which everything is. */
  readonly upTo: Date | null;
}

/**
 * Returns a tenant's counts from one day to another. Adds up what is too young to be counted, up to
 * `LIVE_ROWS` documents of each source.
 */
export async function readStats(
  mongo: Mongo,
  { tenant, from, to }: { tenant: string; from: string; to: string },
): Promise<Stats> {
  let state = await mongo.statsState.findOne({ _id: 'stats' });
  for (let tries = READ_TRIES; ; tries -= 1) {
    const generation = state?.current ?? FIRST;
    const ids = { $gte: `${prefixOf(generation)}${tenant}:${from}` };
    const upper = { $lte: `${prefixOf(generation)}${tenant}:${to}` };
    const [rows, ...live] = await Promise.all([
      mongo.dayStats.find({ _id: { ...ids, ...upper } }).toArray(),
      ...STATS_SOURCES.map(async (source) => readLive(mongo, { tenant, source, generation })),
    ]);
    const after = await mongo.statsState.findOne({ _id: 'stats' });
    // If documents were counted meanwhile, they may be in the rows and among the young ones.
    const isSame = isSamePlace(generation, after?.current ?? FIRST);
    if (!isSame && tries > 1) {
      state = after;
      continue;
    }
    const days = new Map(rows.map(({ _id, counts }) => [_id.slice(-from.length), counts]));
    if (!isSame) return { days, upTo: placeTime(generation) };
    for (const tally of live.flatMap(({ tallies }) => tallies)) {
      if (tally.day < from || tally.day > to) continue;
      const counts = days.get(tally.day) ?? {};
      addTally(counts, tally);
      days.set(tally.day, counts);
    }
    const ends = live.flatMap(({ upToMs }) => upToMs ?? []);
    return { days, upTo: ends.length > 0 ? new Date(Math.min(...ends)) : null };
  }
}

const placeTime = ({ events, payments }: Generation): Date =>
  new Date(Math.min(timeOf(events), timeOf(payments)));

const isSamePlace = (a: Generation, b: Generation): boolean =>
  a.number === b.number && a.events === b.events && a.payments === b.payments;

async function readLive(
  mongo: Mongo,
  place: { tenant: string; source: StatsSource; generation: Generation },
): Promise<{ tallies: Tally[]; upToMs: number | null }> {
  const { tenant: m, source, generation } = place;
  const range = { m, _id: { $gt: generation[source] }, limit: LIVE_ROWS };
  const { ids, tallies } = await readTallies(mongo, source, range);
  const last = ids.at(-1);
  const isAll = last === undefined || ids.length < LIVE_ROWS;
  return { tallies, upToMs: isAll ? null : timeOf(last) };
}

/** Begins a new generation, or continues one that was interrupted. Returns which. */
export async function beginGeneration(mongo: Mongo): Promise<'begun' | 'continued'> {
  const { current, next } = await statsState(mongo);
  if (next) return 'continued';
  const fresh: Generation = { ...FIRST, number: current.number + 1 };
  const here = { _id: 'stats', 'current.number': current.number, next: null } as const;
  const begun = await mongo.statsState.updateOne(here, { $set: { next: fresh } });
  return begun.matchedCount === 1 ? 'begun' : 'continued';
}

/** Makes the new generation that of the readers, unless it has moved or is so already. */
export async function useGeneration(mongo: Mongo): Promise<void> {
  const { next } = await statsState(mongo);
  if (!next) return;
  const here = {
    _id: 'stats',
    'next.number': next.number,
    'next.events': next.events,
    'next.payments': next.payments,
  } as const;
  await mongo.statsState.updateOne(here, { $set: { current: next, next: null } });
}

/** Deletes the rows of earlier generations, in batches. Returns their number. */
export async function deleteOldGenerations(mongo: Mongo): Promise<number> {
  const { current } = await statsState(mongo);
  const old = { _id: { $lt: prefixOf(current) } };
  for (let deleted = 0; ;) {
    const found = mongo.dayStats.find(old, { projection: { _id: 1 } }).limit(DELETE_ROWS);
    const ids = (await found.toArray()).map(({ _id }) => _id);
    deleted += (await mongo.dayStats.deleteMany({ _id: { $in: ids } })).deletedCount;
    if (ids.length < DELETE_ROWS) return deleted;
  }
}
