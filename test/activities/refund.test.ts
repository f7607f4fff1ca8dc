/** Settling a refund on the real database. Starts of deliveries are only recorded. */
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxBank } from '../../activities/bank.ts';
import type { Bank } from '../../activities/bank.ts';
import { settleRefund } from '../../activities/refund.ts';
import type { Event } from '../../domain/event.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import { publicPayment, publicRefund } from '../../domain/wire.ts';
import { paymentById } from '../../store/payments.ts';
import { refundById, reserveRefund } from '../../store/refunds.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { LINKS } from '../support/worker.ts';
import { openDatabase } from '../support/mongo.ts';
import { closeAfterTests } from '../support/close.ts';

const AT_ONCE = 8;

let started: string[];
/** Called before a delivery is started. May throw. */
let beforeStart: () => void;
let bank: Bank;

const mongo = closeAfterTests(await openDatabase('refund'));
beforeEach(() => {
  started = [];
  beforeStart = () => undefined;
  bank = sandboxBank(mongo);
});

const temporal = {
  startDelivery: async (id: string) => {
    beforeStart();
    started.push(id);
  },
};
const settle = async (refund: Refund, now = new Date()) =>
  settleRefund(
    { mongo, temporal, bank, links: LINKS },
    { refund_id: refund._id, now_ms: now.getTime() },
  );

/** Stores a reserved refund of 500 of 12,500 AMD. Its merchant has one endpoint. */
async function reserved(overrides: Partial<Refund> = {}, before: Partial<Payment> = {}) {
  const payment = makePayment({ status: 'completed', ...before });
  const refund = makeRefund({ m: payment.m, payment_id: payment._id, ...overrides });
  await mongo.payments.insertOne(payment);
  await mongo.endpoints.insertOne(makeEndpoint({ m: payment.m }));
  await mongo.transact(async (session) => reserveRefund(mongo, session, { payment, row: refund }));
  return refund;
}

const testing = (outcome: string): Partial<Refund> => ({ metadata: { test_outcome: outcome } });
const eventsOf = async ({ m: tenant }: Refund): Promise<Event[]> =>
  mongo.events.find({ m: tenant }).sort({ _id: 1 }).toArray();
const typesOf = async (refund: Refund) => (await eventsOf(refund)).map(({ type }) => type);
const read = async ({ _id }: Refund) => (await refundById(mongo, _id))!;
const paymentOf = async ({ payment_id: id }: Refund) => (await paymentById(mongo, id))!;

describe('settleRefund, if there is nothing to do', () => {
  it('returns "missing" for a refund that does not exist', async () => {
    expect(await settle(makeRefund())).toEqual({ status: 'missing', wake_at_ms: 0 });
  });

  it('does not change a refund that has ended', async () => {
    const refund = await reserved();
    await settle(refund);
    const before = [await read(refund), await paymentOf(refund), await eventsOf(refund)];
    expect(await settle(refund)).toEqual({ status: 'completed', wake_at_ms: 0 });
    expect([await read(refund), await paymentOf(refund), await eventsOf(refund)]).toEqual(before);
  });
});

