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
/** The time that a wrong guess takes besides its hash. */
const MISS_MS = 200;
/** The guesses of one network, and of all, that may wait. More are refused without a hash. */
const WAITING_OF_ONE = 20;
const WAITING = 60;
const MAX_DEVICES = 10_000;
const RETRY_AFTER_SECONDS = '5';

export type Guesses = ReturnType<typeof makeGuesses>;

/** Creates the limiter of one process. */
export function makeGuesses() {
  const strangers = makeQueues(1);
  const known = makeQueues(2);
  const waiting = new Map<string, number>();
  const misses = new LRUCache<string, number>({ max: MAX_DEVICES });
  let total = 0;

  async function wait(sender: string, guess: () => Promise<boolean>): Promise<boolean> {
    const own = waiting.get(sender) ?? 0;
    if (own >= WAITING_OF_ONE || total >= WAITING) throw tooMany();
    waiting.set(sender, own + 1);
    total += 1;
    try {
      return await strangers({ tenant: sender, name: sender }, async () => {
        const isRight = await guess();
        if (!isRight) await sleep(MISS_MS);
        return isRight;
      });
    } finally {
      total -= 1;
      const left = (waiting.get(sender) ?? 1) - 1;
      if (left > 0) waiting.set(sender, left);
      else waiting.delete(sender);
    }
  }

  /**
   * Returns the result of `guess`, which compares a password. Throws `Refusal` if too many guesses
   * wait already.
   */
  return async (
    { sender, device }: { sender: string; device: string | undefined },
    guess: () => Promise<boolean>,
  ): Promise<boolean> => {
    if (device === undefined || (misses.get(device) ?? 0) >= DEVICE_MISSES) {
      return wait(sender, guess);
    }
    return known({ tenant: device, name: device }, async () => {
      const isRight = await guess();
      if (isRight) misses.delete(device);
      else misses.set(device, (misses.get(device) ?? 0) + 1);
      return isRight;
    });
  };
}

function tooMany(): Refusal {
  return new Refusal('too_many_requests', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
