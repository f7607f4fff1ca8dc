/** Reads the query string of a list (docs/guides/lists.md). Reports all its errors at once. */
import { firstIdAt, isId } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';
import { MAX_PAIR_CHARS, pairTerm } from '../domain/search.ts';
import { suggestion } from '../operations/names.ts';
import { Refusal } from '../operations/refusal.ts';
import type { ErrorCode, FieldError } from '../operations/refusal.ts';
import { metadataKeySchema } from './metadata.ts';
import { parseTime } from './time.ts';
import { refuseUnknown } from './unknown.ts';
import { MAX_ERRORS, testOf } from './validate.ts';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

interface ListFilter {
  /** Returns the value for the database, or undefined if the text is not valid. */
  readonly read: (text: string, param: string) => unknown;
  /** The field in the database, if it is not the filter's name. */
  readonly field?: string;
  /** The schema in the OpenAPI document. The items of an array are separated by commas. */
  readonly schema: object;
  readonly description: string;
  /** The allowed names, for the error message. */
  readonly names?: readonly string[];
  /** The end of the error message, after the parameter. */
  readonly rule?: string;
}

export interface ListSpec {
  readonly kind: IdKind;
  readonly path: string;
  /** By parameter. `metadata.*` has a parameter for each key. */
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** The filters that can be combined. Each combination has an index, which a test checks. */
  readonly combinations: readonly (readonly string[])[];
}

export type ListQuery = ReturnType<typeof parseListQuery>;

/** Creates a filter that takes one value of that schema. */
export function textFilter(description: string, schema: object): ListFilter {
  const accepts = testOf(schema);
  return { read: (text) => (accepts(text) ? text : undefined), schema, description };
}

/**
 * Creates a filter that takes one or more of these names, separated by commas. A name matches the
 * values that `valuesOf` returns; by default, itself.
 */
export function namesFilter(
  description: string,
  names: readonly string[],
  valuesOf: (name: string) => readonly string[] | undefined = (name) => [name],
): ListFilter {
  const schema = { type: 'array', minItems: 1, items: { type: 'string', enum: names } };
  const accepts = testOf(schema);
  const read = (text: string): unknown => {
    const given = text.split(',');
    if (!accepts(given)) return undefined;
    const all = [...new Set(given.flatMap((name) => valuesOf(name) ?? []))];
    return all.length === 1 ? all[0] : { $in: all };
  };
  return { read, schema, description, names };
}

/** What the parameters of the filter `metadata.*` begin with. The rest is a key. */
const METADATA = 'metadata.';
const isMetadataKey = testOf({ type: 'string', ...metadataKeySchema });

/**
 * Creates the filter `metadata.*`. Compares as the search of the dashboard does, whose index it
 * uses: without case, and with single spaces.
 */
export function metadataFilter(description: string): ListFilter {
  const read = (text: string, param: string): unknown =>
    pairTerm(param.slice(METADATA.length), text);
  const rule = `is too long: key and value have at most ${MAX_PAIR_CHARS} characters together`;
  const { maxLength, pattern } = metadataKeySchema;
  const schema = {
    type: 'object',
    maxProperties: 1,
    propertyNames: {
      maxLength: METADATA.length + maxLength,
      pattern: pattern.replace('^', '^metadata\\.'),
    },
    additionalProperties: { type: 'string', maxLength: MAX_PAIR_CHARS - 1 },
  };
  return { read, field: 'found_by', schema, description, rule };
}

interface Reader {
  readonly spec: ListSpec;
  readonly params: URLSearchParams;
  readonly refuse: (param: string | null, code: ErrorCode, message: string) => undefined;
}

/** Returns the name of the parameter's filter; undefined if the list has none. */
function filterOf({ filters }: ListSpec, param: string): string | undefined {
  const isPair = param.startsWith(METADATA);
  if (isPair && !isMetadataKey(param.slice(METADATA.length))) return undefined;
  const name = isPair ? `${METADATA}*` : param;
  return Object.hasOwn(filters, name) ? name : undefined;
}

const COMMON = ['limit', 'starting_after', 'ending_before'];
const BOUND = /^created_at\[(gte|gt|lte|lt)\]$/;
/** The operators in the brackets, and their meanings. */
export const BOUNDS = { gte: 'at or after', gt: 'after', lte: 'at or before', lt: 'before' };

