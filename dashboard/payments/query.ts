/** The address of a list of payments: the search, the filters and the place in the list. */
import { firstIdAt, isId } from '../../domain/id.ts';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment.ts';
import { cursorExists } from '../../store/page.ts';
import { readQuery } from '../form.ts';
import type { StaffRequest } from '../request.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The longest text to search for: a key and a value of metadata. */
export const MAX_SEARCH_CHARS = 541;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The search and the filters of the list. An empty field does not filter. */
export interface Filters {
  readonly q: string;
  readonly status: PaymentStatus | '';
  /** The first and the last day, in UTC, as in `2026-01-31`. */
  readonly from: string;
  readonly to: string;
}

/** A place in the list: older than `after`, or newer than `before`. */
export interface Place {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Returns the filters and the place. Throws 404 for a form that no page of ours has. */
export async function readListQuery(request: StaffRequest): Promise<Filters & { place: Place }> {
  const { ctx } = request;
  const query = readQuery(ctx);
  const status = query.get('status');
  const known = PAYMENT_STATUSES.find((each) => each === status) ?? '';
  const [from, to] = [query.get('from'), query.get('to')];
  const days = [from, to].filter((day) => day !== '');
  const areDays = days.every((day) => DAY.test(day) && !Number.isNaN(Date.parse(day)));
  if (known !== status || !areDays) ctx.throw(404);
  const q = query.get('q').slice(0, MAX_SEARCH_CHARS);
  return { q, status: known, from, to, place: await readPlace(request) };
}

async function readPlace({ ctx, services, tenant }: StaffRequest): Promise<Place> {
  const query = readQuery(ctx);
  const [after, before] = ['after', 'before'].map((name) => query.get(name) || undefined);
  const cursor = after ?? before;
  const { payments } = services.mongo;
  const isOurs =
    cursor === undefined ||
    (isId('payment', cursor) && (await cursorExists(payments, tenant, cursor)));
  if (!isOurs) ctx.throw(404);
  return after === undefined ? { before } : { after };
}

/** Returns the bounds on the ids of payments that were created on those days. */
export function idsOf({ from, to }: Filters): { from?: string; below?: string } {
  return {
    ...(from === '' ? {} : { from: firstIdAt('payment', Date.parse(from)) }),
    ...(to === '' ? {} : { below: firstIdAt('payment', Date.parse(to) + DAY_MS) }),
  };
}

/** Returns the address of the list with those filters, at that place. */
export function addressOf({ q, status, from, to }: Filters, place: Place): string {
  const all = Object.entries({ q, status, from, to, ...place });
  const given = all.filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return query === '' ? '/payments' : `/payments?${query}`;
}
