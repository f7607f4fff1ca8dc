/** The sweep: MongoDB can rebuild what Temporal lost, and what died between two steps. */
import { DEFAULT_SWEEP_GRACE } from '../domain/sweep.ts';
import type { SweepGrace } from '../domain/sweep.ts';
import { overdueDeliveries } from '../store/deliveries.ts';
import type { Mongo } from '../store/mongo.ts';
import { overduePayments } from '../store/payments.ts';
import { overdueRefunds } from '../store/refunds.ts';
import { overdueReplays } from '../store/replays.ts';
import { forEach } from '../line.ts';
import type { Temporal } from '../temporal.ts';
import type { SweepResult } from '../workflows/messages.ts';

export interface SweepDeps {
  mongo: Mongo;
  temporal: Pick<Temporal, 'wakePayment' | 'resumeRefund' | 'resumeReplay' | 'startDelivery'>;
  sweepGrace?: SweepGrace;
  /** Removes old records, a bounded number of them, and answers how many (activities/prune.ts). */
  prune(): Promise<number>;
}

/** Rows in one query; a round reads page after page, up to `MAX_PAGES`. */
const PAGE_ROWS = 200;
const MAX_PAGES = 50;
/** Of one page: a round has two minutes, and there may be much to do after an outage. */
const AT_ONCE = 10;

/**
 * One round: resumes what is overdue, then removes old records; all of it may be repeated. Neither
 * keeps the other from its turn, and what both threw is told together.
 */
export async function sweep(deps: SweepDeps): Promise<SweepResult> {
  const [resumed] = await Promise.allSettled([resumeOverdue(deps)]);
  const [pruned] = await Promise.allSettled([deps.prune()]);
  if (resumed.status === 'fulfilled' && pruned.status === 'fulfilled') {
    return { ...resumed.value, pruned: pruned.value };
  }
  const settled = [resumed, pruned];
  const faults = settled.flatMap((each): Error[] =>
    each.status === 'rejected' ? [each.reason as Error] : [],
  );
  if (faults.length === 1) throw faults[0];
  throw new AggregateError(faults, faults.map(({ message }) => message).join('; '));
}

/**
 * Wakes overdue payments, resumes overdue refunds and replays and starts overdue deliveries. Throws
 * at once when Temporal is away, and after the round when it refused one of them.
 */
async function resumeOverdue(deps: SweepDeps): Promise<Omit<SweepResult, 'pruned'>> {
  const { mongo, temporal, sweepGrace = DEFAULT_SWEEP_GRACE } = deps;
  const now = Date.now();
  const faults: unknown[] = [];
  const payments = await inPages({
    before: new Date(now - sweepGrace.paymentMs),
    read: async (range) => overduePayments(mongo, range),
    due: (payment) => payment.due_at,
    handle: async (payment) => temporal.wakePayment(payment),
    faults,
  });
  const refunds = await inPages({
    before: new Date(now - sweepGrace.refundMs),
    read: async (range) => overdueRefunds(mongo, range),
    due: (refund) => refund.due_at,
    handle: async (refund) => temporal.resumeRefund(refund),
    faults,
  });
  const replays = await inPages({
    before: new Date(now - sweepGrace.refundMs),
    read: async (range) => overdueReplays(mongo, range),
    due: (replay) => replay.due_at,
    handle: async (replay) => temporal.resumeReplay(replay._id),
    faults,
  });
  const deliveries = await inPages({
    before: new Date(now - sweepGrace.deliveryMs),
    read: async (range) => overdueDeliveries(mongo, range),
    due: (delivery) => delivery.next_attempt_at,
    handle: async (delivery) => temporal.startDelivery(delivery._id),
    faults,
  });
  if (faults.length > 0) throw faults[0];
  return { payments, refunds, replays, deliveries };
}

/** Reads by due time, so that rows which stay overdue never hide the ones behind them. */
async function inPages<T extends { _id: string }>(walk: {
  before: Date;
  read(range: { from: Date | null; before: Date; limit: number }): Promise<T[]>;
  due(row: T): Date | null;
  handle(row: T): Promise<void>;
  /** What a row was refused for: it must not keep the ones behind it from being seen to. */
  faults: unknown[];
}): Promise<number> {
  let from: Date | null = null;
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows: T[] = await walk.read({ from, before: walk.before, limit: PAGE_ROWS });
    const fresh = rows.filter((row) => !seen.has(row._id));
    for (const row of fresh) seen.add(row._id);
    let away: Error | undefined;
    await forEach(fresh, { atOnce: AT_ONCE }, async (row) => {
      if (away) return;
      await walk.handle(row).catch((error: Error) => {
        if (error.name === 'TemporalUnavailable') away = error;
        else walk.faults.push(error);
      });
    });
    if (away) throw away;
    const last = fresh.at(-1);
    if (!last || rows.length < PAGE_ROWS) break;
    from = walk.due(last);
  }
  return seen.size;
}
