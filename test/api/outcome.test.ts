import { describe, expect, it } from 'vitest';
import { HARD_CODES, SANDBOX_OUTCOMES, sandboxDecision } from '../../domain/bank.ts';
import type { Payment, PaymentStatus } from '../../domain/payment.ts';
import { giveUp } from '../../store/attempts.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { requestAtOnce } from '../support/retry.ts';
import { makeAttempt, makePayment, makeTransfer } from '../support/rows/payment.ts';
import { makeTenant, openStand, putPayment } from './harness.ts';

const { mongo, temporal, tenant, api } = await openStand('outcome');

const put = async (overrides: Partial<Payment> = {}) => putPayment({ mongo, tenant }, overrides);

const decide = async (id: string, outcome: unknown, key?: string) =>
  api.send('POST', `/v1/test/payments/${id}/outcome`, {
    body: { outcome },
    ...(key === undefined ? {} : { key }),
  });

describe('POST /v1/test/payments/{id}/outcome refuses', () => {
  it.each([['approved'], [''], [5], [undefined], ['authentication_failed'], ['__proto__']])(
    'the outcome %p',
    async (outcome) => {
      const reply = await decide((await put())._id, outcome);
      expect(reply.status).toBe(400);
      expect(reply.json.error.param).toBe('outcome');
    },
  );

  it('live keys', async () => {
    const live = api.as(await makeTenant(mongo, 'live'));
    const { _id } = await put();
    const path = `/v1/test/payments/${_id}/outcome`;
    const reply = await live.send('POST', path, { body: { outcome: 'approve' } });
    expect([reply.status, reply.json.error.code]).toEqual([403, 'live_mode_unavailable']);
  });

  it("another merchant's payment", async () => {
    const other = makePayment();
    await mongo.payments.insertOne(other);
    expect((await decide(other._id, 'approve')).status).toBe(404);
  });

  it.each<PaymentStatus>(['completed', 'failed', 'canceled', 'expired'])(
    'a payment that is %s',
    async (status) => {
      const { _id } = await put({ status });
      for (const outcome of ['approve', 'turn_back', 'expire']) {
        const reply = await decide(_id, outcome);
        expect([reply.status, reply.json.error.code]).toEqual([409, 'payment_state_invalid']);
      }
      expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(0);
    },
  );

  it('what can only happen to a card, while a transfer is awaited', async () => {
    const { _id } = await put({ status: 'processing', attempts: [makeTransfer()] });
    for (const outcome of ['insufficient_funds', 'approve_3ds', 'decline_after_30s']) {
      const reply = await decide(_id, outcome);
      expect([reply.status, reply.json.error.code]).toEqual([409, 'payment_state_invalid']);
      expect(reply.json.error.message).toContain('approve_after_30s');
    }
    expect((await mongo.payments.findOne({ _id }))?.attempts[0]?.bank).toBeNull();
  });

  it('a payment that the bank has already decided', async () => {
    const bank = sandboxDecision('approve_after_30s', new Date());
    const { _id } = await put({ status: 'processing', attempts: [makeAttempt({ bank })] });
    for (const outcome of ['approve', 'turn_back', 'expire']) {
      expect((await decide(_id, outcome)).status).toBe(409);
    }
  });

  it('a payment whose time is over', async () => {
    const { _id } = await put({ expires_at: new Date(Date.now() - 1) });
    expect((await decide(_id, 'approve')).status).toBe(409);
  });
});

