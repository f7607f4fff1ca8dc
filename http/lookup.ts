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

/** The number of found secrets that are remembered, so that they do not wait with the guesses. */
const MAX_FOUND = 10_000;
/** A query over a connection that hangs delays the next one by this much, and no longer. */
const STUCK_MS = 250;

/**
 * Creates a lookup. Reads a secret that was found before at once, in one query for all concurrent
 * callers. All other secrets share ten queries a second, so a flood does not hide a valid one.
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

const drop = (): void => undefined;

/** Creates a lookup that runs one query at a time. All calls during a query share the next one. */
function makeShared<T>(findAll: FindAll<T>, pace?: Pace): Lookup<T> {
  let next: { secrets: Set<string>; things: Promise<ReadonlyMap<string, T>> } | undefined;
  let last: Promise<void> = Promise.resolve();

  async function run(secrets: Set<string>, before: Promise<void>) {
    await Promise.race([before, sleep(STUCK_MS, undefined, { ref: false })]);
    await pace?.();
    // Later calls are too late for this query, so they start the next one.
    next = undefined;
    return findAll([...secrets]);
  }

  return async (secret) => {
    if (!next) {
      const secrets = new Set<string>();
      next = { secrets, things: run(secrets, last) };
      // Drops the result, so that a remembered secret does not keep its object in memory.
      last = next.things.then(drop, drop);
    }
    next.secrets.add(secret);
    return (await next.things).get(secret);
  };
}
