/** The query string of a list. */
import { TollgateUsageError } from './errors.ts';

/** A point in time, as a Date or as RFC 3339 text. */
export type Moment = Date | string;

type Bounds = Readonly<Record<string, Moment | undefined>>;
type Pairs = Readonly<Record<string, string>>;
type Value = string | number | readonly string[] | Bounds | Pairs | null | undefined;

/** Returns the parameters in the service's form. Leaves out undefined and null. */
export function queryOf(params: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params) as [string, Value][]) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') query.set(name, String(value));
    else if (isNames(value)) query.set(name, value.join(','));
    else {
      for (const [inner, each] of Object.entries(value)) {
        const parameter = name === 'metadata' ? `metadata.${inner}` : `${name}[${inner}]`;
        if (each !== undefined) query.set(parameter, textOf(each));
      }
    }
  }
  return query;
}

function isNames(value: readonly string[] | Bounds | Pairs): value is readonly string[] {
  return Array.isArray(value);
}

function textOf(moment: Moment): string {
  if (typeof moment === 'string') return moment;
  // toISOString would throw a RangeError that does not name the parameter.
  if (Number.isNaN(moment.getTime())) throw new TollgateUsageError('created_at: invalid Date.');
  return moment.toISOString();
}
