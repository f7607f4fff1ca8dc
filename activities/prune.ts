/** The records of deliveries that ended long ago are removed, a few at a time. */
import { DEFAULT_RETENTION_DAYS, oldestKeptDelivery } from '../domain/retention.ts';
import { pruneDeliveries } from '../store/deliveries.ts';
import type { Mongo } from '../store/mongo.ts';

export interface PruneDeps {
  mongo: Mongo;
  retentionDays?: number;
}

/** Rows that are looked at, and at most removed, in one go: a second's work for a slow server. */
const BATCH_ROWS = 200;
/** A backlog is worked off over several rounds: 5,000 rows each, so 14 million a day at most. */
export const MAX_BATCHES = 25;
/** No batch begins later in a round than this: the next round of the sweep comes after 30 s. */
export const ROUND_MS = 10_000;
/** How much longer than asked for a record may be kept, when nothing else is in the way. */
export const PASS_EVERY_MS = 60 * 60 * 1000;
/** A database that could not do it has worse to do than to be asked again by the next round. */
export const RETRY_AFTER_MS = 5 * 60 * 1000;

/**
 * Answers what removes the records of deliveries that are older than `retentionDays` and not
 * pending, and tells how many it removed. What a call looks at is bounded, and the next one goes on
 * behind it; an hour after the end was reached it begins at the oldest row again, so that what
 * is still pending is not passed by in every round. How far it has come is remembered only here: a
 * process that forgets it begins anew. Throws when the database cannot do it.
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
    const begun = now();
    notBefore = begun + RETRY_AFTER_MS;
    const before = oldestKeptDelivery(begun, retentionDays);
    let pruned = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const done = await pruneDeliveries(mongo, { after, before, limit: batchRows });
      pruned += done.pruned;
      after = done.last;
      if (after === null || now() - begun >= ROUND_MS) break;
    }
    notBefore = after === null ? now() + PASS_EVERY_MS : 0;
    return pruned;
  };
}
