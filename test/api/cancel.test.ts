import { describe, expect, it } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Payment, PaymentStatus } from '../../domain/payment.ts';
import { mintId } from '../../store/mint.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { requestAtOnce } from '../support/retry.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { BANK_TIMEOUT_MS, openStand, putPayment } from './harness.ts';

const { mongo, temporal, tenant, api } = await openStand('cancel');

const put = async (overrides: Partial<Payment> = {}) => putPayment({ mongo, tenant }, overrides);

const cancel = async (id: string, sent: { body?: object; key?: string } = {}) =>
  api.send('POST', `/v1/payments/${id}/cancel`, sent);

describe('POST /v1/payments/{id}/cancel', () => {
  it.each([
    [{ reason: 'r'.repeat(256) }, 'parameter_invalid', 'reason'],
    [{ reason: 5 }, 'parameter_invalid', 'reason'],
    [{ because: 'x' }, 'parameter_unknown', 'because'],
    [{ reason: 'card 4242 4242 4242 4242' }, 'card_number_refused', 'reason'],
  ])('refuses %j', async (body, code, param) => {
    const { _id } = await put();
    const reply = await cancel(_id, { body });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({ code, param });
  });

  it("returns 404 for another merchant's payment", async () => {
    const other = makePayment();
    await mongo.payments.insertOne(other);
    expect((await cancel(other._id)).status).toBe(404);
    expect((await cancel(mintId('payment'))).status).toBe(404);
  });

  it.each<PaymentStatus>(['completed', 'failed', 'expired', 'processing'])(
    'refuses a payment that is %s, without asking its workflow',
    async (status) => {
      const { _id } = await put({ status, attempts: [makeAttempt()] });
      const asked = temporal.asked.length;
      const reply = await cancel(_id, { key: 'refused' });
      expect(reply.status).toBe(409);
      const advice = status === 'completed' ? ' Refund it with POST /v1/refunds.' : '';
      expect(reply.json.error).toMatchObject({
        type: 'conflict',
        code: 'payment_state_invalid',
        message: `The payment is ${status} and cannot be canceled.${advice}`,
      });
      expect(temporal.asked).toHaveLength(asked);
      expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(0);
    },
  );

  it('refuses a payment whose customer went to the bank meanwhile, and stores nothing', async () => {
    const payment = await put();
    const honest = temporal.askPayment.bind(temporal);
    temporal.askPayment = async (...args) => {
      temporal.askPayment = honest;
      const attempts = [makeAttempt()];
      await mongo.payments.updateOne(
        { _id: payment._id },
        { $set: { status: 'processing', attempts } },
      );
      return honest(...args);
    };
    const reply = await cancel(payment._id, { key: 'late' });
    expect(reply.status).toBe(409);
    expect(await mongo.requests.countDocuments({ payment_id: payment._id })).toBe(0);
  });

  it('returns 503 without the workflow, and the retry has one effect', async () => {
    const { _id } = await put();
    temporal.fault = new TemporalUnavailable('away');
    const first = await cancel(_id, { key: 'retry', body: { reason: 'changed my mind' } });
    expect(first.status).toBe(503);
    expect(first.headers.get('retry-after')).toBe('1');
    const second = await cancel(_id, { key: 'retry', body: { reason: 'changed my mind' } });
    expect(second.status).toBe(200);
    const [one, two] = temporal.asked.slice(-2);
    expect(one?.id).toBe(two?.id);
    expect(await mongo.events.countDocuments({ payment_id: _id })).toBe(1);
  });

  it('cancels, and records the request and the reason in the event', async () => {
    const { _id } = await put();
    const reply = await cancel(_id, { key: 'why', body: { reason: 'out of stock' } });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      id: _id,
      status: 'canceled',
      cancellation: { by: 'merchant', reason: 'out of stock' },
    });
    const event = await mongo.events.findOne({ payment_id: _id });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'payment.canceled',
      data: { object: reply.json },
      request: { id: reply.headers.get('request-id'), idempotency_key: 'why' },
    });
  });

  it('accepts an empty body and null', async () => {
    expect((await cancel((await put())._id)).status).toBe(200);
    const reply = await cancel((await put())._id, { body: { reason: null } });
    expect(reply.json.cancellation).toEqual({ by: 'merchant', reason: null });
  });

  it('returns 200 with the same payment if it is already canceled', async () => {
    const { _id } = await put();
    const first = await cancel(_id);
    const asked = temporal.asked.length;
    const second = await cancel(_id, { body: { reason: 'again' } });
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(temporal.asked).toHaveLength(asked);
  });

  it('returns the same bytes for a repeated key, and 422 for another body', async () => {
    const { _id } = await put();
    const first = await cancel(_id, { key: 'bytes', body: { reason: 'a' } });
    const second = await cancel(_id, { key: 'bytes', body: { reason: 'a' } });
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const third = await cancel(_id, { key: 'bytes', body: { reason: 'b' } });
    expect(third.json.error).toMatchObject({ code: 'idempotency_key_reused', param: 'reason' });
  });

  it('has one effect for 20 requests at once', async () => {
    const { _id } = await put();
    const replies = await requestAtOnce(20, async () => cancel(_id, { key: 'crowd' }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await mongo.events.countDocuments({ payment_id: _id })).toBe(1);
    expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(1);
  });

  it('cancels a payment after the time limit of its bank', async () => {
    const opened = new Date(Date.now() - BANK_TIMEOUT_MS - 1_000);
    const bank = sandboxDecision('never_answer', opened);
    const attempts = [makeAttempt({ opened_at: opened, bank })];
    const { _id } = await put({ status: 'processing', attempts });
    const reply = await cancel(_id);
    expect(reply.json).toMatchObject({
      status: 'canceled',
      last_attempt: { failure_code: 'bank_timeout' },
    });
  });
});
