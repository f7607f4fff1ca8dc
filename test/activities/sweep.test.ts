import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../domain/id.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import { mintId } from '../../store/mint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeReplay } from '../support/rows/replay.ts';
import {
  MANY,
  NONE,
  ago,
  deliveryMs,
  overdueDelivery,
  overduePayment,
  overdueRefund,
  paymentMs,
  refundMs,
  useSweep,
} from './sweepground.ts';
import { insertAll } from '../support/insert.ts';

const ground = await useSweep('sweep');

describe('the sweep leaves alone', () => {
  it.each([
    ['due later', { due_at: new Date(Date.now() + 60_000) }],
    [
      'just due, so that its workflow is about to act',
      { due_at: new Date(Date.now() - paymentMs / 2) },
    ],
    ['in a final status', { status: 'completed', due_at: ago(60_000) }],
  ] as [string, Partial<Payment>][])('a payment that is %s', async (_, overrides) => {
    await ground.mongo.payments.insertOne(makePayment(overrides));
    expect(await ground.round()).toEqual(NONE);
  });

  it.each([
    ['due later', { due_at: new Date(Date.now() + 60_000) }],
    ['just due, so that its workflow is about to act', { due_at: ago(refundMs / 2) }],
    ['completed', { status: 'completed' }],
    ['failed', { status: 'failed' }],
  ] as [string, Partial<Refund>][])('a refund that is %s', async (_, overrides) => {
    await ground.mongo.refunds.insertOne(overdueRefund(overrides));
    expect(await ground.round()).toEqual(NONE);
  });

  it.each([
    ['due later', { next_attempt_at: new Date(Date.now() + 60_000) }],
    ['just due, so that Temporal is about to start it', { next_attempt_at: ago(deliveryMs / 2) }],
    ['succeeded', { state: 'succeeded', next_attempt_at: null }],
    ['skipped', { state: 'skipped', next_attempt_at: null }],
  ] as [string, Partial<Delivery>][])('a delivery that is %s', async (_, overrides) => {
    await ground.mongo.deliveries.insertOne(overdueDelivery(overrides));
    expect(await ground.round()).toEqual(NONE);
  });
});

