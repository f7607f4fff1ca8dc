import { afterAll, describe, expect, it } from 'vitest';
import { PAYMENT, makeTenant, serveApi, openStand } from './harness.ts';
import type { RunningApi } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const { mongo, temporal, tenant, api } = await openStand('idempotency');
const twin = closeAfterTests(await serveApi(tenant, { mongo, temporal }));

afterAll(async () => {
  await Promise.all([api.close(), twin.close()]);
});

const create = async (key: string, fields: object = {}, by: RunningApi = api) =>
  by.send('POST', '/v1/payments', { body: { ...PAYMENT, ...fields }, key });

describe('Idempotency-Key', () => {
  it.each([
    ['without characters', ''],
    ['with a space', 'a b'],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a letter outside ASCII', 'clé'],
    ['with a tab', 'a\tb'],
  ])('%s is refused', async (_, key) => {
    const reply = await create(key);
    expect(reply.status).toBe(400);
    expect(reply.json.error.code).toBe('idempotency_key_invalid');
  });

  it('with a card number in groups is refused, and plain digits are accepted', async () => {
    for (const key of ['4242-4242-4242-4242', 'order/4242_4242_4242_4242']) {
      const reply = await create(key);
      expect([reply.status, reply.json.error.code]).toEqual([400, 'card_number_refused']);
      expect(reply.text).not.toContain('4242');
    }
    expect((await create('4242424242424242')).status).toBe(201);
    expect((await create('order-4242424242424242')).status).toBe(201);
  });

  it('matches a request in the form that earlier versions stored', async () => {
    const first = await create('stored', { metadata: { b: '2', a: '1' } });
    const { idem } = (await mongo.payments.findOne({ _id: first.json.id })) ?? {};
    expect(idem?.request).toBe(
      '{"amount":12500,"currency":"AMD","metadata":{"a":"1","b":"2"},"return_url":"https://shop.example/thanks"}',
    );
    expect((await create('stored', { metadata: { a: '1', b: '2' } })).text).toBe(first.text);
  });

  it.each([
    ['amount', { amount: 12_501 }],
    ['currency', { currency: 'RUB' }],
    ['metadata', { metadata: { a: 'b' } }],
    ['order_id', { order_id: 'other' }],
  ])('with another %s is refused, and names it', async (param, fields) => {
    const key = `conflict-${param}`;
    await create(key);
    const reply = await create(key, fields);
    expect(reply.status).toBe(422);
    expect(reply.json.error).toMatchObject({
      type: 'idempotency',
      code: 'idempotency_key_reused',
      param,
    });
  });

  it('may have 255 characters', async () => {
    expect((await create('~'.repeat(255))).status).toBe(201);
  });

  it('returns the same bytes for the same request, and creates nothing', async () => {
    const first = await create('same', { metadata: { a: '1', b: '2' } });
    const started = temporal.started.length;
    const raw = JSON.stringify({ metadata: { b: '2', a: '1' }, locale: null, ...PAYMENT }, null, 2);
    const again = await twin.send('POST', '/v1/payments', { raw, key: 'same' });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(temporal.started).toHaveLength(started);
  });

  it('returns the first response even if the payment has changed', async () => {
    const first = await create('moved');
    const { id } = first.json;
    await mongo.payments.updateOne({ _id: id }, { $set: { status: 'expired' } });
    expect((await create('moved')).text).toBe(first.text);
  });

  it('returns the first response even if expires_at has passed', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const first = await create('over', { expires_at });
    // As if the first request had been sent two hours ago.
    const past = new Date(Date.now() - 3_600_000).toISOString();
    const { idem } = (await mongo.payments.findOne({ _id: first.json.id })) ?? {};
    const request = idem?.request.replace(expires_at, past) ?? '';
    await mongo.payments.updateOne({ _id: first.json.id }, { $set: { 'idem.request': request } });
    const again = await create('over', { expires_at: past });
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await create('fresh', { expires_at: past });
    expect(other.json.error.code).toBe('parameter_invalid');
  });

  it('of one merchant is unknown to another', async () => {
    const mine = await create('ours');
    const theirs = await create('ours', { amount: 999 }, api.as(await makeTenant(mongo)));
    expect(theirs.status).toBe(201);
    expect(theirs.json.id).not.toBe(mine.json.id);
  });

  it('is not used up by a refusal', async () => {
    expect((await create('free', { amount: 1 })).status).toBe(400);
    expect((await create('free', { amount: 100 })).status).toBe(201);
  });

  it('creates one payment for 50 concurrent requests on two servers, with one response', async () => {
    const started = temporal.started.length;
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        create('crowd', { order_id: 'crowd' }, index % 2 === 0 ? api : twin),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(await mongo.payments.countDocuments({ order_id: 'crowd' })).toBe(1);
    expect(temporal.started).toHaveLength(started + 1);
  });
});
