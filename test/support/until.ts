import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;
const PATIENCE_MS = 60_000;

/**
 * Looks again and again until `accept` takes what was read, and answers it. Throws after `limitMs`
 * with what was read last, so that a failure says where it stood still.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  accept: (value: T) => boolean,
  limitMs = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > end) {
      throw new Error(`Not within ${limitMs} ms; last: ${JSON.stringify(value)?.slice(0, 500)}`);
    }
    await sleep(POLL_MS);
  }
}
