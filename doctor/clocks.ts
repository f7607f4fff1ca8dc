/** The difference between the clock of this machine and another one. */
import { ok, problem } from './check.ts';
import type { Result } from './check.ts';

/** Differences that nobody notices. */
const CLOSE_MS = 2_000;
/** From here on, statistics are wrong, and what is due comes visibly early or late. */
const WRONG_MS = 60_000;

interface Reading {
  /** The other clock. */
  readonly theirMs: number;
  /** This clock, right before and after the other one was read. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The precision of the other clock. */
  readonly stepMs: number;
}

/** Judges the clock of `place`. The time of the call does not count as a difference. */
export function judgeClock(place: string, reading: Reading): Result {
  const { theirMs, beforeMs, afterMs, stepMs } = reading;
  const aheadMs = theirMs - afterMs;
  const behindMs = beforeMs - theirMs - stepMs;
  const offMs = Math.max(aheadMs, behindMs, 0);
  const seconds = (offMs / 1_000).toFixed(1);
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  if (offMs <= CLOSE_MS) return ok(`The clock of ${place} agrees with this one.`);
  const found = `The clock of ${place} is ${seconds} s ${direction} this one.`;
  return problem(offMs > WRONG_MS ? 'clock_wrong' : 'clock_off', found);
}
