import { setTimeout as sleep } from 'node:timers/promises';

/** The first pause, and the longest one. */
const [SHORTEST_MS, LONGEST_MS] = [25, 250];
/** A pause as a share of the time waited so far. Each poll costs the shared servers a request. */
const SHARE = 0.1;
/** Long enough for a busy machine. */
const DEFAULT_LIMIT_MS = 120_000;

/**
 * Polls `read` until `accept` returns true for its value, and returns that value. Throws after
 * `limitMs`; the error shows the last value.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  accept: (value: T) => boolean,
  limitMs = DEFAULT_LIMIT_MS,
): Promise<T> {
  const start = Date.now();
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    const waitedMs = Date.now() - start;
    if (waitedMs > limitMs) {
      throw new Error(
        `Not accepted within ${limitMs} ms. Last value: ${JSON.stringify(value)?.slice(0, 500)}`,
      );
    }
    await sleep(Math.min(Math.max(waitedMs * SHARE, SHORTEST_MS), LONGEST_MS));
  }
}
