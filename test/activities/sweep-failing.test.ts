/** The sweep when rows, kinds of row or whole rounds fail. */
import { describe, expect, it } from 'vitest';
import { makeReplay } from '../support/rows/replay.ts';
import { makeSweepActivity } from '../support/sweeping.ts';
import { until } from '../support/until.ts';
import {
  MANY,
  NONE,
  ago,
  overdueDelivery,
  overduePayment,
  overdueRefund,
  paymentMs,
  refundMs,
  useSweep,
} from './sweepground.ts';
import { insertAll } from '../support/insert.ts';

const ground = await useSweep('sweep-failing');

/** Makes Temporal not respond to calls for these rows. Returns a counter of the calls. */
function leaveUnanswered(isSo: (id: string) => boolean): () => number {
  let calls = 0;
  ground.before = (id) => {
    if (!isSo(id)) return;
    calls += 1;
    throw Object.assign(new Error('away'), { name: 'TemporalUnavailable' });
  };
  return () => calls;
}

describe('a round in which something fails', () => {
  it('skips every row that Temporal refuses, and reports all of them', async () => {
    const due_at = ago(paymentMs + 60_000);
    const stuck = Array.from({ length: MANY }, () => overduePayment({ due_at }));
    const later = overduePayment();
    await insertAll(ground.mongo.payments, [...stuck, later]);
    const ids = new Set(stuck.map(({ _id }) => _id));
    ground.before = (id) => {
      if (ids.has(id)) throw new Error('refused');
    };
    expect(await ground.round()).toEqual({ ...NONE, payments: 1, failed: MANY });
    expect(ground.woken).toEqual([later._id]);
    expect(new Set(ground.logged)).toEqual(ids);
  });

  it('skips a row for which Temporal did not reply', async () => {
    const payments = Array.from({ length: 30 }, (_, i) =>
      overduePayment({ due_at: ago(paymentMs + 60_000 - i) }),
    );
    await insertAll(ground.mongo.payments, payments);
    const [stuck, ...others] = payments.map((payment) => payment._id);
    leaveUnanswered((id) => id === stuck);
    expect(await ground.round()).toEqual({ ...NONE, payments: 29, failed: 1 });
    expect(ground.woken).toEqual(others);
    expect(ground.logged).toEqual([stuck]);
  });

  it('calls an unavailable Temporal only a few times for each kind', async () => {
    await insertAll(
      ground.mongo.payments,
      Array.from({ length: MANY }, () => overduePayment()),
    );
    await insertAll(
      ground.mongo.refunds,
      Array.from({ length: MANY }, () => overdueRefund()),
    );
    const calls = leaveUnanswered(() => true);
    const result = await ground.round();
    expect(result).toMatchObject({ payments: 0, refunds: 0, unfinished: ['payments', 'refunds'] });
    expect(result.failed).toBe(calls());
    // Five failures in a row, and the calls that were already under way.
    expect(calls()).toBeLessThanOrEqual(2 * 15);
  });

  it('resumes the other kinds, and deletes old records, when a kind is given up', async () => {
    const payments = Array.from({ length: MANY }, () => overduePayment());
    const delivery = overdueDelivery();
    await insertAll(ground.mongo.payments, payments);
    await ground.mongo.deliveries.insertOne(delivery);
    leaveUnanswered((id) => id.startsWith('pay_'));
    ground.prune = async () => 7;
    const result = await ground.round();
    expect(result).toMatchObject({ deliveries: 1, unfinished: ['payments'], pruned: 7 });
    expect(ground.started).toEqual([delivery._id]);
  });

  it.each(['payments', 'refunds', 'replays', 'deliveries'] as const)(
    'resumes the other kinds when %s cannot be read',
    async (kind) => {
      await ground.mongo.payments.insertOne(overduePayment());
      await ground.mongo.refunds.insertOne(overdueRefund());
      await ground.mongo.replays.insertOne(
        makeReplay({ endpoint_id: 'we_1', due_at: ago(refundMs + 1_000) }),
      );
      await ground.mongo.deliveries.insertOne(overdueDelivery());
      const collection = ground.mongo[kind];
      const unreadable = {
        find: () => {
          throw new Error('unreadable');
        },
      };
      ground.prune = async () => 0;
      Object.assign(ground.mongo, { [kind]: unreadable });
      const result = await ground
        .round()
        .finally(() => Object.assign(ground.mongo, { [kind]: collection }));
      const all = { payments: 1, refunds: 1, replays: 1, deliveries: 1 };
      expect(result).toEqual({ ...NONE, ...all, [kind]: 0, unfinished: [kind] });
    },
  );

  it('reports that old records could not be deleted, after it resumed the rest', async () => {
    await ground.mongo.payments.insertOne(overduePayment());
    ground.prune = async () => {
      throw new Error('stuck');
    };
    expect(await ground.round()).toEqual({ ...NONE, payments: 1, unfinished: ['pruning'] });
  });
});