describe('the sweep', () => {
  it('wakes payments, resumes refunds and starts deliveries that are overdue, oldest first', async () => {
    const payments = [3, 1, 2].map((minutes) => overduePayment({ due_at: ago(minutes * 60_000) }));
    const [oldest, newest, middle] = payments.map((payment) => payment._id);
    const delivery = overdueDelivery();
    const refund = overdueRefund();
    await insertAll(ground.mongo.payments, payments);
    await ground.mongo.refunds.insertOne(refund);
    await ground.mongo.deliveries.insertOne(delivery);
    expect(await ground.round()).toEqual({
      ...NONE,
      payments: 3,
      refunds: 1,
      replays: 0,
      deliveries: 1,
    });
    expect(ground.woken).toEqual([oldest, middle, newest]);
    expect(ground.resumed).toEqual([refund._id]);
    expect(ground.started).toEqual([delivery._id]);
  });

  it('resumes replays whose next batch is overdue, and no others', async () => {
    const overdue = makeReplay({ endpoint_id: 'we_1', due_at: ago(refundMs + 1_000) });
    const waiting = makeReplay({ endpoint_id: 'we_2', due_at: ago(refundMs / 2) });
    const ended = makeReplay({ ...overdue, _id: mintId('replay'), status: 'stopped' });
    await insertAll(ground.mongo.replays, [overdue, waiting, ended]);
    expect(await ground.round()).toMatchObject({ replays: 1, deliveries: 0 });
    expect(ground.replayed).toEqual([overdue._id]);
  });

  it('finds the late approval of a final payment, which is still open', async () => {
    const payment = overduePayment({ status: 'expired', open: true });
    await ground.mongo.payments.insertOne(payment);
    await ground.round();
    expect(ground.woken).toEqual([payment._id]);
  });

  it('wakes a few rows of another due time with the priority of live traffic', async () => {
    const [due, laterDue] = [ago(paymentMs + 60_000), ago(paymentMs + 1_000)];
    const old = Array.from({ length: MANY }, () => overduePayment({ due_at: due }));
    const later = Array.from({ length: 50 }, () => overduePayment({ due_at: laterDue }));
    await insertAll(ground.mongo.payments, [...old, ...later]);
    expect(await ground.round()).toMatchObject({ payments: MANY + 50, unfinished: [] });
    const prompt = new Set(ground.prompt);
    expect(prompt.size).toBe(100 + 50);
    expect(later.every(({ _id }) => prompt.has(_id))).toBe(true);
  });

  it('gives the priority of live traffic to 500 rows in a round, whatever their due times', async () => {
    const rows = Array.from({ length: 600 }, (_, i) =>
      overduePayment({ due_at: ago(paymentMs + 1_000 + i) }),
    );
    await insertAll(ground.mongo.payments, rows);
    await ground.round();
    expect([ground.woken.length, ground.prompt.length]).toEqual([600, 500]);
  });

  it('counts no row whose workflow is running', async () => {
    const rows = Array.from({ length: 150 }, () => overduePayment({ due_at: ago(60_000) }));
    const due = rows[0]!.due_at;
    await insertAll(
      ground.mongo.payments,
      rows.map((row) => ({ ...row, due_at: due })),
    );
    ground.atWork = new Set(rows.slice(0, 100).map(({ _id }) => _id));
    expect(await ground.round()).toMatchObject({ payments: 50 });
    expect(ground.prompt).toHaveLength(50);
  });

  it('reaches the end of a long list in one round', async () => {
    const latest = ago(paymentMs + 1_000).getTime();
    // Three are due at each moment, so that some of them are on different pages.
    const rows = Array.from({ length: MANY }, (_, i) =>
      overduePayment({ due_at: new Date(latest - Math.floor(i / 3)) }),
    );
    await insertAll(ground.mongo.payments, rows);
    expect(await ground.round()).toEqual({ ...NONE, payments: MANY });
    expect(new Set(ground.woken).size).toBe(MANY);
  });

  it('reaches rows that are due later before the rest of many that are due at once', async () => {
    const due_at = ago(paymentMs + 60_000);
    const many = Array.from({ length: MANY }, () => overduePayment({ due_at }));
    const later = overduePayment();
    await insertAll(ground.mongo.payments, [later, ...many]);
    expect(await ground.round()).toEqual({ ...NONE, payments: MANY + 1 });
    expect(new Set(ground.woken).size).toBe(MANY + 1);
    expect(ground.woken[200]).toBe(later._id);
  });

  it.each([90, 250, 430])(
    'continues with the rest of every due time after a round that ended at row %i',
    async (end) => {
      const times = [ago(paymentMs + 60_000), ago(paymentMs + 20_000)];
      // More than a page for each time.
      const rows = times.flatMap((due_at) =>
        Array.from({ length: 220 }, () => overduePayment({ due_at })),
      );
      await insertAll(ground.mongo.payments, rows);
      const startMs = Date.now();
      ground.nowMs = () => startMs + (ground.woken.length < end ? 0 : 90_000);
      expect(await ground.round()).toMatchObject({
        unfinished: ['payments', 'counting', 'pruning'],
      });
      const first = ground.woken.length;
      expect(first).toBeLessThan(end + 10);
      ground.nowMs = Date.now;
      await ground.round();
      // The second round continues, and then looks at all rows from the front.
      const second = ground.woken.slice(first);
      expect(new Set(second.slice(0, rows.length - first)).size).toBe(rows.length - first);
      expect(new Set(ground.woken.slice(0, rows.length)).size).toBe(rows.length);
      expect(second).toHaveLength(2 * rows.length - first);
    },
  );

  it('deletes old records last, after everything is resumed', async () => {
    const old = { _id: firstIdAt('delivery', 0), next_attempt_at: null };
    await ground.mongo.deliveries.insertOne(overdueDelivery({ ...old, state: 'failed' }));
    await ground.mongo.payments.insertOne(overduePayment());
    const removed = ground.prune;
    ground.prune = async () => {
      expect(ground.woken).toHaveLength(1);
      return removed();
    };
    expect(await ground.round()).toEqual({ ...NONE, payments: 1, pruned: 1 });
    expect(await ground.mongo.deliveries.countDocuments()).toBe(0);
  });
});
