/** Compares the indexes of a database with the list of those that this version needs. */
import { MongoServerError } from 'mongodb';
import type { Document, IndexDescription } from 'mongodb';
import { INDEXES, RETIRED } from './indexes.ts';
import type { CollectionName, Mongo } from './mongo.ts';

/**
 * `missing`: the index does not exist. `different`: another definition has its name. `building`: it
 * is being built, and enforces nothing yet. These three are needed. `obsolete`: an earlier version
 * made it, and this one does not use it. `foreign`: it is not ours.
 */
export type IndexState = 'missing' | 'different' | 'building' | 'obsolete' | 'foreign';

/** An index that differs from the list. */
export interface IndexFinding {
  readonly name: CollectionName;
  /** The collection's name in the database. */
  readonly collection: string;
  /** The index's name: the list's, or the server's for an index that the list does not have. */
  readonly index: string;
  readonly state: IndexState;
  /** The definition to build, under a free name since no index can be renamed; or the server's. */
  readonly spec: NamedIndex;
  /** The name of the existing index that is `different`. */
  readonly rival?: string;
}

type NamedIndex = IndexDescription & { readonly name: string };

export const COLLECTIONS = Object.keys(INDEXES) as readonly CollectionName[];

/** The database lacks indexes. The message names them and the command that creates them. */
export class IndexesMissing extends Error {
  override name = 'IndexesMissing';
}

/**
 * Throws `IndexesMissing` unless the database has every index of the list. Ignores indexes that are
 * not ours, and old ones, unless they are unique: those could refuse a valid write.
 */
export async function requireIndexes(mongo: Mongo): Promise<void> {
  const faults = (await surveyIndexes(mongo)).filter(
    ({ state, spec }) => isNeeded(state) || (state === 'obsolete' && spec.unique === true),
  );
  if (faults.length === 0) return;
  const names = faults.map(({ collection, index, state }) => {
    return `${collection}.${index}${state === 'missing' ? '' : ` (${state})`}`;
  });
  throw new IndexesMissing(
    `The database ${mongo.db.databaseName} does not have the indexes that this version needs: ` +
      `${names.join(', ')}. Run \`tollgate migrate\`, then start this again.`,
  );
}

/** Returns whether an index in that state has to be built or waited for. */
export function isNeeded(state: IndexState): boolean {
  return state === 'missing' || state === 'different' || state === 'building';
}

/** Returns everything that differs from the list: what is needed first, in the list's order. */
export async function surveyIndexes(
  mongo: Mongo,
  names: readonly CollectionName[] = COLLECTIONS,
): Promise<IndexFinding[]> {
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
    if (same) {
      const { name: building } = same.spec;
      return same.isBuilding
        ? [{ ...about, state: 'building', spec: { ...spec, name: building } }]
        : [];
    }
    const rival = found.find((each) => isVariant(each.spec.name, spec.name));
    if (!rival) return [{ ...about, state: 'missing', spec }];
    const free = { ...spec, name: freeName(spec.name, found) };
    return [{ ...about, state: 'different', spec: free, rival: rival.spec.name }];
  });
  const others = found.filter(({ spec }) => {
    const isRival = needed.some(({ state, index }) => {
      return state === 'different' && isVariant(spec.name, index);
    });
    return !isRival && !listed.some((each) => isSame(spec, each));
  });
  const isOurs = (index: string): boolean =>
    RETIRED[name]?.includes(index) === true || listed.some((each) => isVariant(index, each.name));
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
 * Returns the indexes of a collection besides `_id`, as the server reports them. Asks for build
 * information (MongoDB 6.0), because otherwise an index that is being built looks finished.
 */
async function listIndexes({ db }: Mongo, collection: string): Promise<Found[]> {
  try {
    const list = { listIndexes: collection, includeIndexBuildInfo: true };
    const { cursor } = await db.command(list);
    const rows = cursor.firstBatch as Document[];
    const all = rows.map((row): Found => {
      const spec = (row['spec'] ?? row) as NamedIndex;
      return { spec, isBuilding: row['indexBuildInfo'] !== undefined };
    });
    return all.filter(({ spec }) => spec.name !== '_id_');
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Returns the definition with a name; by default the one that the driver would choose. */
function named(spec: IndexDescription): NamedIndex {
  return { ...spec, name: spec.name ?? Object.entries(spec.key).flat().join('_') };
}

/** Returns whether both have the same definition. Ignores names and fields that a server adds. */
function isSame(a: IndexDescription, b: IndexDescription): boolean {
  return definitionOf(a) === definitionOf(b);
}

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

/** Returns whether `index` is the listed name, or that of a replacement: `name_2`, `name_3` ... */
function isVariant(index: string, listed: string): boolean {
  return (
    index === listed || (index.startsWith(listed) && /^_\d+$/.test(index.slice(listed.length)))
  );
}

function freeName(listed: string, found: readonly Found[]): string {
  const isTaken = (name: string): boolean => found.some(({ spec }) => spec.name === name);
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? listed : `${listed}_${n}`;
    if (!isTaken(name)) return name;
  }
}
