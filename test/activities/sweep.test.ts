import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makePruner } from '../../activities/prune.ts';
import { sweep } from '../../activities/sweep.ts';
import { DEFAULT_SWEEP_GRACE } from '../../domain/sweep.ts';
import { firstIdAt } from '../../domain/id.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import { makeDelivery } from '../support/endpoint.ts';
import { makePayment } from '../support/payment.ts';
import { makeRefund } from '../support/refund.ts';
import { makeReplay } from '../support/replay.ts';
import { openTestMongo } from '../support/worker.ts';

/** More than one page of the sweep (200 rows). */
const MANY = 450;
/** What a round of the sweep answers that found nothing. */
const NONE = { payments: 0, refunds: 0, replays: 0, deliveries: 0, pruned: 0 };
const { paymentMs, refundMs, deliveryMs } = DEFAULT_SWEEP_GRACE;

let mongo: Mongo;
let woken: string[];
let resumed: string[];
let replayed: string[];
let started: string[];
/** Called before each of the three; may throw. */
let before: (id: string) => void;
let prune: () => Promise<number>;

beforeAll(async () => {
  mongo = await openTestMongo('sweep');
});
afterAll(async () => {
  await mongo.close();
});
beforeEach(async () => {
  woken = [];
  resumed = [];
  replayed = [];
  started = [];
  before = () => undefined;
  prune = makePruner({ mongo });
  await mongo.payments.deleteMany({});
  await mongo.refunds.deleteMany({});
  await mongo.deliveries.deleteMany({});
  await mongo.replays.deleteMany({});
});

const round = async () =>
  sweep({
    mongo,
    prune,
    temporal: {
      wakePayment: async ({ _id }) => {
        before(_id);
        woken.push(_id);
      },
      resumeRefund: async ({ _id }) => {
        before(_id);
        resumed.push(_id);
      },
      resumeReplay: async (id) => {
        before(id);
        replayed.push(id);
      },
      startDelivery: async (id) => {
        before(id);
        started.push(id);
      },
    },
  });

const ago = (ms: number): Date => new Date(Date.now() - ms);
const overduePayment = (overrides: Partial<Payment> = {}): Payment =>
  makePayment({ due_at: ago(paymentMs + 1_000), ...overrides });
const overdueRefund = (overrides: Partial<Refund> = {}): Refund =>
  makeRefund({ due_at: ago(refundMs + 1_000), ...overrides });
const overdueDelivery = (overrides: Partial<Delivery> = {}): Delivery =>
  makeDelivery({
    m: 'mer_1:test',
    endpoint_id: 'we_1',
    event_id: 'evt_1',
    next_attempt_at: ago(deliveryMs + 1_000),
    ...overrides,
  });

describe('the sweep leaves alone', () => {
  it.each([
    ['what is due later', { due_at: new Date(Date.now() + 60_000) }],
    ['what its workflow is about to do', { due_at: new Date(Date.now() - paymentMs / 2) }],
    ['what is final', { status: 'completed', due_at: ago(60_000) }],
  ] as [string, Partial<Payment>][])('a payment: %s', async (_, overrides) => {
    await mongo.payments.insertOne(makePayment(overrides));
    expect(await round()).toEqual(NONE);
  });

  it.each([
    ['what is due later', { due_at: new Date(Date.now() + 60_000) }],
    ['what its workflow is about to do', { due_at: ago(refundMs / 2) }],
    ['what is completed', { status: 'completed' }],
    ['what has failed', { status: 'failed' }],
  ] as [string, Partial<Refund>][])('a refund: %s', async (_, overrides) => {
    await mongo.refunds.insertOne(overdueRefund(overrides));
    expect(await round()).toEqual(NONE);
  });

  it.each([
    ['what is due later', { next_attempt_at: new Date(Date.now() + 60_000) }],
    ['what Temporal is about to do', { next_attempt_at: ago(deliveryMs / 2) }],
    ['what succeeded', { state: 'succeeded', next_attempt_at: null }],
    ['what was skipped', { state: 'skipped', next_attempt_at: null }],
  ] as [string, Partial<Delivery>][])('a delivery: %s', async (_, overrides) => {
    await mongo.deliveries.insertOne(overdueDelivery(overrides));
    expect(await round()).toEqual(NONE);
  });
});

