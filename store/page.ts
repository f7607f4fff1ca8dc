/** The one query behind every list: newest first, by a cursor that is an id. */
import type { Collection, Document, Filter } from 'mongodb';

export type Row = Document & { readonly _id: string };
/** A collection, for rooms that do not know the driver. */
export type Rows<T extends Row> = Collection<T>;

interface AnyPageQuery {
  /** The conditions. An index must serve them, with `_id` as its last field. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Rows in a page, 1 to 100. */
  readonly limit: number;
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
  /** Bounds on `_id` that stand for bounds on the time of creation. */
  readonly ids?: { readonly from?: string | undefined; readonly below?: string | undefined };
}

export interface PageQuery extends AnyPageQuery {
  /** The merchant and mode, and conditions that an index serves together with them. */
  readonly filter: AnyPageQuery['filter'] & { readonly m: string };
}

export interface Page<T> {
  readonly rows: T[];
  /** Whether there are more in the direction of reading. */
  readonly hasMore: boolean;
}

/**
 * Rows in a round trip. A default page needs only one. The longest page is 3 MB, and a server that
 * composes it in one piece delays all other requests.
 */
const BATCH_ROWS = 25;

/** The stored first response of a payment or refund, which is twice as long as the rest of it. */
const UNREAD = { idem: 0 };

/**
 * Reads one page, without the rows' idempotency records; at most `limit + 1` rows are looked at,
 * however deep the cursor is.
 */
export async function readPage<T extends Row>(
  collection: Collection<T>,
  query: PageQuery,
): Promise<Page<T>> {
  return readAnyPage(collection, query);
}

/** Reads one page across merchants, for operators; otherwise as `readPage`. */
export async function readAnyPage<T extends Row>(
  collection: Collection<T>,
  query: AnyPageQuery,
): Promise<Page<T>> {
  const bounds = {
    $gte: query.ids?.from,
    $gt: query.endingBefore,
    $lt: smaller(query.startingAfter, query.ids?.below),
  };
  const given = Object.entries(bounds).filter(([, id]) => id !== undefined);
  const range = given.length > 0 ? { _id: Object.fromEntries(given) } : {};
  const forward = query.endingBefore !== undefined;
  const rows = await collection
    .find({ ...query.filter, ...range } as Filter<T>, { projection: UNREAD })
    .sort({ _id: forward ? 1 : -1 })
    .limit(query.limit + 1)
    .batchSize(BATCH_ROWS)
    .toArray();
  const page = rows.slice(0, query.limit) as unknown as T[];
  return { rows: forward ? page.toReversed() : page, hasMore: rows.length > query.limit };
}

/** Whether the merchant has an object of that id in the collection: what a cursor must name. */
export async function cursorExists<T extends Row>(
  collection: Collection<T>,
  m: string,
  id: string,
): Promise<boolean> {
  const found = await collection.findOne({ _id: id, m } as unknown as Filter<T>, {
    projection: { _id: 1 },
  });
  return found !== null;
}

function smaller(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
