import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeKey } from '../../store/keys.ts';
import type { Mongo } from '../../store/mongo.ts';
import { until } from '../support/until.ts';
import { makeTenant, openDatabase, recordingTemporal, serveApi } from './harness.ts';
import type { RunningApi, Tenant } from './harness.ts';

let mongo: Mongo;
let tenant: Tenant;
let api: RunningApi;

beforeAll(async () => {
  mongo = await openDatabase('auth');
  tenant = await makeTenant(mongo);
  api = await serveApi(tenant, { mongo, temporal: recordingTemporal(mongo) });
});

afterAll(async () => {
  await api.close();
  await mongo.close();
});

const list = async (headers: Record<string, string>) =>
  api.send('GET', '/v1/payments', { headers });

describe('Authorization', () => {
  it.each([
    ['empty', '', 'api_key_missing'],
    ['of another scheme', 'Basic c2s6', 'api_key_missing'],
    ['without a key', 'Bearer ', 'api_key_missing'],
    ['of two words', 'Bearer a b', 'api_key_missing'],
    ['with no key of ours', 'Bearer sk_test_x', 'api_key_invalid'],
    ['with a huge key', `Bearer ${'k'.repeat(5_000)}`, 'api_key_invalid'],
  ])('%s is refused', async (_, authorization, code) => {
    const reply = await list({ Authorization: authorization });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="Tollgate"');
    expect(reply.json.error).toMatchObject({ type: 'authentication', code });
  });

  it('with a key that is right in form and unknown is refused', async () => {
    const { secret } = makeKey(tenant.merchantId, 'test', new Date());
    const reply = await list({ Authorization: `Bearer ${secret}` });
    expect(reply.json.error.code).toBe('api_key_invalid');
  });

  it('with a mistyped key is refused', async () => {
    const wrong = tenant.secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    const reply = await list({ Authorization: `Bearer ${wrong}` });
    expect(reply.json.error.code).toBe('api_key_invalid');
  });

  it('with a revoked key is refused at once, and not before its moment', async () => {
    const { key, secret } = makeKey(tenant.merchantId, 'test', new Date());
    await mongo.keys.insertOne(key);
    const revokeAt = async (revoked_at: Date) => {
      await mongo.keys.updateOne({ _id: key._id }, { $set: { revoked_at } });
      return list({ Authorization: `Bearer ${secret}` });
    };
    expect((await revokeAt(new Date(Date.now() + 60_000))).status).toBe(200);
    const reply = await revokeAt(new Date());
    expect([reply.status, reply.json.error.code]).toEqual([401, 'api_key_revoked']);
  });

  it('is asked for before the body is read', async () => {
    const headers = { Authorization: '', 'Content-Type': 'text/plain' };
    const reply = await api.send('POST', '/v1/payments', { raw: 'x', headers });
    expect(reply.status).toBe(401);
  });

  it('takes the scheme in any case', async () => {
    expect((await list({ Authorization: `bearer ${tenant.secret}` })).status).toBe(200);
  });

  it('notes when the key was last used', async () => {
    await list({});
    const hash = { merchant_id: tenant.merchantId, last4: tenant.secret.slice(-4) };
    await until(
      async () => mongo.keys.findOne(hash),
      (key) => key?.last_used_at instanceof Date,
    );
  });
});
