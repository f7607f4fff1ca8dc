import { beforeAll, describe, expect, it } from 'vitest';
import { Tollgate, TollgateApiError } from '../../sdk/index.ts';
import type { Payment } from '../../sdk/index.ts';
import { mintId } from '../../store/mint.ts';
import { PAYMENT, putPayment, openStand } from '../api/harness.ts';
import { errorOf } from './service.ts';

const stand = await openStand('sdk');
const client = new Tollgate({
  apiKey: stand.tenant.secret,
  baseUrl: stand.api.url,
  maxRetries: 0,
});

/** Returns the ids of all objects, in order. */
async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('payments', () => {
  it('creates, retrieves and decides a payment', async () => {
    const created = await client.payments.create({ ...PAYMENT, metadata: { basket: 'b-77' } });
    expect(created).toMatchObject({ ...PAYMENT, status: 'created', metadata: { basket: 'b-77' } });
    expect(await client.payments.retrieve(created.id)).toEqual(created);
    const decided = await client.test.outcome(created.id, 'approve');
    expect(decided).toMatchObject({ id: created.id, status: 'completed' });
    expect(await client.payments.retrieve(created.id)).toEqual(decided);
  });

  it('advances a payment to its expiry', async () => {
    const { id } = await client.payments.create(PAYMENT);
    expect(await client.test.advance(id, 'expiry')).toMatchObject({ id, status: 'expired' });
    const error = await errorOf(client.test.advance(id, 'bank_answer'));
    expect(error).toMatchObject({ status: 409, code: 'payment_state_invalid' });
  });

  it('creates one payment for one key, and refuses the key for another body', async () => {
    const options = { idempotencyKey: 'order-1001' };
    const first = await client.payments.create(PAYMENT, options);
    expect(await client.payments.create(PAYMENT, options)).toEqual(first);
    const other = await errorOf(client.payments.create({ ...PAYMENT, amount: 1_000 }, options));
    expect(other).toMatchObject({
      status: 422,
      type: 'idempotency',
      code: 'idempotency_key_reused',
      idempotencyKey: 'order-1001',
    });
    expect(await client.payments.create(PAYMENT)).not.toEqual(first);
  });

  it('changes a payment, and finds it by its metadata', async () => {
    const { id } = await client.payments.create({ ...PAYMENT, metadata: { basket: 'b-77' } });
    const metadata = { customer: '4711', basket: null };
    const changed = await client.payments.update(id, { description: 'Tea', metadata });
    expect(changed).toMatchObject({ description: 'Tea', metadata: { customer: '4711' } });
    expect(changed.metadata).not.toHaveProperty('basket');
    expect(await client.payments.retrieve(id)).toEqual(changed);
    expect(await idsOf(client.payments.list({ metadata: { customer: '4711' } }))).toEqual([id]);
    await client.test.outcome(id, 'approve');
    const error = await errorOf(client.payments.update(id, { description: null }));
    expect(error).toMatchObject({ status: 409, code: 'payment_state_invalid' });
  });

  it('cancels a payment, with a reason or without one', async () => {
    const [first, second] = [
      await client.payments.create(PAYMENT),
      await client.payments.create(PAYMENT),
    ];
    const canceled = await client.payments.cancel(first.id, { reason: 'Sold out' });
    expect(canceled).toMatchObject({
      status: 'canceled',
      cancellation: { by: 'merchant', reason: 'Sold out' },
    });
    expect((await client.payments.cancel(second.id)).cancellation?.reason).toBeNull();
    const paid = await client.payments.create(PAYMENT);
    await client.test.outcome(paid.id, 'approve');
    const error = await errorOf(client.payments.cancel(paid.id));
    expect(error).toMatchObject({ status: 409, code: 'payment_state_invalid' });
  });

  it('throws every fault of a refused payment', async () => {
    const wrong = { ...PAYMENT, amount: 0, return_url: 'shop' };
    const error = await errorOf(client.payments.create(wrong));
    expect(error).toBeInstanceOf(TollgateApiError);
    const { errors, requestId, docUrl, code, param } = error as TollgateApiError;
    expect(new Set(errors.map((each) => each.param))).toEqual(new Set(['amount', 'return_url']));
    expect([code, param]).toEqual([errors[0]?.code, errors[0]?.param]);
    expect(requestId).toMatch(/^req_/);
    expect(docUrl).toContain(`/docs#${code}`);
  });

  it('throws resource_missing for an unknown id, and api_key_invalid for an unknown key', async () => {
    const missing = await errorOf(client.payments.retrieve(mintId('payment')));
    expect(missing).toMatchObject({ status: 404, code: 'resource_missing', idempotencyKey: null });
    const apiKey = stand.tenant.secret.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    const stranger = new Tollgate({ apiKey, baseUrl: stand.api.url });
    expect(await errorOf(stranger.payments.list())).toMatchObject({ code: 'api_key_invalid' });
  });
});

