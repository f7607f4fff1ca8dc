/** Reads all rows of a query. It loads the driver, unlike page.ts, which commands load. */
import { isUnavailable } from './mongo.ts';
import { UNREAD, filterOf } from './page.ts';
import type { PageQuery, Row, Rows } from './page.ts';

/**
 * Yields all rows of a tenant's query, newest first, `limit` at a time. Reads on when the consumer
 * asks for more. If the cursor is lost, as after an election or 10 minutes without a read, a new
 * one continues after the last row. Throws if that fails at once. Rows that are created meanwhile
 * are not among them.
 */
export async function* readAll<T extends Row>(
  rows: Rows<T>,
  query: PageQuery,
): AsyncGenerator<T[], void, undefined> {
  let { startingAfter } = query;
  for (let mayResume = false; ;) {
    const cursor = rows
      .find(filterOf<T>({ ...query, startingAfter }), {
        projection: { ...UNREAD, ...query.unread },
      })
      .sort({ _id: -1 })
      .batchSize(query.limit);
    try {
      while (await cursor.hasNext()) {
        const batch = cursor.readBufferedDocuments() as unknown as T[];
        yield batch;
        startingAfter = batch.at(-1)?._id;
        mayResume = true;
      }
      return;
    } catch (error) {
      if (!mayResume || !isUnavailable(error)) throw error;
      mayResume = false;
    } finally {
      await cursor.close();
    }
  }
}
