/** Pages of overdue rows, for the sweep. */
import type { Collection, Filter, FindCursor, WithId } from 'mongodb';

/** A row's position among the rows of its kind, which are ordered by due time and then by id. */
export interface DuePlace {
  readonly at: Date;
  readonly id: string;
}

/** The rows that were due before `before` and follow the row `after`. */
export interface Stretch {
  /** The last row of the previous page; null for the first page. */
  readonly after: DuePlace | null;
  readonly before: Date;
}

/** A page of a stretch. */
export interface DueRange extends Stretch {
  readonly limit: number;
}

/**
 * Finds a page of rows that match `only` and whose `field` is in the range. Rows with the same time
 * are ordered by id, so any number of them can be due at once. Each branch of the `$or` has its own
 * bounds in an index on (`field`, `_id`), and MongoDB merges them in order. So no page reads the
 * rows of earlier pages, and no row is sorted in memory.
 */
export function findDue<T extends { _id: string }>(
  collection: Collection<T>,
  only: Filter<T>,
  { after, before, limit, field = 'due_at' }: DueRange & { readonly field?: string },
): FindCursor<WithId<T>> {
  const filter = after
    ? {
        $or: [
          { ...only, [field]: after.at, _id: { $gt: after.id } },
          { ...only, [field]: { $gt: after.at, $lt: before } },
        ],
      }
    : { ...only, [field]: { $lt: before } };
  return collection
    .find(filter as Filter<T>)
    .sort({ [field]: 1, _id: 1 })
    .limit(limit);
}

/** Above every id. */
const LAST_ID = '~';

/**
 * Returns the rest of the stretch after a page: one stretch, or two if the whole page has one due
 * time. Then the rows that were due later are a separate stretch, which comes first.
 */
export function restOf(
  { before }: Stretch,
  page: readonly { readonly place: DuePlace }[],
): Stretch[] {
  const [first, last] = [page.at(0)?.place, page.at(-1)?.place];
  if (!first || !last) return [];
  const { at } = last;
  if (first.at.getTime() !== at.getTime()) return [{ after: last, before }];
  const ofTime: Stretch = { after: last, before: new Date(at.getTime() + 1) };
  if (ofTime.before.getTime() >= before.getTime()) return [ofTime];
  return [{ after: { at, id: LAST_ID }, before }, ofTime];
}
