import { describe, expect, it } from 'vitest';
import { readSearch } from '../../domain/search.ts';
import { searchPayments } from '../../store/search.ts';
import { entriesAbout } from '../support/audit.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { openUpdates } from './updateground.ts';

const { mongo, temporal, tenant, api, put, update, read } = await openUpdates('update');

/** Returns the payments that the dashboard's search finds, and those that the list returns. */
const find = async (text: string) => {
  const readings = readSearch(text);
  const { rows } = await searchPayments(mongo, { tenant: tenant.m, readings, limit: 10 });
  const list = await api.send('GET', `/v1/payments?metadata.${text.replace(':', '=')}`);
  const listed = list.json.data.map(({ id }: { id: string }) => id);
  return [rows.map((row) => row._id), listed];
};

describe('POST /v1/payments/{id}', () => {
  const manyKeys = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v']));
  it.each([
    [undefined, 'parameter_missing', null],
    [{}, 'parameter_missing', null],
    [{ amount: 1 }, 'parameter_unknown', 'amount'],
    [{ order_id: null }, 'parameter_unknown', 'order_id'],
    [{ description: 'd'.repeat(256) }, 'parameter_invalid', 'description'],
    [{ description: 'card 4242 4242 4242 4242' }, 'card_number_refused', 'description'],
    [{ metadata: { a: 1 } }, 'parameter_invalid', 'metadata.a'],
    [
      { metadata: { test_webhook_failures: '4' } },
      'parameter_invalid',
      'metadata.test_webhook_failures',
    ],
    [{ metadata: { 'a b': 'c' } }, 'parameter_invalid', 'metadata.a b'],
    [{ metadata: { a: '4242424242424242' } }, 'card_number_refused', 'metadata.a'],
    [{ metadata: { '4242424242424242': null } }, 'card_number_refused', 'metadata'],
    [{ metadata: manyKeys }, 'parameter_invalid', 'metadata'],
  ])('refuses %j, and changes nothing', async (body, code, param) => {
    const payment = await put({ metadata: { a: 'b' } });
    const before = await read(payment._id);
    const reply = await update(payment._id, body, 'refused');
    expect([reply.status, reply.json.error.code, reply.json.error.param]).toEqual([
      400,
      code,
      param,
    ]);
    expect(await read(payment._id)).toEqual(before);
    expect(await mongo.requests.countDocuments({ payment_id: payment._id })).toBe(0);
  });

  it("returns 404 for another merchant's payment", async () => {
    const other = makePayment();
    await mongo.payments.insertOne(other);
    expect((await update(other._id, { description: 'x' })).status).toBe(404);
  });

  it.each(['completed', 'failed', 'canceled', 'expired'] as const)(
    'refuses a payment that is %s',
    async (status) => {
      const { _id } = await put({ status, metadata: { a: 'b' } });
      const reply = await update(_id, { metadata: { a: 'c' } }, 'final');
      expect([reply.status, reply.json.error.code]).toEqual([409, 'payment_state_invalid']);
      expect(reply.json.error.message).toBe(
        `The payment is ${status}. Only a created or processing payment can be changed.`,
      );
      expect((await read(_id)).metadata).toEqual({ a: 'b' });
      expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(0);
    },
  );

  it.each(['created', 'processing'] as const)(
    'merges the metadata of a %s payment, and touches nothing else',
    async (status) => {
      const attempts = status === 'processing' ? [makeAttempt()] : [];
      const of = { metadata: { basket: 'b-1', 'a.b': 'x', toString: 'y' }, description: 'Tea' };
      const { _id } = await put({ ...of, status, attempts });
      const before = await read(_id);
      const calls = temporal.asked.length + temporal.started.length;
      const metadata = { basket: null, 'a.b': 'z', customer: '4711', none: null };
      const reply = await update(_id, { metadata });
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({ id: _id, status, description: 'Tea' });
      expect(reply.json.metadata).toEqual({ 'a.b': 'z', toString: 'y', customer: '4711' });
      expect((await api.send('GET', `/v1/payments/${_id}`)).text).toBe(reply.text);
      const after = await read(_id);
      expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
      const { updated_at, found_by } = after;
      expect(after).toEqual({ ...before, metadata: reply.json.metadata, updated_at, found_by });
      expect(temporal.asked.length + temporal.started.length).toBe(calls);
      expect(await mongo.events.countDocuments({ payment_id: _id })).toBe(0);
    },
  );

  it('removes the description, or all metadata, with null', async () => {
    const { _id } = await put({ description: 'Tea', metadata: { a: 'b' } });
    const first = await update(_id, { description: null }, 'same');
    expect(first.json).toMatchObject({ description: null, metadata: { a: 'b' } });
    const other = await update(_id, { metadata: null }, 'same');
    expect(other.json.error.code).toBe('idempotency_key_reused');
    expect((await update(_id, { metadata: null })).json.metadata).toEqual({});
  });

  it('counts the keys after the change', async () => {
    const full = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']));
    const { _id } = await put({ metadata: full });
    const reply = await update(_id, { metadata: { one: 'more' } }, 'full');
    expect(reply.json.error).toMatchObject({ code: 'parameter_invalid', param: 'metadata' });
    expect(reply.json.error.message).toContain('would have 51 keys');
    expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(0);
    expect((await update(_id, { metadata: { one: 'more', k0: null } })).status).toBe(200);
  });

  it('records the key and the names of what it changed, never the values', async () => {
    const { _id } = await put({ metadata: { a: 'b', c: 'd' } });
    await update(_id, { description: 'secret tea', metadata: { a: 'ann@shop', c: 'd', e: null } });
    const [entry, ...more] = await entriesAbout(mongo, _id);
    expect(more).toEqual([]);
    const key = await mongo.keys.findOne({ merchant_id: tenant.merchantId });
    expect(entry).toMatchObject({
      action: 'payment.update',
      actor: { type: 'api_key', name: key?._id },
      before: null,
      after: { changed: ['description', 'metadata.a'] },
    });
  });

  it('writes nothing if nothing differs', async () => {
    const { _id } = await put({ description: 'Tea', metadata: { a: 'b' } });
    const before = await read(_id);
    const body = { description: 'Tea', metadata: { a: 'b', c: null } };
    const first = await update(_id, body, 'same');
    const second = await update(_id, body, 'same');
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await read(_id)).toEqual(before);
    expect(await entriesAbout(mongo, _id)).toEqual([]);
  });

  it('returns the first bytes for a repeated key, also after other changes and the end', async () => {
    const { _id } = await put({ metadata: { a: '1' } });
    const first = await update(_id, { metadata: { a: '2' } }, 'bytes');
    await update(_id, { metadata: { a: '3' } });
    await mongo.payments.updateOne({ _id }, { $set: { status: 'expired' } });
    const second = await update(_id, { metadata: { a: '2' } }, 'bytes');
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await read(_id)).metadata).toEqual({ a: '3' });
    const other = await update(_id, { metadata: { a: '4' } }, 'bytes');
    expect(other.json.error).toMatchObject({ code: 'idempotency_key_reused', param: 'metadata' });
  });

  it('is found by its new metadata, and no longer by the old', async () => {
    const { _id } = await put({ metadata: { customer: 'ann' } });
    await update(_id, { metadata: { customer: 'bob' } });
    expect(await find('customer:bob')).toEqual([[_id], [_id]]);
    expect(await find('customer:ann')).toEqual([[], []]);
  });
});
