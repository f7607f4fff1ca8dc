/** The query string of a list. */
import { TollgateUsageError } from './errors.ts';

/** A moment, as a Date or as RFC 3339 text. */
export type Moment = Date | string;

type Bounds = Readonly<Record<string, Moment | undefined>>;
type Value = string | number | readonly string[] | Bounds | null | undefined;

/** The parameters as the service reads them; those that are left out or null are not sent. */
export function queryOf(params: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params) as [string, Value][]) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') query.set(name, String(value));
    else if (isNames(value)) query.set(name, value.join(','));
    else for (const [operator, text] of boundsOf(value)) query.set(`${name}[${operator}]`, text);
  }
  return query;
}

function isNames(value: readonly string[] | Bounds): value is readonly string[] {
  return Array.isArray(value);
}

function boundsOf(bounds: Bounds): [operator: string, text: string][] {
  return Object.entries(bounds).flatMap(([operator, moment]) =>
    moment === undefined ? [] : [[operator, textOf(moment)]],
  );
}

function textOf(moment: Moment): string {
  if (typeof moment === 'string') return moment;
  // It would throw a RangeError that names neither the parameter nor this package.
  if (Number.isNaN(moment.getTime())) throw new TollgateUsageError('created_at: invalid Date.');
  return moment.toISOString();
}
