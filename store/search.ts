/** The search for payments: every reading of a text is one index range, and the results merge. */
import type { Payment, PaymentStatus } from '../domain/payment.ts';
import { matchesReading } from '../domain/search.ts';
import type { Reading } from '../domain/search.ts';
import type { Mongo } from './mongo.ts';
import { readPage } from './page.ts';
import type { AnyPageQuery } from './page.ts';

/** Rows in a round of one reading, and the most rounds for one page. */
const SCAN_ROWS = 100;
const SCAN_ROUNDS = 5;

export interface SearchQuery extends Omit<AnyPageQuery, 'filter'> {
  readonly tenant: string;
  readonly readings: readonly Reading[];
  readonly status?: PaymentStatus | undefined;
}

interface Found {
  /** In the direction of reading. */
  readonly rows: readonly Payment[];
  /** The last id that was looked at; null if there are no more. */
  readonly stop: string | null;
}

/**
 * Returns a page of payments that match one of the readings, newest first, and the cursor of the
 * next page in the same direction, or null at the end. Looks at 500 rows of each reading at most.
 * If the status or the currency rules out most of them, the page is short and `next` continues it.
 */
export async function searchPayments(
  mongo: Mongo,
  query: SearchQuery,
): Promise<{ rows: Payment[]; next: string | null }> {
  const { readings, limit, endingBefore } = query;
  const forward = endingBefore !== undefined;
  const sign = forward ? 1 : -1;
  const order = (a: string, b: string): number => sign * (Number(a > b) - Number(a < b));
  const all = await Promise.all(readings.map(async (reading) => scan(mongo, query, reading)));
  // Beyond the first stop, a reading may have rows that nobody has looked at.
  const [stop = null] = all.flatMap((found) => found.stop ?? []).toSorted(order);
  const byId = new Map(all.flatMap(({ rows }) => rows.map((row) => [row._id, row] as const)));
  const ids = [...byId.keys()].filter((id) => stop === null || order(id, stop) <= 0);
  const shown = ids.toSorted(order).slice(0, limit);
  const next = ids.length > limit ? (shown.at(-1) ?? null) : stop;
  const rows = shown.flatMap((id) => byId.get(id) ?? []);
  return { rows: forward ? rows.toReversed() : rows, next };
}

async function scan(mongo: Mongo, query: SearchQuery, reading: Reading): Promise<Found> {
  const { tenant, status, limit, ids, startingAfter, endingBefore } = query;
  const forward = endingBefore !== undefined;
  const rows: Payment[] = [];
  let cursor = forward ? endingBefore : startingAfter;
  for (let round = 0; round < SCAN_ROUNDS && rows.length <= limit; round += 1) {
    const { rows: read, hasMore } = await readPage(mongo.payments, {
      filter: { m: tenant, ...conditionOf(reading, status) },
      limit: SCAN_ROWS,
      ids,
      ...(forward ? { endingBefore: cursor } : { startingAfter: cursor }),
    });
    const ordered = forward ? read.toReversed() : read;
    rows.push(
      ...ordered.filter(
        (row) => (status ?? row.status) === row.status && matchesReading(reading, row),
      ),
    );
    if (!hasMore) return { rows, stop: null };
    cursor = ordered.at(-1)?._id;
  }
  return { rows, stop: cursor ?? null };
}

/** Returns the condition that an index serves. The status of a term's rows is compared here. */
function conditionOf(reading: Reading, status: PaymentStatus | undefined) {
  if (reading.kind !== 'order') return { found_by: reading.term };
  return { order_id: reading.orderId, ...(status === undefined ? {} : { status }) };
}
