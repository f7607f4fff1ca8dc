/** Nobody waits longer than this for an answer, whatever a dependency does (or fails to do). */
import { inTime } from '../concurrency.ts';
import { Refusal } from '../operations/refusal.ts';

/** Callers give up on us at about 5 s; they should hear 503 before that, from a busy machine too. */
export const WORK_MS = 4_300;
/** A client that is told to come back waits so long (seconds): most outages here are restarts. */
const RETRY_AFTER_SECONDS = '1';

/** 503: a dependency is away; a retry with the same idempotency key has one effect. */
export function unavailable(): Refusal {
  return new Refusal('unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/**
 * Returns the result of the work. Refuses with `unavailable` after `ms`: a server that is frozen
 * neither responds nor closes its connections, and drivers have no limit for that.
 */
export async function orUnavailable<T>(work: Promise<T>, ms: number): Promise<T> {
  return inTime(work, ms, unavailable);
}
