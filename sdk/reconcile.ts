/** Going through open payments: what became of each of them, whatever was heard or missed. */
import { TollgateApiError, TollgateUsageError } from './errors.ts';
import type { Payment, PaymentStatus } from './objects.ts';
import type { RequestOptions } from './options.ts';

/** Quick enough for hundreds of payments, and no burst for the service. */
const CONCURRENCY = 5;
/** More at the same time run into the service's rate limit. */
const CONCURRENCY_MAX = 100;
const OPEN_STATUSES: readonly PaymentStatus[] = ['created', 'processing'];

/** Ids of payments, from a list, a set, or a cursor of the merchant's own database. */
export type Ids = Iterable<string> | AsyncIterable<string>;

export interface ReconcileOptions extends Omit<RequestOptions, 'idempotencyKey'> {
  /** Payments retrieved at the same time, 1 to 100; 5. */
  concurrency?: number | undefined;
}

export interface Reconciled {
  /** They have come to their end: `completed`, `failed`, `canceled` or `expired`. */
  settled: Payment[];
  /** They may still be paid: ask again later. */
  open: Payment[];
  /** The service knows no such payments (of this merchant, in this mode). */
  missing: string[];
  /** They could not be asked about; ask again later. */
  failed: { id: string; error: unknown }[];
}

type Retrieve = (id: string, options: RequestOptions) => Promise<Payment>;

/** Retrieves each id once, some at the same time; see Payments.reconcile. */
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
  // A string can be iterated over as well: each of its letters would be asked about.
  if (typeof ids === 'string') throw new TollgateUsageError('Pass the ids as a list.');
  const { signal } = options;
  const result: Reconciled = { settled: [], open: [], missing: [], failed: [] };
  const next = distinct(ids);
  const work = async (): Promise<void> => {
    // The workers share one generator, so each id is taken once.
    for (let taken = await next.next(); !taken.done; taken = await next.next()) {
      signal?.throwIfAborted();
      const id = taken.value;
      try {
        const payment = await retrieve(id, options);
        const isOpen = OPEN_STATUSES.includes(payment.status);
        (isOpen ? result.open : result.settled).push(payment);
      } catch (error) {
        signal?.throwIfAborted();
        if (isMissing(error)) result.missing.push(id);
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

function isMissing(error: unknown): boolean {
  return error instanceof TollgateApiError && error.code === 'resource_missing';
}
