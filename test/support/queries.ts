/** The queries in MongoDB commands, and which of them no index of the list serves. */
import type { Document } from 'mongodb';
import { INDEXES } from '../../store/indexes.ts';
import type { CollectionName, Mongo } from '../../store/mongo.ts';
import { COLLECTIONS } from '../../store/survey.ts';

export interface Query {
  readonly collection: CollectionName;
  readonly filter: Document;
  readonly sort: Document;
  /** The most documents; Infinity without a limit. */
  readonly limit: number;
}

/** Returns the queries of a command. An insert, a `getMore` and a commit have none. */
export function queriesOf(mongo: Mongo, command: string, document: Document): Query[] {
  const stored: unknown = document[command];
  const collection = COLLECTIONS.find((name) => mongo[name].collectionName === stored);
  if (!collection) return [];
  const query = (filter: Document = {}, limit = Infinity, sort: Document = {}): Query => ({
    collection,
    filter,
    sort: Object.fromEntries(sort instanceof Map ? sort : Object.entries(sort)),
    limit: limit || Infinity,
  });
  if (command === 'find') return [query(document.filter, document.limit, document.sort)];
  const writes: Document[] = document.updates ?? document.deletes ?? [];
  if (writes.length > 0)
    return writes.map(({ q, multi, limit = multi ? 0 : 1 }) => query(q, limit));
  if (command !== 'aggregate') return [];
  const stages: Document = Object.assign({}, ...document.pipeline);
  return [query(stages.$match, stages.$limit, stages.$sort)];
}

/** Returns the query in short, without its values: `payments by m, status; sorted by _id`. */
export function shapeOf({ collection, filter, sort, limit }: Query): string {
  const by = Object.keys(filter).join(', ') || 'nothing';
  const sorted = Object.keys(sort).length > 0 ? `; sorted by ${Object.keys(sort).join(', ')}` : '';
  return `${collection} by ${by}${sorted}${limit === Infinity ? '; all' : ''}`;
}

const RANGE = new Set(['$gt', '$gte', '$lt', '$lte']);
const POINTS = new Set(['$eq', '$in']);

function operatorsOf(value: unknown): string[] | null {
  const isPlain = typeof value === 'object' && value?.constructor === Object;
  const names = isPlain ? Object.keys(value) : [];
  return names.some((name) => name.startsWith('$')) ? names : null;
}

/** Returns true for an equality, and for a list of values. */
const isPoint = (value: unknown): boolean =>
  !(value instanceof RegExp) && (operatorsOf(value) ?? ['$eq']).every((name) => POINTS.has(name));

const isRange = (value: unknown): boolean =>
  operatorsOf(value)?.every((name) => RANGE.has(name)) ?? false;

/**
 * Returns true if an index finds the query's documents, all of them and no others, in the order of
 * its sort, and the query has a limit. The first fields of the index have to be those with one
 * value, followed by those of the sort, the first of which may have a range. A unique index, whose
 * fields all have values, needs no limit, and may leave further conditions to compare.
 */
export function isServed(query: Query): boolean {
  const listed = INDEXES[query.collection].filter(
    ({ partialFilterExpression: part }) => part === undefined,
  );
  const all = [{ key: { _id: 1 }, unique: true }, ...listed];
  return all.some(({ key, unique = false }) => {
    const fields = Object.entries(key as Record<string, number>);
    const isNamed = fields.every(([name]) => isPointOf(query, name));
    return (unique && isNamed) || (query.limit < Infinity && serves(fields, query));
  });
}

const isPointOf = ({ filter }: Query, name: string): boolean =>
  Object.hasOwn(filter, name) && isPoint(filter[name]);

function serves(key: readonly (readonly [string, number])[], query: Query): boolean {
  const { filter, sort } = query;
  const pinned = key.findIndex(([name]) => !isPointOf(query, name));
  const after = pinned === -1 ? [] : key.slice(pinned);
  const names = new Set(key.slice(0, key.length - after.length).map(([name]) => name));
  const sorts = Object.entries<number>(sort);
  const turn = (after[0]?.[1] ?? 1) * (sorts[0]?.[1] ?? 1);
  const isSorted = sorts.every(
    ([name, direction], nth) => after[nth]?.[0] === name && after[nth][1] * direction === turn,
  );
  const rest = Object.keys(filter).filter((name) => !names.has(name));
  const isFound = rest.every((name) => name === after[0]?.[0] && isRange(filter[name]));
  return isSorted && isFound && Object.keys(filter).length > 0;
}