/** Returns the parsed query string. Throws `Refusal` with all its errors. */
export function parseListQuery(spec: ListSpec, query: string) {
  const errors: FieldError[] = [];
  const refuse: Reader['refuse'] = (param, code, message) => {
    errors.push({ param, code, message });
  };
  const reader = { spec, params: new URLSearchParams(query), refuse };
  checkNames(reader);
  const startingAfter = readCursor(reader, 'starting_after');
  const endingBefore = readCursor(reader, 'ending_before');
  if (startingAfter !== undefined && endingBefore !== undefined) {
    refuse('ending_before', 'parameter_invalid', 'Give starting_after or ending_before, not both.');
  }
  const limit = readLimit(reader);
  const asked = { filter: readFilters(reader), limit, startingAfter, endingBefore };
  const ids = readBounds(reader);
  if (errors.length > 0) throw Refusal.ofFields(errors.slice(0, MAX_ERRORS));
  return { ...asked, ids };
}

/** Refuses any query string, for calls that take none. It would otherwise be ignored. */
export function refuseParameters(query: string): void {
  const names = [...new Set(new URLSearchParams(query).keys())].slice(0, MAX_ERRORS);
  if (names.length === 0) return;
  throw Refusal.ofFields(names.map(refuseUnknown([])));
}

function checkNames({ spec, params, refuse }: Reader): void {
  const bounds = Object.keys(BOUNDS).map((operator) => `created_at[${operator}]`);
  const filters = Object.keys(spec.filters).map((name) => name.replace('*', '<key>'));
  const refuseName = refuseUnknown([...COMMON, ...filters, ...bounds]);
  for (const name of new Set(params.keys())) {
    if (!COMMON.includes(name) && !BOUND.test(name) && filterOf(spec, name) === undefined) {
      const { param, code, message } = refuseName(name);
      refuse(param, code, message);
    } else if (params.getAll(name).length > 1) {
      refuse(name, 'parameter_invalid', `${name} is given more than once.`);
    }
  }
}

/** Checks the form of a cursor. `replyWithPage` checks if the merchant has such an object. */
function readCursor({ spec, params, refuse }: Reader, name: string): string | undefined {
  const id = params.get(name) ?? undefined;
  if (id === undefined || isId(spec.kind, id)) return id;
  return refuse(name, 'cursor_invalid', `${name} is not the id of an object of this list.`);
}

function readLimit({ params, refuse }: Reader): number {
  const text = params.get('limit') ?? String(DEFAULT_LIMIT);
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    refuse('limit', 'limit_out_of_range', `limit must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  return limit;
}

function readFilters({ spec, params, refuse }: Reader): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  const given = Object.entries(spec.filters).flatMap(([name, each]) =>
    [...new Set(params.keys())]
      .filter((param) => filterOf(spec, param) === name)
      .map((param) => ({ name, param, each })),
  );
  for (const { param, each } of given) {
    const text = params.get(param) ?? '';
    const value = each.read(text, param);
    if (value === undefined) {
      const near = nearOf(text, each);
      const message = near ? `${param} has an unknown value.${near}` : ruleOf(param, each);
      refuse(param, 'parameter_invalid', message);
    }
    filter[each.field ?? param] = value;
  }
  const isAllowed = spec.combinations.some(
    (some) =>
      some.length === given.length && some.every((name) => given.some((one) => one.name === name)),
  );
  if (!isAllowed) {
    const names = given.map(({ param }) => param);
    const message = `${names.join(' and ')} cannot be given together.`;
    refuse(names.at(-1) ?? '', 'parameter_invalid', message);
  }
  return filter;
}

function ruleOf(name: string, { names, rule }: ListFilter): string {
  if (names) return `${name} must be one or more, separated by commas, of: ${names.join(', ')}.`;
  return `${name} ${rule ?? 'does not have the required form'}.`;
}

/** Suggests the name that was meant by the first one that is unknown. */
function nearOf(text: string, { names = [] }: ListFilter): string {
  return suggestion(
    text.split(',').find((name) => !names.includes(name)),
    names,
  );
}

/** Turns bounds on the time of creation into bounds on the id, which begins with that time. */
function readBounds({ spec, params, refuse }: Reader) {
  let from: number | undefined;
  let below: number | undefined;
  for (const [name, text] of params) {
    const operator = BOUND.exec(name)?.[1];
    if (operator === undefined) continue;
    const moment = parseTime(text);
    if (!moment) {
      refuse(name, 'parameter_invalid', `${name} must be a time as in RFC 3339, URL-encoded.`);
      continue;
    }
    // Objects are created at whole milliseconds, so every bound lies between two of them.
    const isStrict = operator === 'gt' || operator === 'lte';
    const edge = moment.ms + (isStrict || moment.hasRest ? 1 : 0);
    if (operator.startsWith('g')) from = Math.max(from ?? edge, edge);
    else below = Math.min(below ?? edge, edge);
  }
  const idAt = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : firstIdAt(spec.kind, ms);
  return { from: idAt(from), below: idAt(below) };
}
