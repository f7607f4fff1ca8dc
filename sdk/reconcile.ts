/** Retrieves open payments, and sorts them by their status. */
import { TollgateApiError, TollgateUsageError } from './errors.ts';
import type { Payment, PaymentStatus } from './objects.ts';
import type { RequestOptions } from './options.ts';

/** Fast enough for hundreds of payments, without a burst for the service. */
const CONCURRENCY = 5;
/** With more at a time, the calls would exceed the service's rate limit. */
const CONCURRENCY_MAX = 100;
const OPEN_STATUSES: readonly PaymentStatus[] = ['created', 'processing'];

/** Payment ids: a list, a set, or a cursor of the merchant's own database. */
export type Ids = Iterable<string> | AsyncIterable<string>;

export interface ReconcileOptions extends Omit<RequestOptions, 'idempotencyKey'> {
  /** Payments to retrieve at the same time, 1 to 100. Default: 5. */
  concurrency?: number | undefined;
}

export interface Reconciled {
  /** Payments in a final status: `completed`, `failed`, `canceled` or `expired`. */
  settled: Payment[];
  /** Payments that may still be paid. Check them again later. */
  open: Payment[];
  /** Ids that are unknown to the service, for this merchant and mode. */
  missing: string[];
  /** Payments that could not be retrieved. Check them again later. */
  failed: { id: string; error: unknown }[];
}

type Retrieve = (id: string, options: RequestOptions) => Promise<Payment>;

/** Retrieves each id once, several at a time: see Payments.reconcile. */
export async function reconcile(
  retrieve: Retrieve,
  ids: Ids,
  { concurrency = CONCURRENCY, ...options }: ReconcileOptions,
): Promise<Reconciled> {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX) {
    throw new TollgateUsageError(
      `concurrency must be a whole number from 1 to ${CONCURRENCY_MAX}.`,
    );
  }
  // A string is an iterable of its letters.
  if (typeof ids === 'string') throw new TollgateUsageError('Pass the ids as a list.');
  const { signal } = options;
  const result: Reconciled = { settled: [], open: [], missing: [], failed: [] };
  const next = distinct(ids);
  const work = async (): Promise<void> => {
    // All workers share one generator, so each id is taken once.
    for (let taken = await next.next(); !taken.done; taken = await next.next()) {
      signal?.throwIfAborted();
      const id = taken.value;
      try {
        const payment = await retrieve(id, options);
        const isOpen = OPEN_STATUSES.includes(payment.status);
        (isOpen ? result.open : result.settled).push(payment);
      } catch (error) {
        signal?.throwIfAborted();
        const isMissing = error instanceof TollgateApiError && error.code === 'resource_missing';
        if (isMissing) result.missing.push(id);
        else result.failed.push({ id, error });
      }
    }
  };
  signal?.throwIfAborted();
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  await next.return();
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
  return result;
}

async function* distinct(ids: Ids): AsyncGenerator<string, void, undefined> {
  const seen = new Set<string>();
  for await (const id of ids) {
    if (seen.has(id)) continue;
    seen.add(id);
    yield id;
  }
}
