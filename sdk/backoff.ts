/** Decides whether and when a failed try is retried. */
import { TollgateApiError, TollgateConnectionError } from './errors.ts';

/** The longest wait of our own, after any number of retries. */
const DELAY_MAX_MS = 8_000;
/** If the service asks for a longer wait, the caller gets the error at once and can plan for it. */
const RETRY_AFTER_MAX_MS = 60_000;

export interface Failure {
  readonly error: unknown;
  /** Retries made so far. */
  readonly retries: number;
  /** The longest wait before the first retry. */
  readonly retryDelayMs: number;
}

/** Returns the milliseconds to wait before the next try; undefined if a retry cannot help. */
export function retryDelay({ error, retries, retryDelayMs }: Failure): number | undefined {
  // Full jitter: clients that were cut off together do not retry together.
  const ownMs = Math.random() * Math.min(DELAY_MAX_MS, retryDelayMs * 2 ** retries);
  if (error instanceof TollgateConnectionError) return error.retryable ? ownMs : undefined;
  if (!(error instanceof TollgateApiError) || !error.retryable) return undefined;
  const requiredMs = (error.retryAfterSeconds ?? 0) * 1_000;
  return requiredMs > RETRY_AFTER_MAX_MS ? undefined : requiredMs + ownMs;
}

/** Returns the seconds in a `Retry-After` header, a number or a date; null if it has none. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const dateMs = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1_000));
}
