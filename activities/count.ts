/** Adds new events and payments to the statistics, a few at a time. */
import { STATS_SOURCES, countBatch, unsettledFrom } from '../store/stats.ts';
import type { Mongo } from '../store/mongo.ts';

/** The documents of one transaction: about 300 KB to read, and at most twice as many writes. */
const BATCH_ROWS = 200;
/** The time after which a call starts no more batches. The sweep calls again after 30 s. */
const ROUND_MS = 10_000;

/**
 * Returns a function that counts settled events and payments, and returns how many it read. Each
 * call takes a limited time, and the next call continues: the position is in the database. So a
 * backlog, as at the first run after an upgrade, is counted within a number of rounds. Throws if
 * the database fails.
 */
export function makeCounter(
  { mongo }: { mongo: Mongo },
  { now = Date.now, batchRows = BATCH_ROWS } = {},
): () => Promise<number> {
  return async () => {
    const startedMs = now();
    let counted = 0;
    let unfinished = STATS_SOURCES.map((source) => ({
      source,
      before: unsettledFrom(source, startedMs),
    }));
    while (unfinished.length > 0 && now() - startedMs < ROUND_MS) {
      const left: typeof unfinished = [];
      // The sources take turns, so that neither is far behind the other.
      for (const each of unfinished) {
        const read = await countBatch(mongo, { ...each, into: 'current', limit: batchRows });
        counted += read;
        if (read === batchRows) left.push(each);
      }
      unfinished = left;
    }
    return counted;
  };
}
