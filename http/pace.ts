/** Slows floods down without refusing a request. */
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 100;

/** Resolves at once, or at the end of the current beat if it has had too many calls. */
export type Pace = () => Promise<void>;

/**
 * Creates a pace that lets `free` calls in each beat of 100 ms pass at once. It slows clients that
 * wait for each response: a flood over 40 connections is cut to 400 requests a second.
 */
export function makePace(free: number): Pace {
  let beat: Promise<void> | undefined;
  let count = 0;
  const endBeat = async (): Promise<void> => {
    await sleep(BEAT_MS);
    beat = undefined;
    count = 0;
  };
  return async () => {
    beat ??= endBeat();
    count += 1;
    if (count > free) await beat;
  };
}

/**
 * Creates a queue that lets one caller pass every `gapMs`, and `burst` at once after a quiet time.
 * A caller gets false at once if `most` wait already.
 */
export function makeTurns({ gapMs, burst, most }: { gapMs: number; burst: number; most: number }) {
  let nextMs = -Infinity;
  let waiting = 0;
  return async (): Promise<boolean> => {
    if (waiting >= most) return false;
    const nowMs = performance.now();
    const turnMs = Math.max(nextMs, nowMs - burst * gapMs);
    nextMs = turnMs + gapMs;
    if (turnMs <= nowMs) return true;
    waiting += 1;
    await sleep(turnMs - nowMs);
    waiting -= 1;
    return true;
  };
}