describe('POST /v1/test/payments/{id}/outcome', () => {
  const declines = ['insufficient_funds', 'card_declined', 'expired_card', 'incorrect_cvc'];
  const settled: [string, PaymentStatus, string | null][] = [
    ['approve', 'completed', null],
    ['approve_3ds', 'completed', null],
    ...declines.map((code): [string, PaymentStatus, string] => [code, 'created', code]),
    ['limit_exceeded', 'created', 'limit_exceeded'],
    ['issuer_unavailable', 'created', 'issuer_unavailable'],
    ...HARD_CODES.map((code): [string, PaymentStatus, string] => [code, 'failed', code]),
    ['approve_after_5s', 'processing', null],
    ['approve_after_30s', 'processing', null],
    ['decline_after_30s', 'processing', null],
    ['approve_after_timeout', 'processing', null],
    ['never_answer', 'processing', null],
  ];

  it.each(settled)('%s leaves the payment %s', async (outcome, status, code) => {
    const reply = await decide((await put())._id, outcome);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      status,
      payment_method: { type: 'card', card: { brand: 'visa', last4: '4242' } },
      last_attempt: { failure_code: code },
    });
  });

  it('knows every outcome of the sandbox bank', () => {
    expect(settled.map(([name]) => name).toSorted()).toEqual(
      Object.keys(SANDBOX_OUTCOMES).toSorted(),
    );
  });

  it('turn_back leaves the payment created, and does not count the attempt', async () => {
    const { _id } = await put();
    await decide(_id, 'turn_back');
    const reply = await decide(_id, 'turn_back');
    expect(reply.json).toMatchObject({
      status: 'created',
      attempts_count: 0,
      last_attempt: { status: 'turned_back' },
    });
  });

  it('expire ends its lifetime', async () => {
    const reply = await decide((await put())._id, 'expire');
    expect([reply.status, reply.json.status]).toEqual([200, 'expired']);
  });

  it('decides on the attempt that is at the bank', async () => {
    const { _id } = await put({ status: 'processing', attempts: [makeAttempt()] });
    const reply = await decide(_id, 'approve');
    expect(reply.json).toMatchObject({ status: 'completed', attempts_count: 1 });
  });

  it('lets an awaited transfer arrive, which then can be refunded', async () => {
    const { _id } = await put({ status: 'processing', attempts: [makeTransfer()] });
    const reply = await decide(_id, 'approve');
    const method = { type: 'bank_transfer', bank_transfer: { reference: 'TG-7K3M-9P2A' } };
    expect(reply.json).toMatchObject({ status: 'completed', payment_method: method });
    const refund = await api.send('POST', '/v1/refunds', { body: { payment_id: _id } });
    expect([refund.status, refund.json.amount]).toEqual([201, 12_500]);
    const { json } = await api.send('GET', '/v1/payments?status=completed');
    const listed = json.data.find(({ id }: { id: string }) => id === _id);
    expect(listed.payment_method).toEqual(method);
  });

  it('does not ask the workflow if the bank stays silent', async () => {
    const { _id } = await put();
    const asked = temporal.asked.length;
    await decide(_id, 'never_answer');
    expect(temporal.asked).toHaveLength(asked);
  });

  it('fails the payment with the fifth decline', async () => {
    const { _id } = await put();
    for (let i = 0; i < 4; i += 1) await decide(_id, 'card_declined');
    const reply = await decide(_id, 'card_declined');
    expect(reply.json).toMatchObject({ status: 'failed', attempts_count: 5 });
    expect((await decide(_id, 'approve')).status).toBe(409);
  });

  it('returns the same bytes for a repeated key, and does nothing more', async () => {
    const { _id } = await put();
    const first = await decide(_id, 'card_declined', 'same');
    const again = await decide(_id, 'card_declined', 'same');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await decide(_id, 'approve', 'same')).status).toBe(422);
  });

  it.each([
    ['before the sweep', async () => undefined],
    ['while the sweep cancels the attempt', async (left) => giveUp(mongo, left, new Date())],
    ['after it', async (left) => temporal.askPayment(left, { kind: 'look' }, 'req_sweep')],
  ] satisfies [string, (left: Payment) => Promise<unknown>][])(
    'turn_back after a 503 leaves one attempt, %s',
    async (_, act) => {
      const { _id } = await put();
      temporal.fault = new TemporalUnavailable('away');
      expect((await decide(_id, 'turn_back', 'retry')).status).toBe(503);
      const left = (await mongo.payments.findOne({ _id }))!;
      expect(left).toMatchObject({ status: 'processing', attempts: [{ status: 'pending' }] });
      await act(left);
      const reply = await decide(_id, 'turn_back', 'retry');
      expect([reply.status, reply.json.status]).toEqual([200, 'created']);
      expect(reply.json.last_attempt).toMatchObject({ id: left.attempts[0]!.id });
    },
  );

  it.each(['approve', 'card_declined', 'expire'])(
    'of %s after a 503 has one effect',
    async (outcome) => {
      const { _id } = await put();
      temporal.fault = new TemporalUnavailable('away');
      expect((await decide(_id, outcome, 'retry')).status).toBe(503);
      const reply = await decide(_id, outcome, 'retry');
      expect(reply.status).toBe(200);
      expect(reply.json.attempts_count).toBe(outcome === 'expire' ? 0 : 1);
      expect(await mongo.events.countDocuments({ payment_id: _id })).toBe(1);
      const event = await mongo.events.findOne({ payment_id: _id });
      expect(JSON.parse(event?.body ?? '').request.idempotency_key).toBe('retry');
    },
  );

  it('has one effect for 20 requests at once', async () => {
    const { _id } = await put();
    const replies = await requestAtOnce(20, async () => decide(_id, 'approve', 'crowd'));
    const won = replies.filter(({ status }) => status === 200);
    expect(new Set(won.map(({ text }) => text)).size).toBe(1);
    expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    expect(await mongo.events.countDocuments({ payment_id: _id })).toBe(1);
  });
});
