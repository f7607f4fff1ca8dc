/**
 * Limits password guesses without locking anybody out. A flood costs only a few hashes a second,
 * shared fairly among networks. A browser in which the user has signed in before waits in no queue
 * with strangers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { makeQueues } from '../concurrency.ts';
import { Refusal } from '../operations/refusal.ts';

/** The wrong guesses after which a known browser is treated as a stranger. */
const DEVICE_MISSES = 10;
/** The time that a stranger's wrong guess takes besides its hash. */
export const MISS_MS = 200;
/** The guesses of all, and of one network or browser, that may wait. More cost no hash. */
const STRANGERS = { atOnce: 1, waiting: 60, ofOne: 20 };
const KNOWN = { atOnce: 2, waiting: 60, ofOne: 5 };
/** New passwords of all, and of one merchant, that may wait for their hash. */
export const CHANGES = { atOnce: 2, waiting: 60, ofOne: 5 };
const MAX_DEVICES = 10_000;
const RETRY_AFTER_SECONDS = '5';

export type Guesses = ReturnType<typeof makeGuesses>;

/** Does the work when it is the turn of its name. Throws `Refusal` if too much waits already. */
export type Line = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Creates the limiter of one process. */
export function makeGuesses() {
  const inStrangersLine = makeLine(STRANGERS);
  const inKnownLine = makeLine(KNOWN);
  const misses = new LRUCache<string, number>({ max: MAX_DEVICES });
  const mayGuess = (device: string): boolean => (misses.get(device) ?? 0) < DEVICE_MISSES;

  /**
   * Returns the result of `guess`, which compares a password. Throws `Refusal` if too many guesses
   * wait already.
   */
  return async (
    { sender, device }: { sender: string; device: string | undefined },
    guess: () => Promise<boolean>,
  ): Promise<boolean> => {
    if (device === undefined || !mayGuess(device)) {
      return inStrangersLine(sender, async () => {
        const isRight = await guess();
        if (!isRight) await sleep(MISS_MS);
        return isRight;
      });
    }
    return inKnownLine(device, async () => {
      // The guesses before this one may have been too many.
      if (!mayGuess(device)) throw tooMany();
      const isRight = await guess();
      if (isRight) misses.delete(device);
      else misses.set(device, (misses.get(device) ?? 0) + 1);
      return isRight;
    });
  };
}

/** Creates a line that does work in turn, fairly among the names. Refuses work when it is long. */
export function makeLine({ atOnce, waiting, ofOne }: typeof STRANGERS): Line {
  const inQueue = makeQueues(atOnce);
  const counts = new Map<string, number>();
  let total = 0;
  return async (name, work) => {
    const own = counts.get(name) ?? 0;
    if (own >= ofOne || total >= waiting) throw tooMany();
    counts.set(name, own + 1);
    total += 1;
    try {
      return await inQueue({ tenant: name, name }, work);
    } finally {
      total -= 1;
      const left = (counts.get(name) ?? 1) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    }
  };
}

function tooMany(): Refusal {
  return new Refusal('too_many_requests', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