describe('the sweep', () => {
  it('wakes payments, resumes refunds and starts deliveries that are overdue, oldest first', async () => {
    const payments = [3, 1, 2].map((minutes) => overduePayment({ due_at: ago(minutes * 60_000) }));
    const [oldest, newest, middle] = payments.map((payment) => payment._id);
    const delivery = overdueDelivery();
    const refund = overdueRefund();
    await mongo.payments.insertMany(payments);
    await mongo.refunds.insertOne(refund);
    await mongo.deliveries.insertOne(delivery);
    expect(await round()).toEqual({ ...NONE, payments: 3, refunds: 1, replays: 0, deliveries: 1 });
    expect(woken).toEqual([oldest, middle, newest]);
    expect(resumed).toEqual([refund._id]);
    expect(started).toEqual([delivery._id]);
  });

  it('resumes replays whose next batch is overdue, and no others', async () => {
    const overdue = makeReplay({ endpoint_id: 'we_1', due_at: ago(refundMs + 1_000) });
    const waiting = makeReplay({ endpoint_id: 'we_2', due_at: ago(refundMs / 2) });
    const ended = makeReplay({ ...overdue, _id: mintId('replay'), status: 'stopped' });
    await mongo.replays.insertMany([overdue, waiting, ended]);
    expect(await round()).toMatchObject({ replays: 1, deliveries: 0 });
    expect(replayed).toEqual([overdue._id]);
  });

  it('finds a late approval of a payment that is final, because that one is still open', async () => {
    const payment = overduePayment({ status: 'expired', open: true });
    await mongo.payments.insertOne(payment);
    await round();
    expect(woken).toEqual([payment._id]);
  });

  it('comes to the end of a long list in one round', async () => {
    const latest = ago(paymentMs + 1_000).getTime();
    // Three are due at each moment, so that some of them are on different pages.
    const rows = Array.from({ length: MANY }, (_, i) =>
      overduePayment({ due_at: new Date(latest - Math.floor(i / 3)) }),
    );
    await mongo.payments.insertMany(rows);
    expect(await round()).toEqual({ ...NONE, payments: MANY });
    expect(new Set(woken).size).toBe(MANY);
  });

  it('stops its round when Temporal is away, and tells of it', async () => {
    await mongo.payments.insertMany(Array.from({ length: MANY }, () => overduePayment()));
    let calls = 0;
    before = () => {
      calls += 1;
      throw Object.assign(new Error('away'), { name: 'TemporalUnavailable' });
    };
    await expect(round()).rejects.toThrow('away');
    // Those that were under way when the first one found out.
    expect(calls).toBeLessThanOrEqual(10);
  });

  it('lets one row that is refused hide none of the others, and tells of it', async () => {
    const payments = [3, 2, 1].map((minutes) => overduePayment({ due_at: ago(minutes * 60_000) }));
    const [refused, ...others] = payments.map((payment) => payment._id);
    const delivery = overdueDelivery();
    await mongo.payments.insertMany(payments);
    await mongo.deliveries.insertOne(delivery);
    before = (id) => {
      if (id === refused) throw new Error('refused');
    };
    await expect(round()).rejects.toThrow('refused');
    expect(woken).toEqual(others);
    expect(started).toEqual([delivery._id]);
  });

  it('removes old records last, so that they hold up nothing', async () => {
    const old = { _id: firstIdAt('delivery', 0), next_attempt_at: null };
    await mongo.deliveries.insertOne(overdueDelivery({ ...old, state: 'failed' }));
    await mongo.payments.insertOne(overduePayment());
    const removed = prune;
    prune = async () => {
      expect(woken).toHaveLength(1);
      return removed();
    };
    expect(await round()).toEqual({ ...NONE, payments: 1, pruned: 1 });
    expect(await mongo.deliveries.countDocuments()).toBe(0);
  });

  it('removes old records when Temporal is away, and tells of both when that fails too', async () => {
    await mongo.payments.insertOne(overduePayment());
    before = () => {
      throw Object.assign(new Error('away'), { name: 'TemporalUnavailable' });
    };
    let calls = 0;
    prune = async () => {
      calls += 1;
      if (calls === 2) throw new Error('stuck');
      return 0;
    };
    await expect(round()).rejects.toThrow(/^away$/);
    await expect(round()).rejects.toThrow(/^away; stuck$/);
  });

  it('does its work when old records cannot be removed, and tells of it', async () => {
    await mongo.payments.insertOne(overduePayment());
    prune = async () => {
      throw new Error('stuck');
    };
    await expect(round()).rejects.toThrow(/^stuck$/);
    expect(woken).toHaveLength(1);
  });
});