describe('a kind that a round did not finish', () => {
  it('continues where the last round stopped, and then starts again at the front', async () => {
    const front = ago(paymentMs + 60_000);
    const stuck = Array.from({ length: 25 }, () => overduePayment({ due_at: front }));
    const well = Array.from({ length: 5 }, () => overduePayment());
    await insertAll(ground.mongo.payments, [...stuck, ...well]);
    const ids = new Set(stuck.map(({ _id }) => _id));
    const calls = leaveUnanswered((id) => ids.has(id));
    await ground.round();
    expect(ground.woken).toEqual([]);
    const first = calls();
    await ground.round();
    await ground.round();
    expect(new Set(ground.woken)).toEqual(new Set(well.map(({ _id }) => _id)));
    // The third round reached the end, and continued at the front.
    expect(new Set(ground.logged)).toEqual(ids);
    expect(calls()).toBeGreaterThan(Math.max(first, ids.size));
  });

  it('is left for the next round after 90 s, and so is the deletion of old records', async () => {
    const payments = Array.from({ length: MANY }, (_, i) =>
      overduePayment({ due_at: ago(paymentMs + 60_000 - i) }),
    );
    await insertAll(ground.mongo.payments, payments);
    const begunMs = Date.now();
    ground.before = () => {
      if (ground.woken.length === 20) ground.nowMs = () => begunMs + 180_000;
    };
    const result = await ground.round();
    expect(result).toMatchObject({ unfinished: ['payments', 'counting', 'pruning'], failed: 0 });
    // Only the rows that had already begun were resumed.
    expect(result.payments).toBeLessThanOrEqual(31);
    ground.before = () => undefined;
    ground.nowMs = Date.now;
    const behind = payments.slice(ground.woken.length).map(({ _id }) => _id);
    const seen = ground.woken.length;
    await ground.round();
    expect(ground.woken.slice(seen, seen + behind.length)).toEqual(behind);
  });
});

describe('a round that Temporal has timed out', () => {
  it('ends when its activity is canceled', async () => {
    await insertAll(
      ground.mongo.payments,
      Array.from({ length: MANY }, () => overduePayment()),
    );
    const activity = makeSweepActivity();
    ground.before = () => activity.cancel();
    const { payments, unfinished } = await ground.round(activity);
    expect(payments).toBeLessThanOrEqual(10);
    expect(unfinished).toEqual(['payments', 'counting', 'pruning']);
  });

  it('ends before another round begins in the same process', async () => {
    await insertAll(
      ground.mongo.payments,
      Array.from({ length: MANY }, () => overduePayment()),
    );
    let isHeld = true;
    let underWay = 0;
    ground.before = async () => {
      underWay += 1;
      await until(
        () => isHeld,
        (held) => !held,
      );
      underWay -= 1;
    };
    const first = ground.round();
    await until(
      () => underWay,
      (count) => count === 10,
    );
    let atStart: number | undefined;
    const activity = makeSweepActivity();
    const second = ground.round({
      ...activity,
      heartbeat: () => {
        atStart ??= underWay;
      },
    });
    isHeld = false;
    expect((await first).payments).toBe(10);
    expect((await second).unfinished).toEqual([]);
    expect(new Set(ground.woken).size).toBe(MANY);
    expect(atStart).toBe(0);
  });

  it('sends a heartbeat after each row, so that Temporal does not time it out', async () => {
    await insertAll(
      ground.mongo.payments,
      Array.from({ length: 25 }, () => overduePayment()),
    );
    const activity = makeSweepActivity();
    await ground.round(activity);
    expect(activity.beats()).toBeGreaterThanOrEqual(25);
  });
});
