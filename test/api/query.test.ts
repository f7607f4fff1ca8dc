import { describe, expect, it } from 'vitest';
import { mintId } from '../../store/mint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openStand } from './harness.ts';

const { mongo, api } = await openStand('query');

describe('a list refuses', () => {
  const id = mintId('payment');
  it.each([
    ['limit=0', 'limit_out_of_range', 'limit'],
    ['limit=101', 'limit_out_of_range', 'limit'],
    ['limit=-1', 'limit_out_of_range', 'limit'],
    ['limit=1.5', 'limit_out_of_range', 'limit'],
    ['limit=ten', 'limit_out_of_range', 'limit'],
    ['limit=', 'limit_out_of_range', 'limit'],
    ['limit=1&limit=2', 'parameter_invalid', 'limit'],
    ['page=2', 'parameter_unknown', 'page'],
    ['status[$ne]=created', 'parameter_unknown', 'status[$ne]'],
    ['created_at=2030-01-01T00:00:00Z', 'parameter_unknown', 'created_at'],
    ['created_at[$gt]=2030-01-01T00:00:00Z', 'parameter_unknown', 'created_at[$gt]'],
    ['created_at[gte]=yesterday', 'parameter_invalid', 'created_at[gte]'],
    ['created_at[gte]=2030-01-01T00:00:00+04:00', 'parameter_invalid', 'created_at[gte]'],
    ['status=paid', 'parameter_invalid', 'status'],
    ['status=created,', 'parameter_invalid', 'status'],
    ['status=', 'parameter_invalid', 'status'],
    ['__proto__=1', 'parameter_unknown', '__proto__'],
    ['constructor=1', 'parameter_unknown', 'constructor'],
    ['order_id=', 'parameter_invalid', 'order_id'],
    [`order_id=${'o'.repeat(129)}`, 'parameter_invalid', 'order_id'],
    ['order_id=a%00b', 'parameter_invalid', 'order_id'],
    ['metadata=a', 'parameter_unknown', 'metadata'],
    ['metadata.=a', 'parameter_unknown', 'metadata.'],
    ['metadata.*=a', 'parameter_unknown', 'metadata.*'],
    ['metadata.a b=c', 'parameter_unknown', 'metadata.a b'],
    ['metadata[a]=b', 'parameter_unknown', 'metadata[a]'],
    [`metadata.${'k'.repeat(41)}=a`, 'parameter_unknown', `metadata.${'k'.repeat(41)}`],
    [`metadata.a=${'v'.repeat(78)}`, 'parameter_invalid', 'metadata.a'],
    ['metadata.a=1&metadata.a=2', 'parameter_invalid', 'metadata.a'],
    ['starting_after=nonsense', 'cursor_invalid', 'starting_after'],
    [`starting_after=${mintId('event')}`, 'cursor_invalid', 'starting_after'],
    [`starting_after=${id}`, 'cursor_invalid', 'starting_after'],
    [`ending_before=${id}`, 'cursor_invalid', 'ending_before'],
    [`starting_after=${id}&ending_before=${id}`, 'parameter_invalid', 'ending_before'],
  ])('%s', async (query, code, param) => {
    const reply = await api.send('GET', `/v1/payments?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({ code, param });
  });

  it("another merchant's cursor, with the same message as an unknown one", async () => {
    const other = makePayment();
    await mongo.payments.insertOne(other);
    const theirs = await api.send('GET', `/v1/payments?starting_after=${other._id}`);
    const none = await api.send('GET', `/v1/payments?starting_after=${mintId('payment')}`);
    expect(theirs.status).toBe(400);
    expect(theirs.json.error.errors).toEqual(none.json.error.errors);
  });

  it('metadata with another filter, or two keys of it', async () => {
    for (const other of ['status=created', 'metadata.b=2', 'order_id=o']) {
      const reply = await api.send('GET', `/v1/payments?metadata.a=1&${other}`);
      expect([reply.status, reply.json.error.code]).toEqual([400, 'parameter_invalid']);
      expect(reply.json.error.message).toMatch(/ and .* cannot be given together\.$/);
    }
  });

  it('an unknown event type, and a malformed payment_id', async () => {
    const reply = await api.send('GET', '/v1/events?type=payment.created&payment_id=x');
    const params = reply.json.error.errors.map(({ param }: { param: string }) => param);
    expect(params).toEqual(expect.arrayContaining(['type', 'payment_id']));
  });

  it('an unknown status, and lists the valid ones', async () => {
    const reply = await api.send('GET', '/v1/refunds?status=paid');
    expect(reply.json.error.message).toContain('of: pending, completed, failed, canceled.');
  });

  it.each([
    ['orderId=1', 'orderId is not a parameter of this call. Did you mean order_id?'],
    [
      'created[lte]=1',
      'created[lte] is not a parameter of this call. Did you mean created_at[lte]?',
    ],
    ['status=created,cancelled', 'status has an unknown value. Did you mean canceled?'],
  ])('%s, and suggests the name', async (query, message) => {
    expect((await api.send('GET', `/v1/payments?${query}`)).json.error.message).toBe(message);
  });

  it('a name with a card number, without quoting it', async () => {
    const { text, json } = await api.send('GET', '/v1/payments?4242424242424242=1');
    expect([json.error.code, json.error.param]).toEqual(['parameter_unknown', null]);
    expect(text).not.toContain('4242');
  });

  it('filters if it has none', async () => {
    const reply = await api.send('GET', '/v1/webhook-endpoints?status=enabled');
    expect(reply.json.error.code).toBe('parameter_unknown');
  });

  it('all invalid parameters at once', async () => {
    const reply = await api.send('GET', '/v1/payments?limit=0&page=1&status=x');
    const codes = reply.json.error.errors.map(({ code }: { code: string }) => code);
    expect(codes.toSorted()).toEqual([
      'limit_out_of_range',
      'parameter_invalid',
      'parameter_unknown',
    ]);
  });
});
