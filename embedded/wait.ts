import { setTimeout as delay } from 'node:timers/promises';

/** Short compared with a server's start of a second, long compared with one check. */
const POLL_MS = 50;

/** Checks the condition until it is true. Returns false if it is not true within the limit. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<boolean> {
  const until = performance.now() + limitMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= until) return false;
    await delay(POLL_MS);
  }
}
