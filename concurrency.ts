/** Concurrent work: queues, rooms, time limits, and reads in batches. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A queue: its tenant, and the name of what its work uses exclusively. */
export interface Place {
  readonly tenant: string;
  readonly name: string;
}

/** Does the work after all earlier work of the same tenant and name has ended. */
type InQueue = <T>(place: Place, work: () => Promise<T>) => Promise<T>;

export type Room = <T>(work: () => Promise<T>) => Promise<T>;

/** Does `work` for each of `all`, `atOnce` at a time. After all of them, throws the first error. */
export async function forEach<T>(
  all: readonly T[],
  { atOnce }: { atOnce: number },
  work: (one: T) => Promise<void>,
): Promise<void> {
  const inRoom = makeRoom(atOnce);
  const done = await Promise.allSettled(all.map(async (one) => inRoom(async () => work(one))));
  const failed = done.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Creates a queue for each tenant and name. At most `atOnce` pieces of work run at the same time,
 * shared fairly among tenants. No tenant can delay another tenant's queue of the same name. A queue
 * without work costs no memory.
 */
export function makeQueues(atOnce = Infinity): InQueue {
  const lasts = new Map<string, Promise<unknown>>();
  const inRoom = makeFairRoom(atOnce);
  return async ({ tenant, name }, work) => {
    const key = `${tenant} ${name}`;
    const before = lasts.get(key) ?? Promise.resolve();
    const enter = async () => inRoom(tenant, work);
    const mine = before.then(enter, enter);
    lasts.set(key, mine);
    return mine.finally(() => {
      if (lasts.get(key) === mine) lasts.delete(key);
    });
  };
}

/** Creates a room for `size` pieces of work at once. The others wait, first come, first served. */
export function makeRoom(size: number): Room {
  const inRoom = makeFairRoom(size, size);
  return async (work) => inRoom('', work);
}

/**
 * Creates a room for `size` pieces of work at once, and shares it among tenants in rotation. One
 * tenant gets at most `share` places. By default that leaves one free, so slow work of one tenant
 * never fills the room.
 */
function makeFairRoom(
  size: number,
  share = Math.max(size - 1, 1),
): <T>(tenant: string, work: () => Promise<T>) => Promise<T> {
  const inside = new Map<string, number>();
  /** The tenant that was served least recently comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let free = size;

  function admit(): void {
    for (const [tenant, queue] of waiting) {
      if (free <= 0) return;
      const count = inside.get(tenant) ?? 0;
      if (count >= share) continue;
      free -= 1;
      inside.set(tenant, count + 1);
      waiting.delete(tenant);
      queue.shift()?.();
      if (queue.length > 0) waiting.set(tenant, queue);
    }
  }

  function leave(tenant: string): void {
    free += 1;
    const count = (inside.get(tenant) ?? 1) - 1;
    if (count > 0) inside.set(tenant, count);
    else inside.delete(tenant);
    admit();
  }

  return async (tenant, work) => {
    await new Promise<void>((enter) => {
      const queue = waiting.get(tenant);
      if (queue) queue.push(enter);
      else waiting.set(tenant, [enter]);
      admit();
    });
    try {
      return await work();
    } finally {
      leave(tenant);
    }
  };
}

/**
 * Returns the result of the work. Throws the error that `late` makes if it takes longer than `ms`.
 * The work goes on, and may still have its effect.
 */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** The pause between two tries. A database that lags needs time, not more queries. */
const PAUSE_MS = 25;

/**
 * Repeats `attempt` until it returns a result. Throws the error that `late` makes after `endsAtMs`,
 * unix milliseconds.
 */
export async function repeatUntil<T extends object>(
  endsAtMs: number,
  attempt: () => Promise<T | undefined>,
  late: () => Error,
): Promise<T> {
  while (Date.now() < endsAtMs) {
    const result = await attempt();
    if (result) return result;
    await sleep(PAUSE_MS);
  }
  throw late();
}

/** Reads the objects of the names in one query. The result leaves out unknown names. */
export type FindAll<T> = (names: string[]) => Promise<ReadonlyMap<string, T>>;

/** Returns the current object of the name, or undefined. The read begins after the call. */
export type Lookup<T> = (name: string) => Promise<T | undefined>;

/** The longest time that a hanging query delays the next one. */
const STUCK_MS = 250;

const drop = (): void => undefined;

/**
 * Creates a lookup that runs one query at a time. All calls during a query share the next one.
 * Calls `pace` before each query.
 */
export function makeBatches<T>(findAll: FindAll<T>, pace?: () => Promise<void>): Lookup<T> {
  let next: { names: Set<string>; objects: Promise<ReadonlyMap<string, T>> } | undefined;
  let last: Promise<void> = Promise.resolve();

  async function run(names: Set<string>, before: Promise<void>) {
    await Promise.race([before, sleep(STUCK_MS, undefined, { ref: false })]);
    await pace?.();
    // Calls after this point are too late for this query, so they start the next one.
    next = undefined;
    return findAll([...names]);
  }

  return async (name) => {
    if (!next) {
      const names = new Set<string>();
      next = { names, objects: run(names, last) };
      // Drops the result, so that it does not stay in memory until the next query.
      last = next.objects.then(drop, drop);
    }
    next.names.add(name);
    return (await next.objects).get(name);
  };
}
