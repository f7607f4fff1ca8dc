/** The limit on the time of a response, whatever a dependency does or fails to do. */
import { inTime } from '../concurrency.ts';
import { unavailable } from '../operations/refusal.ts';

/** Callers give up after about 5 s. They should get a 503 before that, from a busy machine too. */
export const WORK_MS = 4_300;

/**
 * Returns the result of the work. Throws `unavailable` after `ms`: a server that is frozen neither
 * responds nor closes its connections, and drivers have no limit for that.
 */
export async function orUnavailable<T>(work: Promise<T>, ms: number): Promise<T> {
  return inTime(work, ms, unavailable);
}
