/** Compares the indexes of a database with the list. */
import { MongoServerError } from 'mongodb';
import type { Document, IndexDescription } from 'mongodb';
import { INDEXES, KEPT, RETIRED } from './indexes.ts';
import type { CollectionName, Mongo } from './mongo.ts';

/**
 * `missing`: the index does not exist. `different`: another definition has its name. `building`: it
 * is being built, and enforces nothing yet.
 */
type NeededState = 'missing' | 'different' | 'building';
/** `obsolete`: an earlier version created the index. `foreign`: the operator did. */
export type IndexState = NeededState | 'obsolete' | 'foreign';

/** An index that differs from the list. */
export interface IndexFinding {
  readonly name: CollectionName;
  /** The collection's name in the database. */
  readonly collection: string;
  /** The name in the list, or on the server if it is not in the list. */
  readonly index: string;
  readonly state: IndexState;
  /** The definition to build, with a free name; or that of the server. */
  readonly spec: NamedIndex;
  /** The name of the existing index that is `different`. */
  readonly rival?: string;
}

type NamedIndex = IndexDescription & { readonly name: string };

export const COLLECTIONS = Object.keys(INDEXES) as readonly CollectionName[];

/** The database lacks indexes. The message lists them, with the command that creates them. */
export class IndexesMissing extends Error {
  override name = 'IndexesMissing';
}

/**
 * Throws `IndexesMissing` unless the database has every index of the list. Also throws for an old
 * index that is unique, because it could refuse a valid write.
 */
export async function requireIndexes(mongo: Mongo): Promise<void> {
  const faults = (await surveyIndexes(mongo)).filter(
    ({ state, spec }) => isNeeded(state) || (state === 'obsolete' && spec.unique === true),
  );
  if (faults.length === 0) return;
  const names = faults.map(
    ({ collection, index, state }) =>
      `${collection}.${index}${state === 'missing' ? '' : ` (${state})`}`,
  );
  throw new IndexesMissing(
    `The database ${mongo.db.databaseName} does not have the indexes that this version needs: ` +
      `${names.join(', ')}. Run \`tollgate migrate\`, then start this again.`,
  );
}

/** Returns true if an index in that state is needed, but not ready. */
export function isNeeded(state: IndexState): boolean {
  return state === 'missing' || state === 'different' || state === 'building';
}

/** Returns all differences from the list: first the needed indexes, in the list's order. */
export async function surveyIndexes(mongo: Mongo, names: readonly CollectionName[] = COLLECTIONS) {
  const found = await Promise.all(names.map(async (name) => surveyOne(mongo, name)));
  return found.flat();
}

async function surveyOne(mongo: Mongo, name: CollectionName): Promise<IndexFinding[]> {
  const { collectionName: collection } = mongo[name];
  const found = await listIndexes(mongo, collection);
  const listed = INDEXES[name].map(named);
  const needed = listed.flatMap((spec): IndexFinding[] => {
    const about = { name, collection, index: spec.name };
    const same = found.find((each) => isSame(each.spec, spec));
    if (same && !same.isBuilding) return [];
    if (same) return [{ ...about, state: 'building', spec: { ...spec, name: same.spec.name } }];
    const rival = found.find((each) => isVariant(each.spec.name, spec.name));
    if (!rival) return [{ ...about, state: 'missing', spec }];
    const free = { ...spec, name: freeName(spec.name, found) };
    return [{ ...about, state: 'different', spec: free, rival: rival.spec.name }];
  });
  const isKnown = ({ spec }: Found): boolean =>
    KEPT[name]?.includes(spec.name) === true ||
    listed.some((each) => isSame(spec, each)) ||
    needed.some(({ state, index }) => state === 'different' && isVariant(spec.name, index));
  const isOurs = (index: string): boolean =>
    RETIRED[name]?.includes(index) === true || listed.some((each) => isVariant(index, each.name));
  const others = found.filter((each) => !isKnown(each));
  const findings = others.map(({ spec }): IndexFinding => {
    const state = isOurs(spec.name) ? 'obsolete' : 'foreign';
    return { name, collection, index: spec.name, state, spec };
  });
  return [...needed, ...findings];
}

interface Found {
  readonly spec: NamedIndex;
  readonly isBuilding: boolean;
}

const NAMESPACE_NOT_FOUND = 26;

/**
 * Returns the indexes of a collection besides `_id`. Asks the server for build information (MongoDB
 * 6.0): without it, an index that is being built looks finished.
 */
async function listIndexes({ db }: Mongo, collection: string): Promise<Found[]> {
  try {
    const list = { listIndexes: collection, includeIndexBuildInfo: true };
    const { cursor } = await db.command(list);
    const all = (cursor.firstBatch as Document[]).map((row): Found => {
      const spec = (row['spec'] ?? row) as NamedIndex;
      return { spec, isBuilding: row['indexBuildInfo'] !== undefined };
    });
    return all.filter(({ spec }) => spec.name !== '_id_');
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Returns the definition with a name, by default that of the driver. */
function named(spec: IndexDescription): NamedIndex {
  return { ...spec, name: spec.name ?? Object.entries(spec.key).flat().join('_') };
}

const isSame = (a: IndexDescription, b: IndexDescription): boolean =>
  definitionOf(a) === definitionOf(b);

/** Returns the definition in a comparable form, without the name and fields that a server adds. */
function definitionOf(spec: IndexDescription): string {
  const { key, unique, sparse, expireAfterSeconds, partialFilterExpression, collation } = spec;
  return JSON.stringify([
    Object.entries(key),
    Boolean(unique),
    Boolean(sparse),
    expireAfterSeconds ?? null,
    partialFilterExpression ?? null,
    collation?.locale === 'simple' ? null : (collation ?? null),
  ]);
}

/** Returns true if `index` is the listed name, or that of a replacement: `name_2`, `name_3` ... */
const isVariant = (index: string, listed: string): boolean =>
  index.startsWith(listed) && /^(_\d+)?$/.test(index.slice(listed.length));

function freeName(listed: string, found: readonly Found[]): string {
  const taken = new Set(found.map(({ spec }) => spec.name));
  let name = listed;
  for (let n = 2; taken.has(name); n += 1) name = `${listed}_${n}`;
  return name;
}
