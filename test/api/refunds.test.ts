import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { MAX_REFUNDS } from '../../domain/refund.ts';
import { mintId } from '../../store/mint.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { requestAtOnce } from '../support/retry.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { putPayment, openStand } from './harness.ts';

const stand = await openStand('refunds');

/** Inserts a paid payment of 12,500 AMD. */
const paid = async (overrides: Partial<Payment> = {}) =>
  putPayment(stand, { status: 'completed', ...overrides });
const refund = async (body: object, key?: string) =>
  stand.api.send('POST', '/v1/refunds', { body, ...(key === undefined ? {} : { key }) });
const read = async (path: string) => (await stand.api.send('GET', path)).json;
const countOf = async (payment: Payment) =>
  stand.mongo.refunds.countDocuments({ payment_id: payment._id });
const eventsOf = async (payment: Payment) =>
  stand.mongo.events.find({ payment_id: payment._id }).sort({ _id: 1 }).toArray();

describe('POST /v1/refunds refuses', () => {
  it.each([
    ['no payment_id', {}, 'parameter_missing', 'payment_id'],
    ['a malformed payment_id', { payment_id: 'pay_1' }, 'parameter_invalid', 'payment_id'],
    ['an amount of 0', { amount: 0 }, 'amount_too_small', 'amount'],
    ['a negative amount', { amount: -5 }, 'amount_too_small', 'amount'],
    ['a fraction of the minor unit', { amount: 12.5 }, 'parameter_invalid', 'amount'],
    ['a string as amount', { amount: '100' }, 'parameter_invalid', 'amount'],
    ['more than any payment may have', { amount: 100_000_000 }, 'amount_too_large', 'amount'],
    ['more than the refundable amount', { amount: 12_501 }, 'refund_too_large', 'amount'],
    ['an unknown reason', { reason: 'because' }, 'parameter_invalid', 'reason'],
    [
      'a card number',
      { description: 'to 4242 4242 4242 4242' },
      'card_number_refused',
      'description',
    ],
    [
      'a test outcome that does not exist',
      { metadata: { test_outcome: 'explode' } },
      'parameter_invalid',
      'metadata.test_outcome',
    ],
    ['an unknown field', { currency: 'AMD' }, 'parameter_unknown', 'currency'],
  ])('%s', async (_, body, code, param) => {
    const payment = await paid();
    const given = Object.keys(body).length > 0 ? { payment_id: payment._id, ...body } : body;
    const { status, json } = await refund(given);
    expect([status, json.error.code, json.error.param]).toEqual([400, code, param]);
    expect(await countOf(payment)).toBe(0);
    expect(await read(`/v1/payments/${payment._id}`)).toMatchObject({ amount_refundable: 12_500 });
  });

  it('a payment that does not exist', async () => {
    const { status, json } = await refund({ payment_id: mintId('payment') });
    const { code, param } = json.error;
    expect([status, code, param]).toEqual([404, 'resource_missing', 'payment_id']);
  });

  it.each(['created', 'processing', 'failed', 'canceled', 'expired'] as const)(
    'a payment that is %s',
    async (was) => {
      const payment = await putPayment(stand, { status: was });
      const { status, json } = await refund({ payment_id: payment._id });
      expect([status, json.error.code]).toEqual([409, 'payment_not_refundable']);
      expect(json.error.message).toContain(was);
    },
  );

  it('an expected_refundable that differs from the refundable amount', async () => {
    const payment = await paid();
    const body = { payment_id: payment._id, amount: 500, expected_refundable: 12_500 };
    expect((await refund(body)).status).toBe(201);
    const { status, json } = await refund(body);
    const { code, param, message } = json.error;
    expect([status, code, param]).toEqual([409, 'refundable_changed', 'expected_refundable']);
    expect(message).toContain('12000 (12,000 AMD)');
    expect(await countOf(payment)).toBe(1);
  });

  it('a payment whose whole amount is refunded or reserved', async () => {
    const payment = await paid();
    const first = await refund({ payment_id: payment._id });
    const again = await refund({ payment_id: payment._id, amount: 1 });
    expect([again.status, again.json.error.code]).toEqual([409, 'payment_already_refunded']);
    await stand.temporal.settleRefund(first.json.id);
    const late = await refund({ payment_id: payment._id });
    expect([late.status, late.json.error.code]).toEqual([409, 'payment_already_refunded']);
  });

  it('the 101st refund', async () => {
    const payment = await paid({ refunds: { pending: 0, count: MAX_REFUNDS } });
    const { status, json } = await refund({ payment_id: payment._id, amount: 1 });
    expect([status, json.error.code]).toEqual([409, 'payment_not_refundable']);
  });
});

