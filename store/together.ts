/** Reads of single rows. Those of the same moment share one query, which costs little more. */
import { makeBatches } from '../concurrency.ts';
import type { Lookup } from '../concurrency.ts';
import type { Mongo } from './mongo.ts';

/** Creates the read of a row by its id from a query of several. It returns null if there is none. */
export function makeRead<T extends { readonly _id: string }>(
  findAll: (mongo: Mongo, ids: readonly string[]) => Promise<T[]>,
) {
  const lookups = new WeakMap<Mongo, Lookup<T>>();
  const lookUpIn = (mongo: Mongo): Lookup<T> =>
    makeBatches(async (ids) => {
      const rows = await findAll(mongo, ids);
      return new Map(rows.map((row) => [row._id, row]));
    });
  return async (mongo: Mongo, id: string): Promise<T | null> => {
    const lookUp = lookups.get(mongo) ?? lookUpIn(mongo);
    lookups.set(mongo, lookUp);
    return (await lookUp(id)) ?? null;
  };
}
