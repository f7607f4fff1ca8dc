/** The time machine of test mode, with a Temporal that settles at once. */
import { describe, expect, it } from 'vitest';
import { ADVANCES } from '../../domain/advance.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Payment, PaymentStatus } from '../../domain/payment.ts';
import { mintId } from '../../store/mint.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { requestAtOnce } from '../support/retry.ts';
import { makeDelivery, makeEvent } from '../support/rows/endpoint.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { makeTenant, openStand, putPayment } from './harness.ts';

const { mongo, temporal, tenant, api } = await openStand('advance');

const HOUR_MS = 3_600_000;
const put = async (overrides: Partial<Payment> = {}) => putPayment({ mongo, tenant }, overrides);
const read = async (id: string) => (await mongo.payments.findOne({ _id: id }))!;

const advance = async (id: string, to: unknown, key?: string) =>
  api.send('POST', `/v1/test/payments/${id}/advance`, {
    body: { to },
    ...(key === undefined ? {} : { key }),
  });

const decide = async (id: string, outcome: string) =>
  api.send('POST', `/v1/test/payments/${id}/outcome`, { body: { outcome } });

const typesOf = async (id: string) =>
  (await mongo.events.find({ payment_id: id }).sort({ _id: 1 }).toArray()).map(({ type }) => type);

/** Stores a delivery about the payment whose next attempt is an hour away. */
async function putDelivery({ _id, m }: Payment, over: Partial<Delivery> = {}): Promise<Delivery> {
  const event = makeEvent({ m, payment_id: _id });
  const next_attempt_at = new Date(Date.now() + HOUR_MS);
  const ids = { m, event_id: event._id, endpoint_id: mintId('endpoint') };
  const row = makeDelivery({ ...ids, next_attempt_at, ...over });
  await mongo.events.insertOne(event);
  await mongo.deliveries.insertOne(row);
  return row;
}

const rowOf = async ({ _id }: Delivery) => (await mongo.deliveries.findOne({ _id }))!;
const ATTEMPT = {
  number: 1,
  at: new Date(),
  duration_ms: 1,
  status: 500,
  error: 'status',
} as const;

describe('POST /v1/test/payments/{id}/advance refuses', () => {
  it.each([['expire'], [''], [5], [undefined], ['__proto__']])('the time %p', async (to) => {
    const reply = await advance((await put())._id, to);
    expect([reply.status, reply.json.error.param]).toEqual([400, 'to']);
  });

  it('live keys', async () => {
    const live = api.as(await makeTenant(mongo, 'live'));
    const path = `/v1/test/payments/${(await put())._id}/advance`;
    const reply = await live.send('POST', path, { body: { to: 'expiry' } });
    expect([reply.status, reply.json.error.code]).toEqual([403, 'live_mode_unavailable']);
  });

  it("another merchant's payment", async () => {
    const other = makePayment();
    await mongo.payments.insertOne(other);
    for (const to of ADVANCES) expect((await advance(other._id, to)).status).toBe(404);
    expect(await read(other._id)).toEqual(other);
  });

  it.each<PaymentStatus>(['completed', 'failed', 'canceled', 'expired'])(
    'a payment that is %s and waits for nothing',
    async (status) => {
      const { _id } = await put({ status });
      for (const to of ADVANCES) {
        for (const key of [undefined, `${to}-key`]) {
          const reply = await advance(_id, to, key);
          expect([reply.status, reply.json.error.code]).toEqual([409, 'payment_state_invalid']);
        }
      }
      expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(0);
    },
  );
});

describe('expiry', () => {
  it('ends the lifetime now, and changes no other time', async () => {
    const before = await put();
    const reply = await advance(before._id, 'expiry');
    expect([reply.status, reply.json.status]).toEqual([200, 'expired']);
    expect(reply.json.expires_at).toBe(reply.json.expired_at);
    expect(reply.json.created_at).toBe(before.created_at.toISOString());
    expect(await typesOf(before._id)).toEqual(['payment.expired']);
  });

  it('leaves a payment at the bank, which then expires if the bank declines', async () => {
    const { _id } = await put({ status: 'processing', attempts: [makeAttempt()] });
    const reply = await advance(_id, 'expiry');
    expect([reply.status, reply.json.status]).toEqual([200, 'processing']);
    expect(Date.parse(reply.json.expires_at)).toBeLessThanOrEqual(Date.now());
    expect((await advance(_id, 'expiry')).status).toBe(409);
    expect((await decide(_id, 'card_declined')).json.status).toBe('expired');
    expect(await typesOf(_id)).toEqual(['payment.expired']);
  });

  it('lets a payment at the bank complete if the bank approves', async () => {
    const { _id } = await put({ status: 'processing', attempts: [makeAttempt()] });
    await advance(_id, 'expiry');
    expect((await decide(_id, 'approve')).json.status).toBe('completed');
  });
});