describe('settleRefund', () => {
  it.each([
    ['complete', 'completed', 500, ['refund.completed', 'payment.refunded']],
    ['fail', 'failed', 0, ['refund.failed']],
    ['cancel', 'canceled', 0, ['refund.canceled']],
  ])('settles the outcome %s', async (outcome, status, amount, types) => {
    const refund = await reserved(testing(outcome));
    expect(await settle(refund)).toEqual({ status, wake_at_ms: 0 });
    const [after, payment] = [await read(refund), await paymentOf(refund)];
    expect(after.status).toBe(status);
    expect(after.failure_code).toBe(status === 'failed' ? 'refund_declined' : null);
    expect(payment.amount_refunded).toBe(amount);
    expect(payment.refunds).toEqual({ pending: 0, count: 1 });
    expect(await typesOf(refund)).toEqual(types);
    expect(started).toHaveLength(types.length);
  });

  it('emits events with the new state of both documents', async () => {
    const refund = await reserved();
    await settle(refund);
    const bodies = (await eventsOf(refund)).map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ data }) => data.object)).toEqual([
      publicRefund(await read(refund)),
      publicPayment(await paymentOf(refund), LINKS),
    ]);
    const payment = bodies[1].data.object;
    expect(payment).toMatchObject({ amount_refunded: 500, amount_refundable: 12_000 });
  });

  it('returns the time until which a slow bank needs, and makes the refund due then', async () => {
    const refund = await reserved(testing('complete_after_5s'));
    const due = refund.created_at.getTime() + 5_000;
    expect(await settle(refund, refund.created_at)).toEqual({
      status: 'pending',
      wake_at_ms: due,
    });
    expect((await read(refund)).due_at.getTime()).toBe(due);
    expect(await typesOf(refund)).toEqual([]);
    expect(await settle(refund, new Date(due))).toMatchObject({ status: 'completed' });
  });

  it("never sets an end before the refund's creation, whatever the workflow's clock", async () => {
    const refund = await reserved();
    const early = new Date(refund.created_at.getTime() - 1_000);
    expect(await settle(refund, early)).toMatchObject({ status: 'completed' });
    expect((await read(refund)).completed_at).toEqual(refund.created_at);
  });

  it('changes nothing if the bank is unavailable', async () => {
    const refund = await reserved();
    bank = {
      ...bank,
      refund: async () => {
        throw new Error('The bank is unavailable.');
      },
    };
    await expect(settle(refund)).rejects.toThrow('The bank is unavailable.');
    expect(await read(refund)).toEqual(refund);
    expect(await typesOf(refund)).toEqual([]);
  });

  it('asks the bank again for the same refund if its reply was lost', async () => {
    const refund = await reserved();
    const asked: string[] = [];
    bank = {
      ...bank,
      refund: async (_, { _id }) => {
        asked.push(_id);
        return { answer: 'completed' };
      },
    };
    beforeStart = () => {
      throw new Error('Temporal is unavailable.');
    };
    await expect(settle(refund)).rejects.toThrow('Temporal is unavailable.');
    beforeStart = () => undefined;
    await settle(refund);
    expect(asked).toEqual([refund._id]);
    const rows = await mongo.deliveries.find({ m: refund.m }).toArray();
    expect(new Set(started)).toEqual(new Set(rows.map(({ _id }) => _id)));
    expect(rows).toHaveLength(2);
  });
});

describe('settling many times at once', () => {
  it('ends one refund once', async () => {
    const refund = await reserved();
    const settled = async () => retryUnavailable(async () => settle(refund));
    await Promise.all(Array.from({ length: AT_ONCE }, settled));
    expect(await typesOf(refund)).toEqual(['refund.completed', 'payment.refunded']);
    expect(await paymentOf(refund)).toMatchObject({
      amount_refunded: 500,
      refunds: { pending: 0, count: 1 },
    });
  });

  it('ends many refunds of one payment with running amounts', async () => {
    const first = await reserved({ amount: 100 });
    const more = Array.from({ length: AT_ONCE - 1 }, () =>
      makeRefund({ m: first.m, payment_id: first.payment_id, amount: 100 }),
    );
    for (const row of more) {
      const payment = await paymentOf(first);
      await mongo.transact(async (session) => reserveRefund(mongo, session, { payment, row }));
    }
    const settled = [first, ...more].map(async (refund) =>
      retryUnavailable(async () => settle(refund)),
    );
    await Promise.all(settled);
    const events = await mongo.events.find({ m: first.m, type: 'payment.refunded' }).toArray();
    const amounts = events.map(({ body }) => JSON.parse(body).data.object.amount_refunded);
    const wanted = Array.from({ length: AT_ONCE }, (_, i) => (i + 1) * 100);
    expect(amounts.toSorted((a, b) => a - b)).toEqual(wanted);
    expect(await paymentOf(first)).toMatchObject({
      amount_refunded: AT_ONCE * 100,
      refunds: { pending: 0, count: AT_ONCE },
    });
  });
});
