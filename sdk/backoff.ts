/** Whether and when a failed try is repeated. */
import { TollgateApiError, TollgateConnectionError } from './errors.ts';

/** However often it has failed, no wait of our own is longer. */
const DELAY_MAX_MS = 8_000;
/** Asked to wait for longer, we rather tell the caller, who can plan for it, than hold him up. */
const RETRY_AFTER_MAX_MS = 60_000;

export interface Failure {
  readonly error: unknown;
  /** Retries made so far. */
  readonly retries: number;
  /** The longest wait before the first retry. */
  readonly retryDelayMs: number;
}

/** Milliseconds to wait before trying again; undefined when another try would be of no use. */
export function retryDelay({ error, retries, retryDelayMs }: Failure): number | undefined {
  // Full jitter: clients that were cut off together do not come back together.
  const ownMs = Math.random() * Math.min(DELAY_MAX_MS, retryDelayMs * 2 ** retries);
  if (error instanceof TollgateConnectionError) return error.retryable ? ownMs : undefined;
  if (!(error instanceof TollgateApiError) || !error.retryable) return undefined;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
  return askedMs > RETRY_AFTER_MAX_MS ? undefined : askedMs + ownMs;
}

/** Seconds that a `Retry-After` header asks for, as a number or a date; null when it asks none. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const dateMs = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1_000));
}

/** Keeps its promise after that many milliseconds; breaks it at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
