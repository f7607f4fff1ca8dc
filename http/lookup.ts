/**
 * Lookups by secret, where anybody can send made-up secrets. Every lookup reads the database, but a
 * flood costs only a few queries.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { makePace } from './pace.ts';
import type { Pace } from './pace.ts';

/** Reads the objects of the secrets in one query. The result leaves out unknown secrets. */
type FindAll<T> = (secrets: string[]) => Promise<ReadonlyMap<string, T>>;

/** Returns the secret's current object, or undefined. The read begins after the call. */
export type Lookup<T> = (secret: string) => Promise<T | undefined>;

/** The number of valid secrets that are remembered, so that they do not wait behind guesses. */
const MAX_FOUND = 10_000;
/** The longest time that a hanging query delays the next one. */
const STUCK_MS = 250;

/**
 * Creates a lookup. A secret that was found before is read at once, in one query for all concurrent
 * callers. All other secrets share ten queries a second, so a valid one is found even in a flood.
 */
export function makeLookup<T>(findAll: FindAll<T>): Lookup<T> {
  const found = new LRUCache<string, Lookup<T>>({ max: MAX_FOUND });
  const guess = makeShared(findAll, makePace(1));
  return async (secret) => {
    const own = found.get(secret);
    const object = await (own ?? guess)(secret);
    if (object !== undefined && !own) found.set(secret, makeShared(findAll));
    return object;
  };
}

const drop = (): void => undefined;

/** Creates a lookup that runs one query at a time. All calls during a query share the next one. */
function makeShared<T>(findAll: FindAll<T>, pace?: Pace): Lookup<T> {
  let next: { secrets: Set<string>; objects: Promise<ReadonlyMap<string, T>> } | undefined;
  let last: Promise<void> = Promise.resolve();

  async function run(secrets: Set<string>, before: Promise<void>) {
    await Promise.race([before, sleep(STUCK_MS, undefined, { ref: false })]);
    await pace?.();
    // Calls after this point are too late for this query, so they start the next one.
    next = undefined;
    return findAll([...secrets]);
  }

  return async (secret) => {
    if (!next) {
      const secrets = new Set<string>();
      next = { secrets, objects: run(secrets, last) };
      // Drops the result, so that a remembered secret keeps no object in memory.
      last = next.objects.then(drop, drop);
    }
    next.secrets.add(secret);
    return (await next.objects).get(secret);
  };
}
