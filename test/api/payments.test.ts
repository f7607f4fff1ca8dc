import { describe, expect, it } from 'vitest';
import { mintId } from '../../store/mint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { PAYMENT, openStand } from './harness.ts';

const { mongo, temporal, tenant, api } = await openStand('payments');

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('POST /v1/payments', () => {
  it('returns 201 with the whole payment, stores it and starts its workflow', async () => {
    const fields = {
      amount: 1_999,
      currency: 'USD',
      return_url: 'https://shop.example/thanks?p={PAYMENT_ID}&o={ORDER_ID}&s={STATUS}',
      order_id: '4242424242424242',
      description: 'Two tickets, row 12',
      cancel_url: 'http://localhost:3000/basket',
      locale: 'ru',
      metadata: { color: 'red', 'a.b-c_d': '' },
      expires_at: inMs(DAY),
    };
    const reply = await api.send('POST', '/v1/payments', { body: fields });
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({
      ...fields,
      object: 'payment',
      status: 'created',
      amount_display: '19.99 USD',
      livemode: false,
      amount_refunded: 0,
      attempts_count: 0,
    });
    expect(reply.json.id).toMatch(/^pay_[0-9A-Z]{26}$/);
    expect(reply.json.checkout_url).toMatch(/^https:\/\/pay\.example\/c\/[\w-]{43}$/);
    expect(temporal.started).toContain(reply.json.id);
    const stored = await mongo.payments.findOne({ _id: reply.json.id });
    expect(stored).toMatchObject({ m: tenant.m, open: true, due_at: new Date(fields.expires_at) });
    const again = await api.send('GET', `/v1/payments/${reply.json.id}`);
    expect(again.text).toBe(reply.text);
  });

  it('fills in what is left out or null', async () => {
    const body = { ...PAYMENT, order_id: null, locale: null, metadata: null, expires_at: null };
    const { json } = await api.send('POST', '/v1/payments', { body });
    expect(json).toMatchObject({ order_id: null, locale: 'hy', metadata: {}, cancel_url: null });
    const lifetime = Date.parse(json.expires_at) - Date.parse(json.created_at);
    expect(lifetime).toBe(30 * MINUTE);
  });

  it.each([
    ['https://SHOP.example', 'https://shop.example/'],
    ['https://shop.example/a b', 'https://shop.example/a%20b'],
    ['https://shop.example/{PAYMENT_ID}', 'https://shop.example/%7BPAYMENT_ID%7D'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/'],
  ])('stores the URL %s as %s', async (given, stored) => {
    const body = { ...PAYMENT, return_url: given };
    const { json } = await api.send('POST', '/v1/payments', { body });
    expect(json.return_url).toBe(stored);
  });

  it.each([
    ['5 minutes, less the time in transit', 5 * MINUTE - 500],
    ['7 days', 7 * DAY],
  ])('accepts an expiry %s ahead', async (_, ms) => {
    const body = { ...PAYMENT, expires_at: inMs(ms) };
    const { status, json } = await api.send('POST', '/v1/payments', { body });
    expect([status, json.expires_at]).toEqual([201, body.expires_at]);
  });

  it('accepts an expiry in another time zone', async () => {
    const instant = new Date(Math.floor(Date.now() / 1000) * 1000 + DAY);
    const local = new Date(instant.getTime() + 4 * 60 * MINUTE).toISOString();
    const body = { ...PAYMENT, expires_at: local.replace('.000Z', '+04:00') };
    const { json } = await api.send('POST', '/v1/payments', { body });
    expect(json.expires_at).toBe(instant.toISOString());
  });

  it('returns the time of creation that the id contains', async () => {
    const { json } = await api.send('POST', '/v1/payments', { body: PAYMENT });
    const at = encodeURIComponent(json.created_at);
    const path = `/v1/payments?created_at[gte]=${at}&created_at[lte]=${at}`;
    const list = await api.send('GET', path);
    expect(list.json.data).toContainEqual(json);
  });
});

describe('GET /v1/payments/{id}', () => {
  it.each([
    ['an id that does not exist', mintId('payment')],
    ['an id of another kind', mintId('event')],
    ['no id', 'nonsense'],
    ['broken encoding', '%E0%A4%A'],
    ['an operator', '%7B%22$ne%22:1%7D'],
  ])('returns 404 for %s', async (_, id) => {
    const reply = await api.send('GET', `/v1/payments/${id}`);
    expect(reply.status).toBe(404);
    expect(reply.json.error.code).toBe('resource_missing');
  });

  it("returns 404 for another merchant's payment, the same as for an unknown one", async () => {
    const other = makePayment();
    await mongo.payments.insertOne(other);
    const theirs = await api.send('GET', `/v1/payments/${other._id}`);
    const none = await api.send('GET', `/v1/payments/${mintId('payment')}`);
    const { request_id: _a, ...first } = theirs.json.error;
    const { request_id: _b, ...second } = none.json.error;
    expect([theirs.status, first]).toEqual([none.status, second]);
  });

  it('returns the current payment', async () => {
    const row = makePayment({
      merchant_id: tenant.merchantId,
      m: tenant.m,
      status: 'completed',
      amount_refunded: 500,
    });
    await mongo.payments.insertOne(row);
    const { json } = await api.send('GET', `/v1/payments/${row._id}`);
    expect(json).toMatchObject({ status: 'completed', amount_refundable: 12_000 });
    expect(json).not.toHaveProperty('m');
  });

  it('responds to HEAD without a body', async () => {
    const { json } = await api.send('POST', '/v1/payments', { body: PAYMENT });
    const reply = await api.send('HEAD', `/v1/payments/${json.id}`);
    expect([reply.status, reply.text]).toEqual([200, '']);
  });
});