describe('POST /v1/refunds', () => {
  it('reserves the amount and returns 201 with the pending refund', async () => {
    const payment = await paid();
    const metadata = { ticket: '77' };
    const body = { payment_id: payment._id, amount: 2_500, reason: 'duplicate', metadata };
    const { status, json } = await refund({ ...body, description: null });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...body,
      object: 'refund',
      currency: 'AMD',
      status: 'pending',
      description: null,
      failure_code: null,
      livemode: false,
      initiated_by: 'api',
      completed_at: null,
    });
    const after = await read(`/v1/payments/${payment._id}`);
    expect(after).toMatchObject({ amount_refunded: 0, amount_refundable: 10_000 });
    expect(stand.temporal.started).toContain(json.id);
    expect(await read(`/v1/refunds/${json.id}`)).toEqual(json);
  });

  it('creates many small refunds at once', async () => {
    const payment = await paid();
    const body = { payment_id: payment._id, amount: 100 };
    const replies = await requestAtOnce(40, async (n) => refund(body, `small-${n}`));
    for (const { status } of replies) expect(status).toBe(201);
    expect((await read(`/v1/payments/${payment._id}`)).amount_refundable).toBe(8_500);
  });

  it('without an amount refunds all that remains', async () => {
    const payment = await paid();
    await refund({ payment_id: payment._id, amount: 2_500 });
    expect((await refund({ payment_id: payment._id })).json.amount).toBe(10_000);
  });

  it('creates a delivery for each endpoint with refund events', async () => {
    const payment = await paid();
    const endpoint = makeEndpoint({ m: payment.m, enabled_events: ['refund.*'] });
    await stand.mongo.endpoints.insertOne(endpoint);
    const { json } = await refund({ payment_id: payment._id, amount: 7 }, `key-${payment._id}`);
    const [event] = await eventsOf(payment);
    expect(JSON.parse(event!.body)).toMatchObject({
      type: 'refund.created',
      data: { object: json },
      request: { idempotency_key: `key-${payment._id}` },
    });
    expect(await stand.mongo.deliveries.countDocuments({ event_id: event!._id })).toBe(1);
    await stand.mongo.endpoints.deleteMany({ _id: endpoint._id });
  });

  it('never reserves more than the amount for concurrent requests', async () => {
    const payment = await paid();
    const body = { payment_id: payment._id, amount: 4_000 };
    const replies = await requestAtOnce(8, async (n) => refund(body, `large-${n}`));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 201, 201, 400, 400, 400, 400, 400]);
    expect((await read(`/v1/payments/${payment._id}`)).amount_refundable).toBe(500);
    expect(await countOf(payment)).toBe(3);
  });
});

describe('POST /v1/refunds with an Idempotency-Key', () => {
  it('creates one refund for many concurrent requests, with the same response', async () => {
    const payment = await paid();
    const body = { payment_id: payment._id };
    const replies = await requestAtOnce(12, async () => refund(body, 'at-once'));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]!.status).toBe(201);
    const isFirst = ({ headers }: (typeof replies)[0]) => !headers.has('idempotent-replayed');
    // The first request may have got 503 from a busy database, and only its retry the refund.
    expect(replies.filter(isFirst).length).toBeLessThanOrEqual(1);
    expect(await countOf(payment)).toBe(1);
    expect(await eventsOf(payment)).toHaveLength(1);
  });

  it('returns the same bytes after the refund has changed', async () => {
    const payment = await paid();
    const first = await refund({ payment_id: payment._id }, 'moved-on');
    await stand.temporal.settleRefund(first.json.id);
    const again = await refund({ payment_id: payment._id }, 'moved-on');
    expect(again.text).toBe(first.text);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses another request with the same key, and names the difference', async () => {
    const payment = await paid();
    const body = { payment_id: payment._id, amount: 100, metadata: { a: 'b' } };
    await refund(body, 'another');
    const others = [
      ['amount', { ...body, amount: 101 }],
      ['metadata', { ...body, metadata: { a: 'c' } }],
      ['payment_id', { ...body, payment_id: (await paid())._id }],
      ['reason', { ...body, reason: 'other' }],
    ] as const;
    for (const [param, other] of others) {
      const { status, json } = await refund(other, 'another');
      expect([status, json.error.code, json.error.param]).toEqual([
        422,
        'idempotency_key_reused',
        param,
      ]);
    }
    expect(await countOf(payment)).toBe(1);
  });

  it('stores nothing about a refused request', async () => {
    const payment = await paid();
    expect((await refund({ payment_id: payment._id, amount: 12_501 }, 'again')).status).toBe(400);
    expect((await refund({ payment_id: payment._id, amount: 12_500 }, 'again')).status).toBe(201);
  });
});

describe('GET /v1/refunds', () => {
  it('lists by payment and by status, newest first', async () => {
    const payment = await paid();
    const made = [];
    for (const amount of [1, 2, 3]) {
      made.push((await refund({ payment_id: payment._id, amount })).json.id);
    }
    await stand.temporal.settleRefund(made[1]);
    const of = await read(`/v1/refunds?payment_id=${payment._id}`);
    expect(of.data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
    const pending = await read(`/v1/refunds?payment_id=${payment._id}&status=pending`);
    expect(pending.data.map(({ id }: { id: string }) => id)).toEqual([made[2], made[0]]);
    const completed = await read('/v1/refunds?status=completed,failed&limit=1');
    expect(completed.data[0]).toMatchObject({ id: made[1], status: 'completed' });
  });

  it('returns 404 for an unknown refund', async () => {
    const foreign = makeRefund();
    await stand.mongo.refunds.insertOne(foreign);
    for (const id of [foreign._id, mintId('refund'), 'ref_1', mintId('payment')]) {
      const { status, json } = await stand.api.send('GET', `/v1/refunds/${id}`);
      expect([status, json.error.code]).toEqual([404, 'resource_missing']);
    }
  });
});
