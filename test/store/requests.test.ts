import { describe, expect, it } from 'vitest';
import { mintId } from '../../store/mint.ts';
import {
  storeResponse,
  claimRequest,
  requestByKey,
  findRequest,
  forgetRequest,
} from '../../store/requests.ts';
import { at } from '../domain/situation.ts';
import { useDatabase } from './database.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('requests');

function makeRequest(over: Partial<Parameters<typeof claimRequest>[1]> = {}) {
  return {
    m: tenantOf(mintId('merchant'), 'test'),
    payment_id: 'pay_1',
    op: 'cancel:pay_1',
    k: 'key-1',
    request: '{}',
    reason: null,
    created_at: new Date(),
    ...over,
  };
}

describe('claimRequest', () => {
  it('returns the first request for a repeat', async () => {
    const request = makeRequest({ reason: 'first' });
    const first = await claimRequest(database.mongo, request);
    const second = await claimRequest(database.mongo, { ...request, reason: 'second' });
    expect(first.repeated).toBe(false);
    expect(second).toEqual({ row: first.row, repeated: true });
  });

  it('gives the key to one of 20 concurrent requests', async () => {
    const request = makeRequest();
    const claims = await Promise.all(
      Array.from({ length: 20 }, async () => claimRequest(database.mongo, request)),
    );
    expect(claims.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(new Set(claims.map(({ row }) => row._id)).size).toBe(1);
  });

  it.each([
    ['merchants', { m: 'mer_other:test' }],
    ['operations', { op: 'cancel:pay_2' }],
    ['keys', { k: 'KEY-1' }],
  ])('keeps %s apart', async (_, other) => {
    const request = makeRequest();
    await claimRequest(database.mongo, request);
    const { repeated } = await claimRequest(database.mongo, { ...request, ...other });
    expect(repeated).toBe(false);
  });

  it('inserts every request without a key', async () => {
    const { k: _, ...request } = makeRequest();
    const first = await claimRequest(database.mongo, request);
    const second = await claimRequest(database.mongo, request);
    expect([first.repeated, second.repeated]).toEqual([false, false]);
    expect(first.row._id).not.toBe(second.row._id);
  });

  it('keeps the id of the request', async () => {
    const id = mintId('request');
    const { row } = await claimRequest(database.mongo, { ...makeRequest(), _id: id });
    expect(row._id).toBe(id);
    expect(await findRequest(database.mongo, id)).toEqual(row);
  });
});

describe('forgetRequest', () => {
  it('keeps a request with a response', async () => {
    const { row } = await claimRequest(database.mongo, makeRequest());
    await storeResponse(database.mongo, row._id, '{"status":"canceled"}');
    await forgetRequest(database.mongo, row._id);
    expect((await findRequest(database.mongo, row._id))?.response).toBe('{"status":"canceled"}');
  });

  it('frees the key of a refused request', async () => {
    const request = makeRequest({ reason: 'refused' });
    const { row } = await claimRequest(database.mongo, request);
    await forgetRequest(database.mongo, row._id);
    expect(await findRequest(database.mongo, row._id)).toBeNull();
    const again = await claimRequest(database.mongo, { ...request, reason: 'again' });
    expect(again).toMatchObject({ repeated: false, row: { reason: 'again' } });
  });
});

describe('storeResponse', () => {
  it('keeps the first response, byte for byte', async () => {
    const { row } = await claimRequest(database.mongo, makeRequest());
    const answer = async (text: string) => storeResponse(database.mongo, row._id, text);
    expect(await answer('{"a": 1}')).toEqual({ response: '{"a": 1}', isFirst: true });
    expect(await answer('{"a":2}')).toEqual({ response: '{"a": 1}', isFirst: false });
    expect(await answer('{"a": 1}')).toEqual({ response: '{"a": 1}', isFirst: false });
    expect((await findRequest(database.mongo, row._id))?.response).toBe('{"a": 1}');
  });

  it('keeps one of 20 concurrent responses', async () => {
    const { row } = await claimRequest(database.mongo, makeRequest());
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => storeResponse(database.mongo, row._id, `${n}`)),
    );
    expect(new Set(answers.map(({ response }) => response)).size).toBe(1);
    expect(answers.filter(({ isFirst }) => isFirst)).toHaveLength(1);
  });
});

describe('requestByKey', () => {
  it('finds the first request of an operation with that key, and no other', async () => {
    const { row } = await claimRequest(database.mongo, makeRequest({ created_at: at(0) }));
    const key = { m: row.m, op: row.op, k: 'key-1' };
    expect(await requestByKey(database.mongo, key)).toEqual(row);
    for (const other of [{ m: 'mer_1:test' }, { op: 'outcome:pay_1' }, { k: 'key-2' }]) {
      expect(await requestByKey(database.mongo, { ...key, ...other })).toBeNull();
    }
  });
});
