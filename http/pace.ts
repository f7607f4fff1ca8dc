/** Slows floods down without refusing a request. */
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 100;

/** Resolves at once, or later if there were too many calls before. */
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

/** Creates turns: one comes every `gapMs`, and `burst` come at once after a quiet time. */
export function makeTurns({ gapMs, burst }: { gapMs: number; burst: number }): Pace {
  let nextMs = -Infinity;
  return async (): Promise<void> => {
    const nowMs = performance.now();
    const turnMs = Math.max(nextMs, nowMs - burst * gapMs);
    nextMs = turnMs + gapMs;
    if (turnMs > nowMs) await sleep(turnMs - nowMs);
  };
}
