/** How long Temporal is waited for, and what its errors mean to us. */
import { ApplicationFailure, WorkflowUpdateFailedError } from '@temporalio/client';

/** Temporal did not answer in time; the caller may try again. */
export class TemporalUnavailable extends Error {
  override name = 'TemporalUnavailable';
}

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

/** Whether Temporal answered that it does not accept the call (as opposed to not answering). */
export function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  return code === INVALID_ARGUMENT || code === NOT_FOUND;
}

/**
 * Repeats an update that the server refused although the workflow never saw it, which happens when
 * several processes have more than 10 of one workflow under way. The caller's deadline ends it.
 */
export async function untilSeen<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
      if (!(cause instanceof ApplicationFailure) || cause.type !== 'UnprocessedUpdate') throw error;
    }
  }
}

/** The promise's result, or `TemporalUnavailable` after `ms`. */
export async function withinMs<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TemporalUnavailable(`No answer within ${ms} ms.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
