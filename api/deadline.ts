/** Nobody waits longer than this for an answer, whatever a dependency does (or fails to do). */
import { Refusal } from './errors.ts';

/** Callers give up on us at about 5 s; they should hear 503 before that, from a busy machine too. */
export const WORK_MS = 4_300;
/** A client that is told to come back waits so long (seconds): most outages here are restarts. */
const RETRY_AFTER_SECONDS = '1';

/** 503: a dependency is away; a retry with the same idempotency key has one effect. */
export function unavailable(): Refusal {
  return new Refusal('unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/**
 * The work's result, or 503 after `ms`: a server that is frozen neither answers nor closes its
 * connections, and drivers have no limit for that. The work goes on, and may still have its effect.
 */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
