import { describe, expect, it } from 'vitest';
import { createRefund } from '../../operations/create-refund.ts';
import { mintId } from '../../store/mint.ts';
import { BANK_TIMEOUT_MS, LINKS, recordingTemporal } from '../api/harness.ts';
import { useDatabase } from '../store/database.ts';
import { makePayment } from '../support/rows/payment.ts';

const database = await useDatabase('create_refund');

describe('createRefund', () => {
  it.each([
    ['creates nothing if the caller no longer waits', 0, []],
    ['creates the refund if the caller still waits', 4_300, [[12_500, 'dashboard']]],
  ])('%s', async (_, leftMs, expected) => {
    const { mongo } = database;
    const temporal = recordingTemporal(mongo);
    const payment = makePayment({ status: 'completed' });
    await mongo.payments.insertOne(payment);
    const request = {
      mongo,
      temporal,
      links: LINKS,
      bankTimeoutMs: BANK_TIMEOUT_MS,
      lifetime: { minMs: 0 },
      tenant: payment.m,
      initiatedBy: 'dashboard' as const,
      id: mintId('request'),
      key: undefined,
      canonical: '{}',
      now: new Date(),
      endsAtMs: Date.now() + leftMs,
    };
    const outcome = await createRefund(request, { payment_id: payment._id }).then(
      ({ isReplay }) => isReplay,
      ({ code }: { code: string }) => code,
    );
    expect(outcome).toBe(expected.length === 0 ? 'unavailable' : false);
    const stored = await mongo.refunds.find({ payment_id: payment._id }).toArray();
    expect(stored.map((refund) => [refund.amount, refund.initiated_by])).toEqual(expected);
    expect(temporal.started).toEqual(stored.map(({ _id }) => _id));
  });
});
