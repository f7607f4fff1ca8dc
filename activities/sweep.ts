/** The sweep: resumes what Temporal has lost, or a dead process has left unfinished. */
import { DEFAULT_SWEEP_GRACE } from '../domain/sweep.ts';
import type { SweepGrace } from '../domain/sweep.ts';
import { forEach } from '../concurrency.ts';
import type { Log } from '../log.ts';
import { overdueDeliveries } from '../store/deliveries.ts';
import { restOf } from '../store/due.ts';
import type { DuePlace, DueRange, Stretch } from '../store/due.ts';
import type { Mongo } from '../store/mongo.ts';
import { overduePayments } from '../store/payments.ts';
import { overdueRefunds } from '../store/refunds.ts';
import { overdueReplays } from '../store/replays.ts';
import type { Temporal } from '../temporal/client.ts';
import type { SweepResult, SweepStep } from '../workflows/messages.ts';

export interface SweepDeps {
  mongo: Mongo;
  temporal: Pick<Temporal, 'resumePayment' | 'resumeRefund' | 'resumeReplay' | 'startDelivery'>;
  log: Pick<Log, 'warn'>;
  sweepGrace?: SweepGrace;
  /** Counts a bounded number of new events, and returns how many (activities/count.ts). */
  count(): Promise<number>;
  /** Deletes a bounded number of old records and returns how many (activities/prune.ts). */
  prune(): Promise<number>;
}

/** The activity that a round runs in. */
export interface SweepActivity {
  /** Reports to Temporal that the round goes on. */
  readonly heartbeat: () => void;
  /** Aborts when Temporal or the worker ends the activity. */
  readonly cancellationSignal: AbortSignal;
}

const PAGE_ROWS = 200;
/** Rows of one kind that are resumed at the same time. */
const AT_ONCE = 10;
/**
 * Rows of one kind and due time that a round resumes with the priority of live traffic. The other
 * rows get a lower priority. So a few rows of one due time do not queue behind thousands of
 * another.
 */
const PROMPT_ROWS_OF_TIME = 100;
/** The same for all due times together. So live traffic comes before a long outage's backlog. */
const PROMPT_ROWS = 500;
/** After this number of calls in a row without a reply, a round gives up a kind of row. */
const GIVE_UP_AFTER = 5;
/** A round resumes no row after this time, so it ends before its activity times out (2 minutes). */
const ROUND_MS = 90_000;

/**
 * Returns a function that runs one round: it resumes overdue payments, refunds, replays and
 * deliveries, counts new events, then deletes old records. A row that fails is logged and skipped.
 * A failed kind does not stop the others. Any round may be repeated.
 *
 * If a round does not finish a kind, the next round continues after the last rows that it reached.
 * Then it starts again at the front. So failing rows at the front do not delay the others. These
 * positions are kept in memory only: a new process starts at the front.
 */
export function makeSweep(
  deps: SweepDeps,
  { now = Date.now } = {},
): (activity: SweepActivity) => Promise<SweepResult> {
  const places = new Map<SweepStep, Stretch[]>();
  let superseded = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  return async ({ heartbeat, cancellationSignal }) => {
    // Temporal may give up on a round that still runs here, and start the next one.
    superseded.abort();
    superseded = new AbortController();
    const signal = AbortSignal.any([superseded.signal, cancellationSignal]);
    const startedMs = now();
    const isOver = () => signal.aborted || now() >= startedMs + ROUND_MS;
    const round = last.then(async () =>
      runRound({ ...deps, places, heartbeat, isOver, startedMs }),
    );
    last = round.catch(() => undefined);
    return round;
  };
}

interface Round extends SweepDeps {
  /** The rows that the previous round did not reach, by kind. */
  readonly places: Map<SweepStep, Stretch[]>;
  readonly startedMs: number;
  readonly heartbeat: () => void;
  /** True if no further row may be resumed. */
  readonly isOver: () => boolean;
}

/** Runs one round. Never rejects: failures are logged and are in the result. */
async function runRound(round: Round): Promise<SweepResult> {
  const result: SweepResult = {
    payments: 0,
    refunds: 0,
    replays: 0,
    deliveries: 0,
    failed: 0,
    unfinished: [],
    counted: 0,
    pruned: 0,
  };
  const attempt = async (step: SweepStep, work: () => Promise<boolean>): Promise<SweepStep[]> => {
    round.heartbeat();
    const isFinished = await work().catch((error: unknown) => {
      round.log.warn({ err: error, step }, 'a step of the sweep failed; the next round repeats it');
      return false;
    });
    return isFinished ? [] : [step];
  };
  const unfinishedKinds = await Promise.all(
    kindsOf(round).map(async (kind) =>
      attempt(kind.step, async () => resumeOverdue(round, kind, result)),
    ),
  );
  const finish = async (step: 'counting' | 'pruning'): Promise<SweepStep[]> =>
    attempt(step, async () => {
      if (round.isOver()) return false;
      if (step === 'counting') result.counted = await round.count();
      else result.pruned = await round.prune();
      return true;
    });
  const others = [...(await finish('counting')), ...(await finish('pruning'))];
  return { ...result, unfinished: [...unfinishedKinds.flat(), ...others] };
}

