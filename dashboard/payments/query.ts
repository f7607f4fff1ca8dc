/** The address of a list of payments or refunds: the filters, and the place in the list. */
import { firstIdAt, isId } from '../../domain/id.ts';
import { cursorExists } from '../../store/page.ts';
import { readQuery } from '../form.ts';
import type { StaffRequest } from '../request.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The first and the last day, in UTC, as in `2026-01-31`. An empty one does not filter. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A place in the list: older than `after`, or newer than `before`. */
export interface Place {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** A list with its filters, as its address has them. */
export interface Listing {
  readonly path: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** Returns the status in the address, or ''. Throws 404 for a status that the list does not have. */
export function readStatus<Status extends string>(
  { ctx }: StaffRequest,
  statuses: readonly Status[],
): Status | '' {
  const status = readQuery(ctx).get('status');
  const known = statuses.find((each) => each === status) ?? '';
  return known === status ? known : ctx.throw(404);
}

/** Returns the days in the address. Throws 404 for texts that are no days. */
export function readDays({ ctx }: StaffRequest): Days {
  const query = readQuery(ctx);
  const [from, to] = [query.get('from'), query.get('to')];
  return [from, to].every((day) => day === '' || isDay(day)) ? { from, to } : ctx.throw(404);
}

function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` takes February 30 as March 2.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Returns the place in the address. Throws 404 for an id that the merchant does not have. */
export async function readPlace(
  { ctx, services: { mongo }, tenant }: StaffRequest,
  kind: 'payment' | 'refund',
): Promise<Place> {
  const query = readQuery(ctx);
  const [after, before] = ['after', 'before'].map((name) => query.get(name) || undefined);
  const cursor = after ?? before;
  const exists = async (id: string): Promise<boolean> =>
    kind === 'payment'
      ? cursorExists(mongo.payments, tenant, id)
      : cursorExists(mongo.refunds, tenant, id);
  const isOurs = cursor === undefined || (isId(kind, cursor) && (await exists(cursor)));
  if (!isOurs) ctx.throw(404);
  return after === undefined ? { before } : { after };
}

/** Returns the bounds on the ids of what was created on those days. */
export function idsOf(
  kind: 'payment' | 'refund',
  { from, to }: Days,
): { from?: string; below?: string } {
  return {
    ...(from === '' ? {} : { from: firstIdAt(kind, Date.parse(from)) }),
    ...(to === '' ? {} : { below: firstIdAt(kind, Date.parse(to) + DAY_MS) }),
  };
}

export const isFiltered = ({ filters }: Listing): boolean =>
  Object.values(filters).some((value) => value !== '');

/** Returns the address of the list with its filters, at that place. */
export function addressOf({ path, filters }: Listing, place: Place = {}): string {
  const all = Object.entries({ ...filters, ...place });
  const given = all.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}
