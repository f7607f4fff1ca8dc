/** Pages of overdue rows, for the sweep. */
import type { Filter } from 'mongodb';

/** A row's place among the rows of its kind, which are ordered by due time and then by id. */
export interface DuePlace {
  readonly at: Date;
  readonly id: string;
}

/** The rows that were due before `before`, from the one after `after`. */
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

/** Above every id. */
const LAST_ID = '~';

/**
 * Returns what is left of the stretch after a page: one stretch, or two if the whole page has one
 * due time. Then the rows that were due later are a stretch of their own, which comes first.
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
