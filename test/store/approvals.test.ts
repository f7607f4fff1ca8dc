/** Approvals at any time: each is stored, and completes the payment or is reversed. */
import { describe, expect, it } from 'vitest';
import { lateApproval } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { recordApproval, reverseAttempt } from '../../store/approvals.ts';
import { postpone, restartDelay } from '../../store/attempts.ts';
import { paymentById } from '../../store/payments.ts';
import {
  at,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from '../domain/situation.ts';
import { rejection, useDatabase } from './database.ts';
import { NOW, approval, lastOf, store } from './states.ts';
import type { State } from './states.ts';

const database = await useDatabase('approvals');

const take = async (payment: Payment, attemptId = lastOf(payment).id) =>
  recordApproval(database.mongo, payment._id, { attemptId, approval: approval() });
const stored = async (payment: Payment) => paymentById(database.mongo, payment._id);

const AWAITED: State[] = ['at the bank', 'at the bank, leaving', 'at the bank, silence decided'];
const LATE: State[] = [
  'created, declined once',
  'created, turned back',
  'completed',
  'failed',
  'canceled',
  'expired',
];
const CANCELLING: State[] = ['at the bank, given up', 'at the bank, silent and given up'];
const KNOWN: State[] = [
  'created, late approval coming',
  'created, turned back, late approval coming',
  'at the bank, decided',
  'expired, late approval coming',
];

describe('recordApproval', () => {
  it.each(KNOWN)('stores an approval once: %s', async (state) => {
    const payment = await store(database.mongo, state);
    expect(await take(payment)).toBeNull();
    expect(await stored(payment)).toEqual(payment);
  });

  it.each([...AWAITED, ...CANCELLING, ...LATE])(
    'stores an approval if the payment is %s',
    async (state) => {
      const payment = await store(database.mongo, state);
      const now = await take(payment);
      expect(now).toEqual(await stored(payment));
      expect(lastOf(now!)).toEqual({ ...lastOf(payment), bank: approval() });
      expect(now!.open).toBe(true);
      expect(now!.updated_at.getTime()).toBeGreaterThan(payment.updated_at.getTime());
      expect(now!.due_at).toEqual(approval().due_at);
      expect(lateApproval(now!) !== undefined).toBe(LATE.includes(state));
    },
  );

  it('keeps an earlier due time', async () => {
    const payment = paymentAtNoon({ attempts: declinedAttempts(1), due_at: at(5) });
    await database.mongo.payments.insertOne(payment);
    expect((await take(payment))!.due_at).toEqual(at(5));
  });

  it('stores an approval on its attempt, even if the payment was read before the next visit', async () => {
    const { mongo } = database;
    const seen = await store(mongo, 'created, declined once');
    const attempts = [...seen.attempts, openedAttempt({ number: 2 })];
    const meanwhile = { status: 'processing', attempts, updated_at: at(9) } as const;
    await mongo.payments.updateOne({ _id: seen._id }, { $set: meanwhile });
    const now = await take(seen);
    expect(now!.attempts).toEqual([{ ...attempts[0], bank: approval() }, attempts[1]]);
    expect(now!.status).toBe('processing');
  });

  it('stores 20 concurrent approvals, each on its attempt', async () => {
    const attempts = Array.from({ length: 20 }, (_, index) =>
      openedAttempt({ number: index + 1, status: 'turned_back' }),
    );
    const payment = paymentAtNoon({ status: 'canceled', attempts });
    await database.mongo.payments.insertOne(payment);
    await Promise.all(attempts.map(async ({ id }) => take(payment, id)));
    const now = await stored(payment);
    expect(now!.attempts.map(({ bank }) => bank?.says.answer)).toEqual(
      attempts.map(() => 'approved'),
    );
  });

  it('throws for an attempt that the payment never had', async () => {
    const payment = await store(database.mongo, 'created');
    const error = await rejection(take(payment, 'att_none'));
    expect(error).toMatchObject({ message: expect.stringContaining('could not be stored') });
  });
});

describe('postpone', () => {
  it('does nothing if the due time has changed', async () => {
    const { mongo } = database;
    const payment = await store(mongo, 'created');
    await postpone(mongo, payment, at(20));
    const now = (await stored(payment))!;
    expect(now).toEqual({ ...payment, due_at: at(20) });
    await postpone(mongo, payment, at(21));
    expect(await stored(payment)).toEqual(now);
  });
});

describe('restartDelay', () => {
  it('does nothing if the decision was replaced', async () => {
    const { mongo } = database;
    const payment = await store(mongo, 'at the bank, decided');
    const attempt = lastOf(payment);
    const bank = { ...approval(), due_at: at(11) };
    await restartDelay(mongo, payment, { attempt, bank });
    const now = (await stored(payment))!;
    expect([lastOf(now).bank, now.due_at]).toEqual([bank, at(11)]);
    await restartDelay(mongo, payment, { attempt, bank: { ...bank, due_at: at(12) } });
    expect(await stored(payment)).toEqual(now);
  });
});

describe('reverseAttempt', () => {
  it.each(['created, late approval coming', 'expired, late approval coming'] as const)(
    'leaves no late approval: %s',
    async (state) => {
      const payment = await store(database.mongo, state);
      await reverseAttempt(database.mongo, payment, { attempt: lastOf(payment), now: NOW });
      const now = (await stored(payment))!;
      expect(lastOf(now).status).toBe('reversed');
      expect(now.open).toBe(payment.status === 'created' ? true : undefined);
      expect(now.updated_at.getTime()).toBeGreaterThan(payment.updated_at.getTime());
    },
  );

  it('does nothing if another approval was stored meanwhile', async () => {
    const { mongo } = database;
    const attempts = [lateAttempt(at(9)), ...declinedAttempts(1)];
    const judged = paymentAtNoon({ status: 'expired', open: true, attempts });
    await mongo.payments.insertOne(judged);
    const second = { attemptId: lastOf(judged).id, approval: approval() };
    const both = await recordApproval(mongo, judged._id, second);
    await reverseAttempt(mongo, judged, { attempt: attempts[0]!, now: NOW });
    expect(await stored(judged)).toEqual(both);
  });

  it('keeps a final payment open during another late approval', async () => {
    const { mongo } = database;
    const first = lateAttempt(at(9));
    const attempts = [first, lateAttempt(at(11))];
    const payment = paymentAtNoon({ status: 'expired', open: true, attempts });
    await mongo.payments.insertOne(payment);
    await reverseAttempt(mongo, payment, { attempt: first, now: NOW });
    expect((await stored(payment))!.open).toBe(true);
    const halfway = (await stored(payment))!;
    await reverseAttempt(mongo, halfway, { attempt: lastOf(halfway), now: NOW });
    expect(await stored(payment)).not.toHaveProperty('open');
  });
});
