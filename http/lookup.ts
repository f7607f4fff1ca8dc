/**
 * Lookups by secret, where anybody can send made-up secrets. Every lookup reads the database, but a
 * flood costs only a few queries.
 */
import { LRUCache } from 'lru-cache';
import { makeBatches } from '../concurrency.ts';
import type { FindAll, Lookup } from '../concurrency.ts';
import { makePace } from './pace.ts';

export type { Lookup };

/** The number of valid secrets that are remembered, so that they do not wait behind guesses. */
const MAX_FOUND = 10_000;

/**
 * Creates a lookup. A secret that was found before is read at once, in one query for all concurrent
 * callers. All other secrets share ten queries a second, so a valid one is found even in a flood.
 */
export function makeLookup<T>(findAll: FindAll<T>): Lookup<T> {
  const found = new LRUCache<string, Lookup<T>>({ max: MAX_FOUND });
  const guess = makeBatches(findAll, makePace(1));
  return async (secret) => {
    const own = found.get(secret);
    const object = await (own ?? guess)(secret);
    if (object !== undefined && !own) found.set(secret, makeBatches(findAll));
    return object;
  };
}
