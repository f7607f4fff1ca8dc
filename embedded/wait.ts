import { setTimeout as delay } from 'node:timers/promises';

/** Short beside the second or so that a server takes to start, long beside one question to it. */
const POLL_MS = 50;

/** Asks again and again until the answer is true; false when the limit passes first. */
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

/** The text of whatever was thrown, on one line. */
export function reason(error: unknown): string {
  const text = textOf(error, 'message') ?? String(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The code of an error of Node's, such as `EEXIST`. */
export function codeOf(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Looks at the shape: Node's errors are of another `Error` class where modules run sandboxed. */
function textOf(error: unknown, key: 'message' | 'code'): string | undefined {
  const value: unknown = Reflect.get(Object(error), key);
  return typeof value === 'string' ? value : undefined;
}
