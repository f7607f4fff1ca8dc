/** A sweep over a real database, with a Temporal that records its calls. */
import { beforeEach } from 'vitest';
import { makePruner } from '../../activities/prune.ts';
import { makeSweep } from '../../activities/sweep.ts';
import type { SweepActivity } from '../../activities/sweep.ts';
import { DEFAULT_SWEEP_GRACE } from '../../domain/sweep.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import type { Mongo } from '../../store/mongo.ts';
import { makeDelivery } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeSweepActivity } from '../support/sweeping.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import type { SweepResult } from '../../workflows/messages.ts';

/** More than one page of the sweep (200 rows). */
export const MANY = 250;
/** The result of a round that found nothing. */
export const NONE: SweepResult = {
  payments: 0,
  refunds: 0,
  replays: 0,
  deliveries: 0,
  failed: 0,
  unfinished: [],
  counted: 0,
  pruned: 0,
};
export const { paymentMs, refundMs, deliveryMs } = DEFAULT_SWEEP_GRACE;

export interface SweepGround {
  mongo: Mongo;
  /** Ids of the rows that were resumed, in order. */
  woken: string[];
  resumed: string[];
  replayed: string[];
  started: string[];
  /** Ids of the payments that were woken with the priority of live traffic. */
  prompt: string[];
  /** Ids of the payments whose workflow is running. */
  atWork: Set<string>;
  /** Ids of the rows that were logged as failed. */
  logged: string[];
  /** Called before each row is resumed. May throw. */
  before: (id: string) => void | Promise<void>;
  count: () => Promise<number>;
  prune: () => Promise<number>;
  nowMs: () => number;
  /** Runs a round. Rounds run one after another, as in a worker process. */
  round: (activity?: SweepActivity) => Promise<SweepResult>;
}

/** Opens a database for the calling file. Each test gets it empty, with a new sweep. */
export async function useSweep(file: string): Promise<SweepGround> {
  const mongo = closeAfterTests(await openDatabase(file));
  const fresh = () => ({
    woken: [],
    resumed: [],
    replayed: [],
    started: [],
    prompt: [],
    logged: [],
    atWork: new Set<string>(),
    before: () => undefined,
    count: async () => 0,
    prune: makePruner({ mongo }),
    nowMs: Date.now,
  });
  const ground: Omit<SweepGround, 'round'> = { mongo, ...fresh() };
  const self = Object.assign(ground, { round: startSweep(ground) });
  beforeEach(async () => {
    const { payments, refunds, deliveries, replays } = mongo;
    for (const rows of [payments, refunds, deliveries, replays]) await rows.deleteMany({});
    Object.assign(self, fresh(), { round: startSweep(self) });
  });
  return self;
}

function startSweep(ground: Omit<SweepGround, 'round'>): SweepGround['round'] {
  const note = (list: 'woken' | 'resumed' | 'replayed' | 'started') => {
    return async (row: { _id: string } | string) => {
      const id = typeof row === 'string' ? row : row._id;
      await ground.before(id);
      ground[list].push(id);
    };
  };
  const wake = note('woken');
  const resume = note('resumed');
  const temporal = {
    resumePayment: async (row: { _id: string }, how?: { isPrompt: boolean }) => {
      if (ground.atWork.has(row._id)) return false;
      await wake(row);
      if (how?.isPrompt) ground.prompt.push(row._id);
      return true;
    },
    resumeRefund: async (row: { _id: string }) => {
      await resume(row);
      return true;
    },
    resumeReplay: async (id: string) => note('replayed')(id),
    startDelivery: note('started'),
  };
  const warn = ({ id }: { id?: string }): void => {
    if (id) ground.logged.push(id);
  };
  const deps = { mongo: ground.mongo, temporal, log: { warn } as never };
  const sweep = makeSweep(
    { ...deps, count: async () => ground.count(), prune: async () => ground.prune() },
    { now: () => ground.nowMs() },
  );
  return async (activity = makeSweepActivity()) => sweep(activity);
}

export const ago = (ms: number): Date => new Date(Date.now() - ms);
export const overduePayment = (overrides: Partial<Payment> = {}): Payment =>
  makePayment({ due_at: ago(paymentMs + 1_000), ...overrides });
export const overdueRefund = (overrides: Partial<Refund> = {}): Refund =>
  makeRefund({ due_at: ago(refundMs + 1_000), ...overrides });
export const overdueDelivery = (overrides: Partial<Delivery> = {}): Delivery =>
  makeDelivery({
    m: 'mer_1:test',
    endpoint_id: 'we_1',
    event_id: 'evt_1',
    next_attempt_at: ago(deliveryMs + 1_000),
    ...overrides,
  });
