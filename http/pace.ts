/** Slows floods down without refusing anybody. */

const BEAT_MS = 100;

/** Resolves at once, or with the end of the beat when too many others have come in it. */
export type Pace = () => Promise<void>;

/**
 * Lets `free` calls in a beat pass at once. Bounds how often a client that waits for each response
 * can come: of a flood over 40 connections, 400 requests a second are left.
 */
export function makePace(free: number): Pace {
  let beat: Promise<void> | undefined;
  let count = 0;
  return async () => {
    beat ??= new Promise((resolve) => {
      setTimeout(() => {
        beat = undefined;
        count = 0;
        resolve();
      }, BEAT_MS);
    });
    count += 1;
    if (count > free) await beat;
  };
}
