import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { searchTerms } from '../../domain/search.ts';
import { openAttempt } from '../../store/attempts.ts';
import { backfillTerms } from '../../store/backfill.ts';
import { mintId } from '../../store/mint.ts';
import { changeDetails } from '../../store/payments.ts';
import { insertAll } from '../support/insert.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { makeEntry } from '../support/audit.ts';
import { rejection, useDatabase } from './database.ts';

const { mongo } = await useDatabase('backfill');

/** Stores a merchant with payments as earlier versions stored them, without these terms. */
async function putOld(
  count: number,
  { mode, ...overrides }: Partial<Payment> & { mode?: 'test' } = {},
): Promise<Payment[]> {
  const merchantId = mintId('merchant');
  const named = { name: 'Shop', locale: 'en' as const, created_at: new Date() };
  await mongo.merchants.insertOne({ _id: merchantId, ...named });
  const rows = Array.from({ length: count }, (_, n) => {
    const livemode = mode === undefined && n % 2 === 1;
    const m = tenantOf(merchantId, livemode ? 'live' : 'test');
    return makePayment({ merchant_id: merchantId, m, livemode, ...overrides });
  });
  await insertAll(mongo.payments, rows);
  return rows;
}

const termsOf = async ({ _id }: Payment) => (await mongo.payments.findOne({ _id }))?.found_by;

describe('backfillTerms', () => {
  it('adds the terms in both modes and to nothing else, and finds nothing to do twice', async () => {
    const metadata = { basket: 'B-77' };
    const rows = await putOld(4, { metadata, attempts: [makeAttempt()] });
    // The terms of the version before, without those of the order id.
    await mongo.payments.updateOne({ _id: rows[0]!._id }, { $set: { terms: ['=12500'] } });
    expect(await backfillTerms(mongo)).toBe(4);
    for (const row of rows) {
      expect(await mongo.payments.findOne({ _id: row._id })).toEqual({
        ...row,
        found_by: ['=12500', '*4242', '*order1', '*order', 'basket:b-77'],
      });
    }
    expect(await backfillTerms(mongo)).toBe(0);
  });

  it('continues after an interruption', async () => {
    const rows = await putOld(151, { mode: 'test' });
    const stopped = backfillTerms(mongo, (filled) => {
      throw new Error(`Interrupted after ${filled}.`);
    });
    expect(await rejection(stopped)).toEqual(new Error('Interrupted after 100.'));
    const seen: number[] = [];
    expect(await backfillTerms(mongo, (filled) => seen.push(filled))).toBe(51);
    expect(seen).toEqual([51]);
    const found = await mongo.payments.countDocuments({ m: rows[0]!.m, found_by: '=12500' });
    expect(found).toBe(151);
  });

  it('may run twice at once, and beside a payment that goes to the bank', async () => {
    const rows = await putOld(20);
    const [row] = rows;
    const card = { brand: 'visa', last4: '0002' };
    const how = { tender: { type: 'card', card }, now: new Date(), bankTimeoutMs: 60_000 } as const;
    await Promise.all([backfillTerms(mongo), openAttempt(mongo, row!, how), backfillTerms(mongo)]);
    expect((await termsOf(row!))?.toSorted()).toEqual(['*0002', '*order', '*order1', '=12500']);
    for (const other of rows.slice(1)) expect(await termsOf(other)).toEqual(searchTerms(other));
  });

  it('adds no term of metadata that changes meanwhile', async () => {
    const [row] = await putOld(1, { metadata: { a: 'old' } });
    const honest = mongo.payments.bulkWrite.bind(mongo.payments);
    mongo.payments.bulkWrite = async (...args) => {
      Reflect.deleteProperty(mongo.payments, 'bulkWrite');
      const after = { ...row!, metadata: { a: 'new' } };
      const change = { before: row!, after, entry: makeEntry(), response: undefined };
      expect(await changeDetails(mongo, change)).toBe(true);
      return honest(...args);
    };
    await backfillTerms(mongo);
    expect(await termsOf(row!)).toEqual(searchTerms({ ...row!, metadata: { a: 'new' } }));
  });

  it('leaves nothing for a payment that went to the bank before', async () => {
    const [row] = await putOld(1, { metadata: { a: 'b' } });
    const card = { brand: 'visa', last4: '0002' };
    await openAttempt(mongo, row!, {
      tender: { type: 'card', card },
      now: new Date(),
      bankTimeoutMs: 60_000,
    });
    expect(await termsOf(row!)).toEqual(['=12500', '*0002', '*order1', '*order', 'a:b']);
    expect(await backfillTerms(mongo)).toBe(0);
  });
});
