import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;
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
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > end) {
      throw new Error(
        `Not accepted within ${limitMs} ms. Last value: ${JSON.stringify(value)?.slice(0, 500)}`,
      );
    }
    await sleep(POLL_MS);
  }
}
