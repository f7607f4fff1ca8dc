/** Insertion of many documents. */
import type { Collection, Document, OptionalUnlessRequiredId } from 'mongodb';

const ROWS_AT_ONCE = 50;

/** Inserts the rows in small batches, so that other tests on the same server do not wait long. */
export async function insertAll<T extends Document>(
  collection: Collection<T>,
  rows: readonly OptionalUnlessRequiredId<T>[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
    await collection.insertMany(rows.slice(i, i + ROWS_AT_ONCE));
  }
}
