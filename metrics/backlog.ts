/** Gauges of what waits, which only the database knows. */
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { inTime } from '../concurrency.ts';
import { DUE_KINDS, ENDPOINT_STATES, MAX_COUNTED, readBacklog } from '../store/backlog.ts';
import type { Backlog } from '../store/backlog.ts';
import type { Mongo } from '../store/mongo.ts';

/** The age up to which a reading is used again: the usual interval of scrapes. */
const FRESH_MS = 15_000;
/** The time for a reading. A scrape usually has 10 s. */
const LIMIT_MS = 2_000;

type Show = (backlog: Backlog | null, nowMs: number) => void;

/**
 * Returns a function that updates the gauges before a scrape. It reads the database at most every
 * 15 s, and once for several scrapes at the same time. If the database does not reply within 2 s,
 * the gauges are absent. The function never throws.
 */
export function watchBacklog(
  mongo: Mongo,
  show: Show,
  { now = Date.now }: { now?: () => number } = {},
): () => Promise<void> {
  let readAtMs = -Infinity;
  let backlog: Promise<Backlog | null> = Promise.resolve(null);
  return async () => {
    if (now() - readAtMs >= FRESH_MS) {
      readAtMs = now();
      const reading = readBacklog(mongo, { now: new Date(readAtMs), maxTimeMS: LIMIT_MS });
      const late = () => new Error(`No backlog within ${LIMIT_MS} ms.`);
      backlog = inTime(reading, LIMIT_MS, late).catch(() => null);
    }
    show(await backlog, now());
  };
}

/** Creates the gauges. Returns a function that sets them, or removes them without a backlog. */
export function makeBacklogGauges(registry: Registry): Show {
  const registers = [registry];
  const atMost = `at most ${MAX_COUNTED} are counted`;
  const overdue = new Gauge({
    name: 'tollgate_overdue_seconds',
    help: 'How late the row is that was due first, by kind; 0 if none is late',
    labelNames: ['kind'],
    registers,
  });
  const pending = new Gauge({
    name: 'tollgate_deliveries_pending',
    help: `Deliveries that wait for an attempt; ${atMost}`,
    registers,
  });
  const oldest = new Gauge({
    name: 'tollgate_deliveries_oldest_seconds',
    help: 'Age of the oldest delivery that waits; 0 if none waits',
    registers,
  });
  const endpoints = new Gauge({
    name: 'tollgate_endpoints',
    help: `Endpoints that fail or are disabled, by state; ${atMost} of each`,
    labelNames: ['state'],
    registers,
  });
  return (backlog, nowMs) => {
    if (backlog === null) {
      for (const gauge of [overdue, endpoints]) gauge.reset();
      for (const gauge of [pending, oldest]) gauge.remove();
      return;
    }
    for (const kind of DUE_KINDS) {
      overdue.set({ kind }, secondsSince(backlog.overdue[kind], nowMs));
    }
    for (const state of ENDPOINT_STATES) endpoints.set({ state }, backlog.endpoints[state]);
    pending.set(backlog.pending.count);
    oldest.set(secondsSince(backlog.pending.oldest, nowMs));
  };
}

/** Returns 0 without a time. */
function secondsSince(time: Date | null, nowMs: number): number {
  return time === null ? 0 : Math.max(0, nowMs - time.getTime()) / 1_000;
}
