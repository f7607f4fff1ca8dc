/** Pages of overdue rows, for the sweep. */
import type { Filter } from 'mongodb';

/** A row's place among the rows of its kind, which are ordered by due time and then by id. */
export interface DuePlace {
  readonly at: Date;
  readonly id: string;
}

/** A page of the rows that were due before `before`, from the one after `after`. */
export interface DueRange {
  /** The last row of the previous page; null for the first page. */
  readonly after: DuePlace | null;
  readonly before: Date;
  readonly limit: number;
}

/**
 * Returns the filter of a page: rows that match `only` and whose `field` is in the range. Rows with
 * the same time are ordered by id, so any number of them can be due at once. Each branch of the
 * `$or` has its own bounds in an index on (`field`, `_id`), and MongoDB merges them in order. So no
 * page reads the rows of earlier pages, and none is sorted in memory.
 */
export function dueFilter<T>(
  only: Filter<T>,
  field: string,
  { after, before }: DueRange,
): Filter<T> {
  if (!after) return { ...only, [field]: { $lt: before } };
  return {
    $or: [
      { ...only, [field]: after.at, _id: { $gt: after.id } },
      { ...only, [field]: { $gt: after.at, $lt: before } },
    ],
  } as Filter<T>;
}
