/** Adds search terms to the payments of earlier versions, so that the search finds them too. */
import { tenantOf } from '../domain/merchant.ts';
import type { Mode } from '../domain/merchant.ts';
import { searchTerms } from '../domain/search.ts';
import type { Mongo } from './mongo.ts';

/** Payments in one write, and merchants in one read. A write is short, so it delays no others. */
const BATCH_ROWS = 100;
const MODES: readonly Mode[] = ['test', 'live'];

/**
 * Adds the terms to every payment that has none, and returns the number of payments. `onProgress`
 * gets that number after each batch. Safe to interrupt, to repeat, and to run twice at once: a
 * payment that has its terms is not found again, and terms are only added. Removes those of an
 * earlier version, whose field no index has any more.
 */
export async function backfillTerms(
  mongo: Mongo,
  onProgress: (filled: number) => void = () => undefined,
): Promise<number> {
  let filled = 0;
  let last = '';
  for (;;) {
    const found = mongo.merchants.find({ _id: { $gt: last } }, { projection: { _id: 1 } });
    const ids = (await found.sort({ _id: 1 }).limit(BATCH_ROWS).toArray()).map(({ _id }) => _id);
    for (const tenant of ids.flatMap((id) => MODES.map((mode) => tenantOf(id, mode)))) {
      for await (const count of fillTenant(mongo, tenant)) {
        filled += count;
        onProgress(filled);
      }
    }
    last = ids.at(-1) ?? '';
    if (ids.length < BATCH_ROWS) return filled;
  }
}

/** Adds the terms to a tenant's payments. Yields the number of each batch. */
async function* fillTenant(mongo: Mongo, tenant: string): AsyncGenerator<number> {
  const projection = { amount: 1, currency: 1, order_id: 1, metadata: 1, attempts: 1 };
  for (;;) {
    // An absent field is null in the index, so no payment that has its terms is read.
    const found = mongo.payments.find({ m: tenant, found_by: null as never }, { projection });
    const rows = await found.limit(BATCH_ROWS).toArray();
    if (rows.length === 0) return;
    const updates = rows.map((row) => ({
      updateOne: {
        // The metadata of a payment that got its terms meanwhile may have changed.
        filter: { _id: row._id, found_by: null as never },
        update: {
          $addToSet: { found_by: { $each: searchTerms(row) } },
          $unset: { terms: '' as const },
        },
      },
    }));
    await mongo.payments.bulkWrite(updates, { ordered: false });
    yield rows.length;
  }
}
