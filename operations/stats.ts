/** Counts the statistics again, from all events and payments. */
import {
  STATS_SOURCES,
  beginGeneration,
  countBatch,
  deleteOldGenerations,
  statsState,
  unsettledFrom,
  useGeneration,
} from '../store/stats.ts';
import type { Services, Shown } from './services.ts';

/** The documents of one transaction. */
const BATCH_ROWS = 200;

/**
 * Counts everything into a new generation, which the dashboard shows once it is complete. Until
 * then it shows the old one, which the worker keeps up to date. Safe to interrupt, to repeat, and
 * to run twice at once: the next run continues.
 */
export async function rebuildStats(
  { mongo }: Pick<Services, 'mongo'>,
  { now = Date.now, batchRows = BATCH_ROWS } = {},
): Promise<Shown> {
  const begun = await beginGeneration(mongo);
  const counted = { events: 0, payments: 0 };
  while ((await statsState(mongo)).next) {
    let read = 0;
    for (const source of STATS_SOURCES) {
      const before = unsettledFrom(source, now());
      const batch = { source, into: 'next', before, limit: batchRows } as const;
      const some = await countBatch(mongo, batch);
      counted[source] += some;
      read += some;
    }
    if (read === 0) await useGeneration(mongo);
  }
  return { rebuild: begun, ...counted, rows_deleted: await deleteOldGenerations(mongo) };
}