describe('bank_answer', () => {
  it.each([
    ['approve_after_30s', 'completed', 'payment.completed'],
    ['decline_after_30s', 'created', 'payment.attempt_failed'],
    ['never_answer', 'created', 'payment.attempt_failed'],
    ['approve_after_timeout', 'created', 'payment.attempt_failed'],
  ])('of %s leaves the payment %s', async (outcome, status, type) => {
    const { _id } = await put();
    expect((await decide(_id, outcome)).json.status).toBe('processing');
    const reply = await advance(_id, 'bank_answer');
    expect([reply.status, reply.json.status]).toEqual([200, status]);
    expect(await typesOf(_id)).toEqual([type]);
  });

  it('reverses an approval that comes after the time limit', async () => {
    const { _id } = await put();
    await decide(_id, 'approve_after_timeout');
    await advance(_id, 'bank_answer');
    expect((await read(_id)).attempts).toMatchObject([{ status: 'declined' }]);
    const reply = await advance(_id, 'bank_answer');
    expect(reply.status).toBe(200);
    expect((await read(_id)).attempts).toMatchObject([{ status: 'reversed' }]);
    expect((await advance(_id, 'bank_answer')).status).toBe(409);
  });

  it('ends the visit of a customer who chose nothing', async () => {
    const { _id } = await put({ status: 'processing', attempts: [makeAttempt()] });
    const reply = await advance(_id, 'bank_answer');
    expect(reply.json.last_attempt).toMatchObject({ failure_code: 'bank_timeout' });
  });

  it('has one effect for a key, even if Temporal is away at the first try', async () => {
    const { _id } = await put();
    await decide(_id, 'approve_after_timeout');
    temporal.fault = new TemporalUnavailable('away');
    expect((await advance(_id, 'bank_answer', 'again')).status).toBe(503);
    // The sweep finds the payment, because it is due.
    await temporal.askPayment(await read(_id), { kind: 'look' }, 'req_sweep');
    const reply = await advance(_id, 'bank_answer', 'again');
    expect([reply.status, reply.json.status]).toEqual([200, 'created']);
    // A second effect would have been the reversal of the late approval.
    expect((await read(_id)).attempts).toMatchObject([{ status: 'declined' }]);
  });

  it('has one effect for 20 requests at once', async () => {
    const { _id } = await put();
    await decide(_id, 'approve_after_30s');
    const replies = await requestAtOnce(20, async () => advance(_id, 'bank_answer', 'crowd'));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await typesOf(_id)).toEqual(['payment.completed']);
  });
});

describe('next_webhook_attempt', () => {
  it('makes every pending delivery of the payment due, and no other', async () => {
    const payment = await put({ status: 'completed' });
    const [one, two] = [await putDelivery(payment), await putDelivery(payment)];
    const sent = await putDelivery(payment, { state: 'succeeded', next_attempt_at: null });
    const other = await putDelivery(await put({ status: 'completed' }));
    const reply = await advance(payment._id, 'next_webhook_attempt');
    expect([reply.status, reply.json.id]).toEqual([200, payment._id]);
    for (const row of [one, two]) {
      const { next_attempt_at, hastened } = await rowOf(row);
      expect(next_attempt_at!.getTime()).toBeLessThanOrEqual(Date.now());
      expect(hastened).toMatchObject({ number: 1 });
    }
    for (const row of [sent, other]) expect(await rowOf(row)).toEqual(row);
    expect(temporal.hastened.slice(-2).toSorted()).toEqual([one._id, two._id].toSorted());
  });

  it('makes one attempt for a key, even if the first try did not finish', async () => {
    const payment = await put({ status: 'completed' });
    const row = await putDelivery(payment);
    const path = [payment._id, 'next_webhook_attempt', 'one'] as const;
    expect((await advance(...path)).status).toBe(200);
    // The first try made its attempt, and died before it stored its response.
    await mongo.requests.updateOne({ payment_id: payment._id }, { $unset: { response: '' } });
    const later = new Date(Date.now() + HOUR_MS);
    await mongo.deliveries.updateOne(
      { _id: row._id },
      { $set: { next_attempt_at: later, attempts: [ATTEMPT] } },
    );
    const calls = temporal.hastened.length;
    expect((await advance(...path)).status).toBe(200);
    expect((await rowOf(row)).next_attempt_at).toEqual(later);
    expect(temporal.hastened).toHaveLength(calls);
  });

  it('makes one attempt for each request without a key', async () => {
    const payment = await put({ status: 'completed' });
    const row = await putDelivery(payment);
    await advance(payment._id, 'next_webhook_attempt');
    await mongo.deliveries.updateOne(
      { _id: row._id },
      { $set: { next_attempt_at: new Date(Date.now() + HOUR_MS), attempts: [ATTEMPT] } },
    );
    await advance(payment._id, 'next_webhook_attempt');
    expect((await rowOf(row)).hastened).toMatchObject({ number: 2 });
  });
});
