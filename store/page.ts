/** The query of every list: newest first, with an id as the cursor. */
import type { Collection, Document, Filter } from 'mongodb';
import type { TenantRow } from '../domain/merchant.ts';

export type Row = Document & { readonly _id: string };
/** A collection, for folders that may not import the driver. */
export type Rows<T extends Row> = Collection<T>;

export interface AnyPageQuery {
  /** Conditions that an index serves, with `_id` as its last field. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Rows in a page, 1 to 100. */
  readonly limit: number;
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
  /** Bounds on `_id`, in place of bounds on the creation time. */
  readonly ids?:
    { readonly from?: string | undefined; readonly below?: string | undefined } | undefined;
  /** Fields that are not read. */
  readonly unread?: Readonly<Record<string, 0>>;
}

export type PageQuery = AnyPageQuery & { readonly filter: TenantRow };

export interface Page<T> {
  readonly rows: T[];
  /** True if there are more rows in the direction of reading. */
  readonly hasMore: boolean;
}

/**
 * Rows in a round trip. A default page needs only one. The longest page has 3 MB, and all other
 * requests would wait while the driver reads it in one piece.
 */
const BATCH_ROWS = 25;

/** Fields that lists do not read: the first response is twice as long as the rest of the row. */
export const UNREAD = { idem: 0, found_by: 0 };

/** Reads a page of a tenant, without idempotency records. Looks at `limit + 1` rows at most. */
export const readPage: <T extends Row>(rows: Rows<T>, query: PageQuery) => Promise<Page<T>> =
  readAnyPage;

/** Reads a page across tenants, for operators; otherwise as `readPage`. */
export async function readAnyPage<T extends Row>(
  collection: Collection<T>,
  query: AnyPageQuery,
): Promise<Page<T>> {
  const forward = query.endingBefore !== undefined;
  const rows = await collection
    .find(filterOf<T>(query), { projection: { ...UNREAD, ...query.unread } })
    .sort({ _id: forward ? 1 : -1 })
    .limit(query.limit + 1)
    .batchSize(BATCH_ROWS)
    .toArray();
  const page = rows.slice(0, query.limit) as unknown as T[];
  return { rows: forward ? page.toReversed() : page, hasMore: rows.length > query.limit };
}

/**
 * Yields all rows of a tenant's query, newest first, a few at a time. Reads on when the consumer
 * asks for more, however long that takes: each piece is one command, which the driver repeats if
 * the database changes its primary. Rows that are created meanwhile are not among them.
 */
export async function* readAll<T extends Row>(
  rows: Rows<T>,
  query: Omit<PageQuery, 'limit' | 'endingBefore'>,
): AsyncGenerator<T[], void, undefined> {
  for (let { startingAfter } = query; ;) {
    const page = await readPage(rows, { ...query, startingAfter, limit: BATCH_ROWS - 1 });
    if (page.rows.length > 0) yield page.rows;
    if (!page.hasMore) return;
    startingAfter = page.rows.at(-1)?._id;
  }
}

/** Counts the rows of a tenant's query, up to its limit. */
export async function countRows<T extends Row>(rows: Rows<T>, query: PageQuery): Promise<number> {
  return rows.countDocuments(filterOf<T>(query), { limit: query.limit });
}

/** Returns true if the tenant has a row of that id, so that the id may be a cursor. */
export async function cursorExists<T extends Row>(
  collection: Collection<T>,
  tenant: string,
  id: string,
): Promise<boolean> {
  const filter = { _id: id, m: tenant } as unknown as Filter<T>;
  return (await collection.findOne(filter, { projection: { _id: 1 } })) !== null;
}

/** Returns the filter of a query: its conditions, and its bounds on `_id`. */
export function filterOf<T extends Row>(query: AnyPageQuery): Filter<T> {
  const bounds = {
    $gte: query.ids?.from,
    $gt: query.endingBefore,
    $lt: smaller(query.startingAfter, query.ids?.below),
  };
  const given = Object.entries(bounds).filter(([, id]) => id !== undefined);
  const range = given.length > 0 ? { _id: Object.fromEntries(given) } : {};
  return { ...query.filter, ...range };
}

function smaller(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