describe('payments.list', () => {
  let ids: string[] = [];
  const order = { order_id: 'order-list' };
  beforeAll(async () => {
    const rows = [];
    for (let n = 0; n < 7; n += 1) {
      rows.push(await putPayment(stand, { ...order, status: n === 3 ? 'failed' : 'completed' }));
    }
    ids = rows.map((row) => row._id).toSorted();
  });

  it('returns one page when awaited', async () => {
    const page = await client.payments.list({ ...order, limit: 2 });
    expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/payments' });
    expect(page.data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 2));
  });

  it('yields every payment once when iterated over, newest first', async () => {
    expect(await idsOf(client.payments.list({ ...order, limit: 3 }))).toEqual(ids.toReversed());
    expect(await idsOf(client.payments.list({ ...order, limit: 7 }))).toEqual(ids.toReversed());
    expect(await idsOf(client.payments.list(order))).toEqual(ids.toReversed());
  });

  it('continues from a cursor in either direction', async () => {
    const middle = ids[3]!;
    const before = client.payments.list({ ...order, limit: 1, starting_after: middle });
    expect(await idsOf(before)).toEqual(ids.slice(0, 3).toReversed());
    const after = client.payments.list({ ...order, limit: 2, ending_before: ids[0]! });
    expect(await idsOf(after)).toEqual(ids.slice(1));
  });

  it('filters by several statuses and by times', async () => {
    const failed = client.payments.list({ ...order, status: ['failed', 'expired'] });
    expect(await idsOf(failed)).toHaveLength(1);
    const later = { gte: new Date(Date.now() + 60_000) };
    expect(await idsOf(client.payments.list({ created_at: later }))).toEqual([]);
    const past = { gt: '2020-01-01T00:00:00+04:00', lt: undefined };
    expect(await idsOf(client.payments.list({ ...order, created_at: past }))).toHaveLength(7);
  });

  it('throws a refusal, awaited or iterated over', async () => {
    const wrong = client.payments.list({ limit: 101 });
    expect(await errorOf(wrong)).toMatchObject({ code: 'limit_out_of_range' });
    expect(await errorOf(idsOf(wrong))).toMatchObject({ code: 'limit_out_of_range' });
    const invalid = client.payments.list({ created_at: { gt: new Date(Number.NaN) } });
    expect(await errorOf(invalid)).toMatchObject({ name: 'TollgateUsageError' });
  });
});

describe('events, webhookEndpoints and currencies', () => {
  it('lists and retrieves typed events', async () => {
    const { id } = await client.payments.create(PAYMENT);
    await client.test.outcome(id, 'card_declined');
    await client.test.outcome(id, 'approve');
    const types: string[] = [];
    for await (const event of client.events.list({ payment_id: id, limit: 1 })) {
      if (event.type === 'payment.completed') {
        const payment: Payment = event.data.object;
        expect(payment).toMatchObject({ id, status: 'completed' });
        expect(await client.events.retrieve(event.id)).toEqual(event);
      }
      types.push(event.type);
    }
    expect(types).toEqual(['payment.completed', 'payment.attempt_failed']);
    const some = await client.events.list({ type: ['payment.*', 'refund.created'] });
    expect(some.data.length).toBeGreaterThan(0);
  });

  it('lists endpoints and currencies', async () => {
    expect((await client.webhookEndpoints.list()).data).toEqual([]);
    const none = await errorOf(client.webhookEndpoints.retrieve(mintId('endpoint')));
    expect(none).toMatchObject({ code: 'resource_missing' });
    const codes: string[] = [];
    for await (const { code } of client.currencies.list()) codes.push(code);
    expect(codes).toContain('AMD');
  });
});
