/** The sweep: MongoDB can rebuild what Temporal lost, and what died between two steps. */
import { overdueDeliveries } from '../store/deliveries.ts';
import type { Mongo } from '../store/mongo.ts';
import { overduePayments } from '../store/payments.ts';
import type { Temporal } from '../temporal.ts';
import type { SweepResult } from '../workflows/messages.ts';

export interface SweepDeps {
  mongo: Mongo;
  temporal: Pick<Temporal, 'wakePayment' | 'startDelivery'>;
}

/** What the workflow itself is about to do is left to it for so long. */
const PAYMENT_GRACE_MS = 15_000;
/** A retry that Temporal holds comes on time; later than this it has been lost. */
const DELIVERY_GRACE_MS = 60_000;
/** Rows in one query; a round reads page after page, up to `MAX_PAGES`. */
const PAGE_ROWS = 200;
const MAX_PAGES = 50;

/** One round: wakes overdue payments and starts overdue deliveries; both may be repeated. */
export async function sweep({ mongo, temporal }: SweepDeps): Promise<SweepResult> {
  const now = Date.now();
  const payments = await inPages({
    before: new Date(now - PAYMENT_GRACE_MS),
    read: async (range) => overduePayments(mongo, range),
    due: (payment) => payment.due_at,
    handle: async (payment) => temporal.wakePayment(payment),
  });
  const deliveries = await inPages({
    before: new Date(now - DELIVERY_GRACE_MS),
    read: async (range) => overdueDeliveries(mongo, range),
    due: (delivery) => delivery.next_attempt_at,
    handle: async (delivery) => temporal.startDelivery(delivery._id),
  });
  return { payments, deliveries };
}

/** Reads by due time, so that rows which stay overdue never hide the ones behind them. */
async function inPages<T>(walk: {
  before: Date;
  read(range: { after: Date | null; before: Date; limit: number }): Promise<T[]>;
  due(row: T): Date | null;
  handle(row: T): Promise<void>;
}): Promise<number> {
  let after: Date | null = null;
  let count = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows: T[] = await walk.read({ after, before: walk.before, limit: PAGE_ROWS });
    for (const row of rows) await walk.handle(row);
    count += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) break;
    after = walk.due(last);
  }
  return count;
}
