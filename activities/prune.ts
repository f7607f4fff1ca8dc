/** Deletes the records of deliveries that ended long ago, a few at a time. */
import { DEFAULT_RETENTION_DAYS, oldestKeptDelivery } from '../domain/retention.ts';
import { pruneDeliveries } from '../store/deliveries.ts';
import type { Mongo } from '../store/mongo.ts';

export interface PruneDeps {
  mongo: Mongo;
  retentionDays?: number;
}

/** The number of rows that one batch reads and may delete: a second's work for a slow server. */
const BATCH_ROWS = 200;
/** The most batches of a call: 5,000 rows. With a call every 30 s, 14 million rows a day. */
const MAX_BATCHES = 25;
/** The time after which a call starts no more batches. The sweep calls again after 30 s. */
const ROUND_MS = 10_000;
/** The pause after a pass over all rows. A record may be kept this much longer. */
const PASS_EVERY_MS = 60 * 60 * 1000;
/** The pause after a failure, so that a database in trouble is spared. */
const RETRY_AFTER_MS = 5 * 60 * 1000;

/**
 * Returns a function that deletes delivery records older than `retentionDays`, except pending ones,
 * and returns how many it deleted. Each call reads a limited number of rows, and the next call
 * continues after them. An hour after a pass over all rows, a new pass starts at the oldest row.
 * The position is kept in memory only. Throws if the database fails.
 */
export function makePruner(
  deps: PruneDeps,
  { now = Date.now, batchRows = BATCH_ROWS } = {},
): () => Promise<number> {
  const { mongo, retentionDays = DEFAULT_RETENTION_DAYS } = deps;
  let after: string | null = null;
  let notBefore = 0;
  return async () => {
    if (now() < notBefore) return 0;
    const startedMs = now();
    notBefore = startedMs + RETRY_AFTER_MS;
    const before = oldestKeptDelivery(startedMs, retentionDays);
    let pruned = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const done = await pruneDeliveries(mongo, { after, before, limit: batchRows });
      pruned += done.pruned;
      after = done.last;
      if (after === null || now() - startedMs >= ROUND_MS) break;
    }
    notBefore = after === null ? now() + PASS_EVERY_MS : 0;
    return pruned;
  };
}
