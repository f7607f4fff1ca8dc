/** Retries of calls that a busy service or database refuses for the moment. */
import { MongoServerError } from 'mongodb';
import { isUnavailable } from '../../store/mongo.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { until } from './until.ts';

/** Statuses after which callers try again: too many requests, and unavailable. */
const TRANSIENT = [429, 503];

/**
 * Retries `act` while the database or Temporal is unavailable, for example when many writers
 * conflict on one document. Nothing was written then: the driver resolves uncertain commits itself.
 * A call to Temporal has one effect, however often it is repeated.
 */
export async function retryUnavailable<T>(act: () => Promise<T>): Promise<T> {
  const outcome = await until(
    async () => attempt(act),
    (it) => it !== undefined,
  );
  return outcome!.value;
}

async function attempt<T>(act: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await act() };
  } catch (error) {
    // An error of the server itself is a conflict that the transaction has to handle.
    if (error instanceof MongoServerError) throw error;
    if (!isUnavailable(error) && !(error instanceof TemporalUnavailable)) throw error;
    return undefined;
  }
}

/**
 * Sends a request again while its response is 429 or 503, and returns the first other response. The
 * request needs an idempotency key, unless it only reads.
 */
export async function untilAccepted<T extends { status: number }>(
  send: () => Promise<T>,
  limitMs?: number,
): Promise<T> {
  return until(send, ({ status }) => !TRANSIENT.includes(status), limitMs);
}

/**
 * Sends `count` requests at once, and each one again while its response is 429 or 503. Each request
 * needs an idempotency key of its own, unless all of them share one.
 */
export async function requestAtOnce<T extends { status: number }>(
  count: number,
  ask: (n: number) => Promise<T>,
): Promise<T[]> {
  const all = Array.from({ length: count }, async (_, n) => untilAccepted(async () => ask(n)));
  return Promise.all(all);
}
