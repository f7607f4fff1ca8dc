import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import type { Refund } from '../../domain/refund.ts';
import { mintId } from '../../store/mint.ts';
import { duplicateOf } from '../../store/mongo.ts';
import {
  endRefund,
  findRefund,
  refundByKey,
  overdueRefunds,
  postponeRefund,
  reserveRefund,
} from '../../store/refunds.ts';
import type { RefundRow } from '../../store/rows.ts';
import { at } from '../domain/situation.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { rejection, useDatabase } from './database.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('refunds');

async function paid(overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = makePayment({ status: 'completed', ...overrides });
  await database.mongo.payments.insertOne(payment);
  return payment;
}

const read = async ({ _id }: Payment) => database.mongo.payments.findOne({ _id });
const refundOf = (payment: Payment, overrides: Partial<RefundRow> = {}): RefundRow =>
  makeRefund({ m: payment.m, payment_id: payment._id, ...overrides });

async function reserve(payment: Payment, row = refundOf(payment)): Promise<boolean> {
  const { mongo } = database;
  return mongo.transact(async (session) => reserveRefund(mongo, session, { payment, row }));
}

async function end(refund: Refund, status: 'completed' | 'failed'): Promise<Payment | null> {
  const { mongo } = database;
  const how = { status, code: status === 'failed' ? 'refund_declined' : null, now: at(5) } as const;
  return mongo.transact(async (session) => endRefund(mongo, session, { refund, end: how }));
}

describe('reserveRefund', () => {
  it('throws for more than the refundable amount', async () => {
    const payment = await paid();
    const fault = await rejection(reserve(payment, refundOf(payment, { amount: 12_501 })));
    expect(String(fault)).toContain('More than what is refundable');
    expect(await read(payment)).toEqual(payment);
  });

  it.each([
    ['another refund was reserved', { refunds: { pending: 1, count: 1 } }],
    ['a refund was completed', { amount_refunded: 1, refunds: { pending: 0, count: 1 } }],
    ['it is not completed any more', { status: 'failed' as const }],
  ])('writes nothing if, since the payment was read, %s', async (_, moved) => {
    const payment = await paid(moved);
    const { refunds: __, ...before } = payment;
    const judged = { ...before, status: 'completed', amount_refunded: 0 } as const;
    const row = refundOf(payment);
    expect(await reserve(judged, row)).toBe(false);
    expect(await read(payment)).toEqual(payment);
    expect(await database.mongo.refunds.countDocuments({ payment_id: payment._id })).toBe(0);
  });

  it('writes nothing if the key was used before', async () => {
    const payment = await paid();
    const idem = { k: 'once', request: '{}', response: '{}' };
    expect(await reserve(payment, refundOf(payment, { idem }))).toBe(true);
    const after = (await read(payment))!;
    const again = await rejection(reserve(after, refundOf(payment, { idem })));
    expect(duplicateOf(again)).toBe('m,idem.k');
    expect(await read(payment)).toEqual(after);
    expect(await refundByKey(database.mongo, payment.m, 'once')).toMatchObject({ idem });
  });

  it('accepts one of ten that were judged by the same payment', async () => {
    const payment = await paid();
    const rows = Array.from({ length: 10 }, () => refundOf(payment));
    const many = rows.map(async (row) => retryUnavailable(async () => reserve(payment, row)));
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    expect((await read(payment))!.refunds).toEqual({ pending: 500, count: 1 });
    expect(await database.mongo.refunds.countDocuments({ payment_id: payment._id })).toBe(1);
  });
});

describe('endRefund', () => {
  it.each([
    ['completed', { amount_refunded: 500, refunds: { pending: 0, count: 1 } }],
    ['failed', { amount_refunded: 0, refunds: { pending: 0, count: 1 } }],
  ] as const)('moves the amounts of a refund that is %s', async (status, amounts) => {
    const payment = await paid({ updated_at: at(0) });
    const row = refundOf(payment, { created_at: at(1) });
    await reserve(payment, row);
    expect(await end(row, status)).toMatchObject({ ...amounts, updated_at: at(5) });
    expect(await read(payment)).toMatchObject(amounts);
    const completedAt = status === 'completed' ? at(5) : null;
    const ended = await findRefund(database.mongo, payment.m, row._id);
    expect(ended).toMatchObject({ status, completed_at: completedAt, updated_at: at(5) });
  });

  it("never moves the payment's last change to an earlier time", async () => {
    const payment = await paid({ updated_at: at(0) });
    const [row, later] = [1, 9].map((minute) => refundOf(payment, { created_at: at(minute) }));
    await reserve(payment, row);
    await reserve((await read(payment))!, later);
    const after = await end(row!, 'completed');
    expect(after).toMatchObject({ amount_refunded: 500, updated_at: at(9) });
  });

  it('ends a refund once, even if it is called with different ends', async () => {
    const payment = await paid();
    const row = refundOf(payment);
    await reserve(payment, row);
    const many = Array.from({ length: 10 }, async (_, i) =>
      retryUnavailable(async () => end(row, i % 2 ? 'failed' : 'completed')),
    );
    expect((await Promise.all(many)).filter(Boolean)).toHaveLength(1);
    const { status } = (await findRefund(database.mongo, payment.m, row._id))!;
    const after = (await read(payment))!;
    expect(after.amount_refunded).toBe(status === 'completed' ? 500 : 0);
    expect(after.refunds).toEqual({ pending: 0, count: 1 });
  });

  it('writes nothing if nothing is reserved for the refund', async () => {
    const payment = await paid({ refunds: { pending: 499, count: 1 } });
    const row = refundOf(payment);
    await database.mongo.refunds.insertOne(row);
    expect(String(await rejection(end(row, 'completed')))).toContain('Nothing is reserved');
    expect(await read(payment)).toEqual(payment);
    expect(await findRefund(database.mongo, payment.m, row._id)).toMatchObject({
      status: 'pending',
    });
  });
});

describe('overdueRefunds', () => {
  it('finds pending overdue refunds, oldest first', async () => {
    const { mongo } = database;
    await mongo.refunds.deleteMany({});
    const [late, later, early] = [3, 1, 20].map((minute) => makeRefund({ due_at: at(minute) }));
    const ended = makeRefund({ due_at: at(1), status: 'completed' });
    await mongo.refunds.insertMany([late!, later!, early!, ended]);
    const found = await overdueRefunds(mongo, { after: null, before: at(10), limit: 10 });
    expect(found.map(({ _id }) => _id)).toEqual([later!._id, late!._id]);
    await postponeRefund(mongo, later!._id, at(30));
    await postponeRefund(mongo, ended._id, at(30));
    const rest = await overdueRefunds(mongo, { after: null, before: at(60), limit: 10 });
    expect(rest.map(({ _id }) => _id)).toEqual([late!._id, early!._id, later!._id]);
  });
});

describe('findRefund', () => {
  it('does not find refunds of other tenants', async () => {
    const refund = makeRefund({ m: tenantOf(mintId('merchant'), 'test') });
    await database.mongo.refunds.insertOne(refund);
    expect(await findRefund(database.mongo, 'mer_2:test', refund._id)).toBeNull();
    expect(await findRefund(database.mongo, refund.m, refund._id)).toEqual(refund);
  });
});
