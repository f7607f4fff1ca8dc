import { describe, expect, it } from 'vitest';
import type { Payment, TransitionName } from '../../domain/payment.ts';
import { afterTransition } from '../../domain/verdict.ts';
import { mintId, mintToken } from '../../store/mint.ts';
import { duplicateOf } from '../../store/mongo.ts';
import {
  applyChange,
  paymentById,
  paymentByKey,
  findByTokens,
  findPayment,
  insertPayment,
  overduePayments,
} from '../../store/payments.ts';
import { at, openedAttempt, paymentAtNoon } from '../domain/situation.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makePayment } from '../support/rows/payment.ts';
import { rejection, useDatabase } from './database.ts';
import { NOW, except, store } from './states.ts';
import type { State } from './states.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('payments');
const idem = (k: string) => ({ k, request: '{}', response: '{"id":"pay"}' });

describe('insertPayment', () => {
  it('refuses a second payment with the same key and tenant', async () => {
    const { mongo } = database;
    const first = { ...makePayment(), idem: idem('key-1') };
    await insertPayment(mongo, first);
    const again = { ...makePayment(), m: first.m, idem: idem('key-1') };
    expect(duplicateOf(await rejection(insertPayment(mongo, again)))).toBe('m,idem.k');
    expect(await findPayment(mongo, first.m, again._id)).toBeNull();
  });

  it('refuses a checkout token that another payment has', async () => {
    const token = mintToken();
    await insertPayment(database.mongo, makePayment({ checkout_token: token }));
    const again = insertPayment(database.mongo, makePayment({ checkout_token: token }));
    expect(duplicateOf(await rejection(again))).toBe('checkout_token');
  });

  it('accepts other tenants, other keys, and payments without a key', async () => {
    const { mongo } = database;
    const merchant = mintId('merchant');
    const rows = [
      { ...makePayment({ m: tenantOf(merchant, 'test') }), idem: idem('key') },
      { ...makePayment({ m: tenantOf(merchant, 'live') }), idem: idem('key') },
      { ...makePayment({ m: tenantOf(merchant, 'test') }), idem: idem('KEY') },
      { ...makePayment(), idem: idem('key') },
      makePayment({ m: tenantOf(merchant, 'test') }),
      makePayment({ m: tenantOf(merchant, 'test') }),
    ];
    for (const row of rows) await insertPayment(mongo, row);
    expect(await mongo.payments.countDocuments({ m: tenantOf(merchant, 'test') })).toBe(4);
  });

  it('inserts one payment for 20 concurrent requests with the same key', async () => {
    const { mongo } = database;
    const tenant = tenantOf(mintId('merchant'), 'test');
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        insertPayment(mongo, { ...makePayment({ m: tenant }), idem: idem('k') }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await mongo.payments.countDocuments({ m: tenant })).toBe(1);
  });
});

describe('findPayment and paymentByKey', () => {
  it('returns nothing of another tenant', async () => {
    const { mongo } = database;
    const row = { ...makePayment(), idem: idem('mine') };
    await insertPayment(mongo, row);
    expect(await findPayment(mongo, 'mer_other:test', row._id)).toBeNull();
    expect(await findPayment(mongo, tenantOf(row.merchant_id, 'live'), row._id)).toBeNull();
    expect(await paymentByKey(mongo, 'mer_other:test', 'mine')).toBeNull();
    expect(await paymentByKey(mongo, row.m, 'mine')).toEqual(row);
  });

  it('returns every field unchanged', async () => {
    const { mongo } = database;
    const metadata = { 'a.b': '$set', constructor: 'x', 'with space': 'ք' };
    const row = makePayment({ metadata, attempts: [openedAttempt()] });
    await insertPayment(mongo, row);
    expect(await findPayment(mongo, row.m, row._id)).toEqual(row);
    expect(await paymentById(mongo, row._id)).toEqual(row);
    const found = await findByTokens(mongo, [`${row.checkout_token}x`, row.checkout_token]);
    expect([...found]).toEqual([[row.checkout_token, row]]);
  });
});

/** Times at which no other payment of this file is due. */
const longAgo = (minutes: number): Date => new Date(at(minutes).getTime() - 1e12);

