/** The request log: what is kept, what is dropped, and that no request waits for it. */
import { describe, expect, it } from 'vitest';
import { makeRequestLog } from '../../api/requestlog.ts';
import type { RequestLog } from '../../api/call.ts';
import type { Call } from '../../domain/call.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { makeKey } from '../../store/keys.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { PAYMENT, makeTenant, recordingTemporal, serveApi } from './harness.ts';

const mongo = closeAfterTests(await openDatabase('request-log'));
const temporal = recordingTemporal(mongo);
const newTenant = () => tenantOf(mintId('merchant'), 'test');
const warned: { dropped: number }[] = [];
const log = { warn: (line: { dropped: number }) => void warned.push(line) };

/** Serves the API with a request log of its own, for a merchant of its own. */
async function open() {
  const tenant = await makeTenant(mongo);
  const requestLog = makeRequestLog({ mongo, log });
  const api = await serveApi(tenant, { mongo, temporal, requestLog });
  const read = async (): Promise<Call[]> => {
    await requestLog.flush();
    return mongo.calls.find({ m: tenant.m }).sort({ _id: 1 }).toArray();
  };
  return { tenant, api, read };
}

function made(m: string, over: Partial<Parameters<RequestLog['note']>[0]> = {}) {
  const error = { code: 'resource_missing', message: 'No such payment.' };
  const isFailed = (over.status ?? 200) >= 400;
  return {
    _id: mintId('request'),
    m,
    at: new Date(),
    method: 'GET',
    path: '/v1/payments',
    status: 200,
    error: isFailed ? error : null,
    key_id: mintId('key'),
    duration_ms: 1,
    body: null,
    object_id: null,
    ...over,
  };
}

const rowsOf = async (m: string) => mongo.calls.find({ m }).sort({ _id: 1 }).toArray();
const failing = { calls: { insertMany: async () => Promise.reject(new Error('away')) } };

describe('a request', () => {
  it('is logged with its body, its result and the payment that it created', async () => {
    const { api, read } = await open();
    const reply = await api.send('POST', '/v1/payments', { body: PAYMENT, key: 'order-1' });
    const [call, ...more] = await read();
    expect(more).toEqual([]);
    expect(call).toMatchObject({
      _id: reply.headers.get('request-id'),
      method: 'POST',
      path: '/v1/payments',
      status: 201,
      error: null,
      object_id: reply.json.id,
      is_cut: false,
    });
    expect(JSON.parse(call!.body!)).toEqual(PAYMENT);
    expect(call!.key_id).toMatch(/^key_/);
  });

  it('that is refused is logged without card data and keys', async () => {
    const { api, read, tenant } = await open();
    const card = { description: '4242 4242 4242 4242', cvc: '987', order_id: tenant.secret };
    await api.send('POST', '/v1/payments', { body: { ...PAYMENT, ...card } });
    const [call] = await read();
    expect(call).toMatchObject({ status: 400 });
    const hidden = { description: '[removed]', cvc: '[removed]', order_id: '[removed]' };
    expect(JSON.parse(call!.body!)).toEqual({ ...PAYMENT, ...hidden });
    expect(JSON.stringify(call)).not.toContain(tenant.secret.slice(8, 20));
  });

  it('is logged without a body that is too long, and so are many long ones', async () => {
    const m = newTenant();
    const requestLog = makeRequestLog({ mongo, log });
    const note = (chars: number, status = 400) => {
      const body = JSON.stringify({ description: 'a'.repeat(chars) });
      requestLog.note(made(m, { status, body }));
    };
    note(20_000);
    for (let n = 0; n < 40; n += 1) note(15_000);
    await requestLog.flush();
    const rows = await rowsOf(m);
    expect(rows.every(({ is_cut }) => is_cut)).toBe(true);
    expect(rows[0]!.body).toBeNull();
    expect(rows.filter(({ body }) => body !== null)).toHaveLength(34);
  });

  it('has neither the query nor the unknown parts of its path', async () => {
    const { api, read } = await open();
    await api.send('GET', '/v1/payments/4242424242424242?order_id=secret');
    const [call] = await read();
    expect(call).toMatchObject({ path: '/v1/payments/*', status: 400 });
    expect(JSON.stringify(call)).not.toMatch(/4242|secret/);
  });

  it('with a revoked key is logged, and one with an unknown key is not', async () => {
    const { api, read, tenant } = await open();
    const over = { revoked_at: new Date() };
    const { key, secret } = makeKey(tenant.merchantId, 'test', new Date());
    await mongo.keys.insertOne({ ...key, ...over });
    await api.as({ secret }).send('GET', '/v1/payments');
    await api.as(makeKey(tenant.merchantId, 'test', new Date())).send('GET', '/v1/payments');
    expect(await read()).toMatchObject([{ key_id: key._id, status: 401 }]);
  });

  it('is answered while the log cannot be written', async () => {
    const requestLog = makeRequestLog({ mongo: failing as unknown as Mongo, log });
    const api = await serveApi(await makeTenant(mongo), { mongo, temporal, requestLog });
    expect((await api.send('GET', '/v1/payments')).status).toBe(200);
    await requestLog.flush();
    expect((await api.send('GET', '/v1/payments')).status).toBe(200);
    await api.close();
  });
});