/** A kind of row, with the function that reads a page of overdue rows. */
interface Kind {
  readonly step: Exclude<SweepStep, 'counting' | 'pruning'>;
  readonly graceMs: number;
  readonly read: (range: DueRange) => Promise<Overdue[]>;
}

interface Overdue {
  readonly place: DuePlace;
  /** Resumes the row. Returns false if its workflow is already at work. */
  readonly resume: (how: { isPrompt: boolean }) => Promise<boolean>;
}

function kindsOf({ mongo, temporal, sweepGrace = DEFAULT_SWEEP_GRACE }: Round): readonly Kind[] {
  return [
    {
      step: 'payments',
      graceMs: sweepGrace.paymentMs,
      read: async (range) =>
        (await overduePayments(mongo, range)).map((payment) => ({
          place: { at: payment.due_at, id: payment._id },
          resume: async (how) => temporal.resumePayment(payment, how),
        })),
    },
    {
      step: 'refunds',
      graceMs: sweepGrace.refundMs,
      read: async (range) =>
        (await overdueRefunds(mongo, range)).map((refund) => ({
          place: { at: refund.due_at, id: refund._id },
          resume: async (how) => temporal.resumeRefund(refund, how),
        })),
    },
    {
      step: 'replays',
      graceMs: sweepGrace.refundMs,
      read: async (range) =>
        (await overdueReplays(mongo, range)).map(({ _id: id, due_at: at }) => ({
          place: { at, id },
          resume: async () => {
            await temporal.resumeReplay(id);
            return true;
          },
        })),
    },
    {
      step: 'deliveries',
      graceMs: sweepGrace.deliveryMs,
      read: async (range) =>
        (await overdueDeliveries(mongo, range)).map((delivery) => ({
          place: { at: delivery.next_attempt_at, id: delivery._id },
          resume: async () => {
            await temporal.startDelivery(delivery._id, delivery.next_attempt_at, delivery);
            return true;
          },
        })),
    },
  ];
}

/**
 * Resumes a kind's overdue rows, page by page. Returns whether it reached all of them. Stretches
 * take turns, so thousands of rows of one due time do not delay rows that were due later.
 */
async function resumeOverdue(round: Round, kind: Kind, result: SweepResult): Promise<boolean> {
  const { step } = kind;
  const all: Stretch = { after: null, before: new Date(round.startedMs - kind.graceMs) };
  const stretches = [...(round.places.get(step) ?? [all])];
  let isFromFront = stretches[0]?.after === null;
  round.places.delete(step);
  const prompt = makePrompt();
  let unanswered = 0;
  for (;;) {
    if (stretches.length === 0 && isFromFront) return true;
    if (stretches.length === 0) isFromFront = true;
    const stretch = stretches.shift() ?? all;
    const rows = await kind.read({ ...stretch, limit: PAGE_ROWS });
    let { after } = stretch;
    let reached = 0;
    await forEach(rows, { atOnce: AT_ONCE }, async ({ place, resume }) => {
      if (round.isOver() || unanswered >= GIVE_UP_AFTER) return;
      reached += 1;
      after = place;
      try {
        if (await resume({ isPrompt: prompt.isOpen(place.at) })) {
          prompt.take(place.at);
          result[step] += 1;
        }
        unanswered = 0;
      } catch (error) {
        result.failed += 1;
        // If Temporal refuses a call, it is available, and only this row has a problem.
        unanswered = (error as Error).name === 'TemporalUnavailable' ? unanswered + 1 : 0;
        round.log.warn(
          { err: error, id: place.id },
          'an overdue row could not be resumed; the next round tries it again',
        );
      }
      round.heartbeat();
    });
    const isStopped = reached < rows.length;
    if (isStopped) stretches.unshift({ ...stretch, after });
    else if (rows.length === PAGE_ROWS) stretches.push(...restOf(stretch, rows));
    if (stretches.length > 0 && (isStopped || round.isOver())) {
      round.places.set(step, stretches);
      return false;
    }
  }
}

/** Counts the rows that a round resumes with the priority of live traffic. */
function makePrompt() {
  const ofTime = new Map<number, number>();
  let all = 0;
  const countOf = (at: Date): number => ofTime.get(at.getTime()) ?? 0;
  return {
    isOpen: (at: Date): boolean => countOf(at) < PROMPT_ROWS_OF_TIME && all < PROMPT_ROWS,
    take(at: Date): void {
      ofTime.set(at.getTime(), countOf(at) + 1);
      all += 1;
    },
  };
}