describe('overduePayments', () => {
  it('finds open overdue payments, oldest first, page by page', async () => {
    const { mongo } = database;
    const rows = [3, 1, 2, 9].map((minutes) => makePayment({ due_at: longAgo(minutes) }));
    const { open: _, ...closed } = makePayment({ status: 'expired', due_at: longAgo(0) });
    await mongo.payments.insertMany([...rows, closed]);
    const range = { before: longAgo(9), limit: 2 };
    const first = await overduePayments(mongo, { ...range, after: null });
    expect(first.map((row) => row.due_at)).toEqual([longAgo(1), longAgo(2)]);
    const after = { at: longAgo(2), id: first[1]!._id };
    const second = await overduePayments(mongo, { ...range, after });
    expect(second.map((row) => row.due_at)).toEqual([longAgo(3)]);
  });
});

const AT_BANK: State[] = [
  'at the bank',
  'at the bank, leaving',
  'at the bank, silence decided',
  'at the bank, decided',
  'at the bank, given up',
  'at the bank, silent and given up',
];
const CREATED: State[] = [
  'created',
  'created, its time is over',
  'created, declined once',
  'created, turned back',
  'created, late approval coming',
  'created, turned back, late approval coming',
];
const ALLOWED: Partial<Record<TransitionName, State[]>> = {
  turned_back: AT_BANK,
  approved: AT_BANK,
  declined: AT_BANK,
  declined_at_end: AT_BANK,
  declined_for_good: AT_BANK,
  canceled: CREATED,
  expired: CREATED,
};
const TRANSITION_NAMES = Object.keys(ALLOWED) as TransitionName[];

async function apply(before: Payment, transition: TransitionName): Promise<boolean> {
  const { mongo } = database;
  const code = transition.startsWith('declined') ? 'card_declined' : null;
  const after = afterTransition(before, transition, { now: NOW, code, cancellation: null });
  return mongo.transact(async (session) =>
    applyChange(mongo, session, { transition, before, after }),
  );
}

const refused = TRANSITION_NAMES.flatMap((name) =>
  except(...(ALLOWED[name] ?? [])).map((state) => [name, state] as const),
);
const accepted = TRANSITION_NAMES.flatMap((name) =>
  (ALLOWED[name] ?? []).map((state) => [name, state] as const),
);

describe('applyChange', () => {
  it.each(refused)('refuses %s when %s, and writes nothing', async (transition, state) => {
    const payment = await store(database.mongo, state);
    expect(await apply(payment, transition)).toBe(false);
    expect(await paymentById(database.mongo, payment._id)).toEqual(payment);
  });

  it.each([
    ['another attempt', { attempts: [openedAttempt()] }],
    ['more attempts', { attempts: [openedAttempt(), openedAttempt()] }],
    ['a later change', { updated_at: at(9) }],
  ])('refuses a change that was judged before %s', async (_, meanwhile) => {
    const { mongo } = database;
    const judged = await store(mongo, 'at the bank');
    await mongo.payments.updateOne({ _id: judged._id }, { $set: meanwhile });
    expect(await apply(judged, 'approved')).toBe(false);
    expect((await paymentById(mongo, judged._id))?.status).toBe('processing');
  });

  it.each(accepted)(
    'writes %s if %s, exactly as `afterTransition` returns it',
    async (name, state) => {
      const before = await store(database.mongo, state);
      const code = name.startsWith('declined') ? 'card_declined' : null;
      expect(await apply(before, name)).toBe(true);
      const after = afterTransition(before, name, { now: NOW, code, cancellation: null });
      expect(await paymentById(database.mongo, before._id)).toEqual(after);
    },
  );

  it('accepts one of 20 concurrent changes', async () => {
    const payment = await store(database.mongo, 'created');
    const wishes = Array.from({ length: 20 }, (_, n) => (n % 2 ? 'canceled' : 'expired'));
    const won = await Promise.all(
      wishes.map(async (wish) => retryUnavailable(async () => apply(payment, wish))),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const { status } = (await paymentById(database.mongo, payment._id)) ?? paymentAtNoon();
    expect(status).toBe(wishes[won.indexOf(true)]);
  });
});