describe('a tenant that sends very many requests', () => {
  it('keeps its failed ones, and the number of those that are missing', async () => {
    const [busy, quiet] = [newTenant(), newTenant()];
    const requestLog = makeRequestLog({ mongo, log });
    for (let n = 0; n < 30; n += 1) requestLog.note(made(busy));
    for (let n = 0; n < 10; n += 1) requestLog.note(made(busy, { status: 404 }));
    requestLog.note(made(quiet));
    await requestLog.flush();
    const rows = await rowsOf(busy);
    expect(rows.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 20 }, () => 200),
      ...Array.from({ length: 10 }, () => 404),
    ]);
    expect(rows.filter(({ omitted }) => omitted !== undefined)).toMatchObject([{ omitted: 10 }]);
    expect(await rowsOf(quiet)).toHaveLength(1);
  });

  it('has its share again after each flush', async () => {
    const m = newTenant();
    const requestLog = makeRequestLog({ mongo, log });
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 25; n += 1) requestLog.note(made(m));
      await requestLog.flush();
    }
    expect(await rowsOf(m)).toHaveLength(40);
  });
});

describe('a full memory', () => {
  it('drops successful requests for failed ones, and never grows', async () => {
    const tenants = Array.from({ length: 60 }, newTenant);
    const requestLog = makeRequestLog({ mongo, log });
    for (const m of tenants) for (let n = 0; n < 10; n += 1) requestLog.note(made(m));
    const failed = newTenant();
    for (let n = 0; n < 5; n += 1) requestLog.note(made(failed, { status: 500 }));
    await requestLog.flush();
    const kept = await mongo.calls.countDocuments({ m: { $in: [...tenants, failed] } });
    expect(kept).toBe(500);
    expect(await rowsOf(failed)).toHaveLength(5);
  });

  it('that cannot be written is dropped, counted and reported once a minute', async () => {
    warned.length = 0;
    const m = newTenant();
    let isAway = true;
    const insertMany: Mongo['calls']['insertMany'] = async (...args) => {
      if (isAway) throw new Error('away');
      return mongo.calls.insertMany(...args);
    };
    const requestLog = makeRequestLog({ mongo: { calls: { insertMany } } as Mongo, log });
    for (let round = 0; round < 3; round += 1) {
      requestLog.note(made(m));
      requestLog.note(made(m));
      await requestLog.flush();
    }
    expect(warned).toMatchObject([{ dropped: 2 }]);
    isAway = false;
    requestLog.note(made(m));
    await requestLog.close();
    expect(await rowsOf(m)).toMatchObject([{ omitted: 6 }]);
  });

  it('is written by each of two servers', async () => {
    const m = newTenant();
    const logs = [makeRequestLog({ mongo, log }), makeRequestLog({ mongo, log })];
    for (const each of logs) for (let n = 0; n < 3; n += 1) each.note(made(m));
    await Promise.all(logs.map(async (each) => each.close()));
    expect(await rowsOf(m)).toHaveLength(6);
  });
});
