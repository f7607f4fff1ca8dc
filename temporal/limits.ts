/** The time limits and options of calls to Temporal, and the meaning of its errors. */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApplicationFailure,
  Connection,
  NamespaceNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';
import { inTime } from '../concurrency.ts';
import { publish } from '../facts.ts';
import type { Log } from '../log.ts';

/** Temporal did not reply in time. The caller may retry. */
export class TemporalUnavailable extends Error {
  override name = 'TemporalUnavailable';
}

const INVALID_ARGUMENT = 3;
export const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;
/** Permission denied, and unauthenticated. */
const FORBIDDEN = new Set<unknown>([7, 16]);

export const NOT_READY = 'Temporal is not ready; trying again';
const REPEAT_MS = 1_000;

/** Returns whether Temporal refused the call, which is different from no reply. */
export function isRefusal(error: unknown): boolean {
  // The client's own error for a missing namespace has neither a code nor a cause.
  if (error instanceof NamespaceNotFoundError) return true;
  const code = codeOf(error);
  return code === INVALID_ARGUMENT || code === NOT_FOUND;
}

/**
 * Returns whether a call got no reply. Returns false if it was refused, or not sent because of a
 * fault of ours.
 */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof TemporalUnavailable) return true;
  return typeof codeOf(error) === 'number' && !isRefusal(error);
}

/** Returns whether Temporal refused to change a run because it has ended. */
export function hasEnded(error: unknown): boolean {
  return codeOf(error) === FAILED_PRECONDITION;
}

/** Returns the gRPC status of a failed call. The client wraps some errors and passes on others. */
function codeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return (cause as { code?: unknown } | undefined)?.code;
}

/**
 * Repeats an update as long as the server refuses it before the workflow has seen it. That happens
 * if several processes together have more than 10 updates of one workflow under way. The caller's
 * deadline ends the loop.
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

/**
 * Returns the result of the call. Repeats it every second while Temporal is busy or restarts.
 * Throws the call's own error after `ms`, or at once if Temporal refuses the call or its sender.
 */
export async function untilReplied<T>(
  call: () => Promise<T>,
  { ms, log }: { ms: number; log: Log },
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isFinal = !isUnanswered(error) || FORBIDDEN.has(codeOf(error)) || Date.now() > end;
      if (isFinal) throw error;
      log.warn({ err: error }, NOT_READY);
    }
    await sleep(REPEAT_MS);
  }
}

/** Returns the result of the call. Throws `TemporalUnavailable` after `ms`. */
export async function withinMs<T>(ms: number, call: Promise<T>): Promise<T> {
  return inTime(call, ms, () => new TemporalUnavailable(`No reply within ${ms} ms.`));
}

/** Our calls to Temporal, as metrics name them. */
export type CallName = 'start' | 'wake' | 'resume' | 'ask' | 'start_delivery' | 'hasten_delivery';

/** Returns the result of the call, and publishes how long it took. */
export async function timed<T>(name: CallName, call: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let isFailed = false;
  try {
    return await call;
  } catch (error) {
    isFailed = isUnanswered(error);
    throw error;
  } finally {
    publish('call', { name, durationMs: performance.now() - startedMs, isFailed });
  }
}

/**
 * Returns a function that waits for a call for `ms` at most. After a call times out, it waits for
 * no other call until one succeeds. Otherwise every payment would make its caller wait while
 * Temporal is unavailable. The function throws `TemporalUnavailable` if it stops waiting, or else
 * the call's own error.
 */
export function makePatience(ms: number): (call: Promise<unknown>) => Promise<void> {
  let isLate = false;
  return async (call) => {
    const settle = async (): Promise<void> => {
      await call;
      isLate = false;
    };
    await withinMs(isLate ? 0 : ms, settle()).catch((error: unknown) => {
      isLate ||= error instanceof TemporalUnavailable;
      throw error;
    });
  };
}

/**
 * The backoff before a lost connection is retried. By default gRPC would wait for up to 2 minutes.
 */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** Returns a connection that connects at its first call, for processes without workers. */
export function lazyConnection(options: ConnectionOptions): Connection {
  return Connection.lazy({ ...options, channelArgs: { ...RECONNECT, ...options.channelArgs } });
}

/**
 * The number of updates that a process has under way at the same time. On two cores, sixteen at
 * once settled as many payments as five, but the deliveries came twice as late.
 */
export const ASKS_AT_ONCE = Math.max(5, 2 * availableParallelism());

/**
 * The first and the longest delay after a run that failed for a fault of ours. A failure of the
 * receiver has its own delay. These are short, because Temporal increases them with every run.
 */
const DELIVERY_RETRY_MS = 2_000;
const DELIVERY_RETRY_MAX_MS = 10_000;
/** The time that a delivery needs besides its POST, for two reads and one write. */
const DELIVERY_MARGIN_MS = 15_000;
/** The priority of work that is late already. A busy server does new work first. */
export const BEHIND = { priorityKey: 5 };

/** Returns the options of a delivery's activity. With `at`, it starts then, at a lower priority. */
export function deliveryOptions(webhookTimeoutMs: number, at: Date | null | undefined) {
  const startDelay = Math.max((at?.getTime() ?? 0) - Date.now(), 0);
  return {
    startToCloseTimeout: webhookTimeoutMs + DELIVERY_MARGIN_MS,
    ...(startDelay > 0 ? { startDelay } : {}),
    ...(at ? { priority: BEHIND } : {}),
    retry: { initialInterval: DELIVERY_RETRY_MS, maximumInterval: DELIVERY_RETRY_MAX_MS },
    idReusePolicy: 'ALLOW_DUPLICATE',
    idConflictPolicy: 'USE_EXISTING',
  } as const;
}
