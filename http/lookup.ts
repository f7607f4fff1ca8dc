/**
 * Reading what a secret belongs to, where anybody can send made-up secrets. The database is asked
 * about every secret each time, but a flood of them costs it no more than a few queries.
 */
import { LRUCache } from 'lru-cache';
import { makePace } from './pace.ts';
import type { Pace } from './pace.ts';

/** Reads the things of those secrets that have one, in one query. */
export type FindAll<T> = (secrets: string[]) => Promise<ReadonlyMap<string, T>>;

/** Returns what belongs to the secret now, or undefined. The read begins after the call. */
export type Lookup<T> = (secret: string) => Promise<T | undefined>;

/** Found secrets that are remembered, so that they do not wait among the guesses. */
const MAX_FOUND = 10_000;

/**
 * A secret that was found before is read at once, and once for all who ask meanwhile. All others
 * share ten queries a second: a valid secret is found by them too, in spite of a flood.
 */
export function makeLookup<T>(findAll: FindAll<T>): Lookup<T> {
  const found = new LRUCache<string, Lookup<T>>({ max: MAX_FOUND });
  const guess = makeShared(findAll, makePace(1));
  return async (secret) => {
    const own = found.get(secret);
    const thing = await (own ?? guess)(secret);
    if (thing !== undefined && !own) found.set(secret, makeShared(findAll));
    return thing;
  };
}

/** One query at a time; all who ask while one is under way share the next. */
function makeShared<T>(findAll: FindAll<T>, pace?: Pace): Lookup<T> {
  let next: { secrets: Set<string>; things: Promise<ReadonlyMap<string, T>> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function run(secrets: Set<string>, before: Promise<unknown>) {
    await before.catch(() => undefined);
    await pace?.();
    // From here on a caller may come too late for this query.
    next = undefined;
    return findAll([...secrets]);
  }

  return async (secret) => {
    if (!next) {
      const secrets = new Set<string>();
      next = { secrets, things: run(secrets, last) };
      last = next.things;
    }
    next.secrets.add(secret);
    return (await next.things).get(secret);
  };
}
