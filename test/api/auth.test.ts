import { describe, expect, it } from 'vitest';
import { createKey, revokeKey, rollKey } from '../../operations/keys.ts';
import { makeKey } from '../../store/keys.ts';
import { ACTOR } from '../support/audit.ts';
import { until } from '../support/until.ts';
import { openStand } from './harness.ts';

const { mongo, tenant, api } = await openStand('auth');

const inMs = (ms: number): Date => new Date(Date.now() + ms);
const list = async (headers: Record<string, string>) =>
  api.send('GET', '/v1/payments', { headers });

/** Returns 200 for a new key, or the code of the refusal. */
const ask = async (made: Record<string, unknown>): Promise<unknown> => {
  const reply = await list({ Authorization: `Bearer ${String(made['api_key'])}` });
  return reply.status === 200 ? 200 : reply.json.error.code;
};

describe('Authorization', () => {
  it.each([
    ['empty', '', 'api_key_missing'],
    ['of another scheme', 'Basic c2s6', 'api_key_missing'],
    ['without a key', 'Bearer ', 'api_key_missing'],
    ['with two words', 'Bearer a b', 'api_key_missing'],
    ['with a key of another form', 'Bearer sk_test_x', 'api_key_invalid'],
    ['with a huge key', `Bearer ${'k'.repeat(5_000)}`, 'api_key_invalid'],
  ])('%s is refused', async (_, authorization, code) => {
    const reply = await list({ Authorization: authorization });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="Tollgate"');
    expect(reply.json.error).toMatchObject({ type: 'authentication', code });
  });

  it('with a well-formed but unknown key is refused', async () => {
    const { secret } = makeKey(tenant.merchantId, 'test', new Date());
    const reply = await list({ Authorization: `Bearer ${secret}` });
    expect(reply.json.error.code).toBe('api_key_invalid');
  });

  it('with an unknown live key is refused with the reason, and a known one may read', async () => {
    const { key, secret } = makeKey(tenant.merchantId, 'live', new Date());
    for (const live of ['sk_live_x', secret]) {
      const reply = await list({ Authorization: `Bearer ${live}` });
      expect([reply.status, reply.json.error.code]).toEqual([403, 'live_mode_unavailable']);
    }
    await mongo.keys.insertOne(key);
    expect((await list({ Authorization: `Bearer ${secret}` })).status).toBe(200);
  });

  it('with a mistyped key is refused', async () => {
    const wrong = tenant.secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    const reply = await list({ Authorization: `Bearer ${wrong}` });
    expect(reply.json.error.code).toBe('api_key_invalid');
  });

  it.each<[string, object, number]>([
    ['revoked a minute ago', { revoked_at: inMs(-60_000) }, 401],
    ['revoked by a clock that is ahead', { revoked_at: inMs(60_000) }, 401],
    ['that has ended', { expires_at: inMs(-1) }, 401],
    ['that ends in a minute', { expires_at: inMs(60_000) }, 200],
    ['revoked during its overlap', { expires_at: inMs(60_000), revoked_at: inMs(0) }, 401],
  ])('with a key %s gets status %i', async (_, end, status) => {
    const { key, secret } = makeKey(tenant.merchantId, 'test', new Date());
    await mongo.keys.insertOne({ ...key, ...end });
    const reply = await list({ Authorization: `Bearer ${secret}` });
    expect(reply.status).toBe(status);
    if (status === 401) expect(reply.json.error.code).toBe('api_key_revoked');
  });

  it('with a key from before keys had names and expiry times is accepted', async () => {
    const { key, secret } = makeKey(tenant.merchantId, 'test', new Date());
    const { expires_at: __, ...row } = key;
    await mongo.keys.insertOne(row);
    expect((await list({ Authorization: `Bearer ${secret}` })).status).toBe(200);
  });

  it('is refused as soon as its key is revoked or replaced without an overlap', async () => {
    const services = { mongo, actor: ACTOR };
    const merchant = tenant.merchantId;
    for (let round = 0; round < 10; round += 1) {
      const old = await createKey(services, { merchant, mode: 'test' });
      const rolled = await rollKey(services, { merchant, id: String(old['id']), overlap: '1h' });
      expect([await ask(old), await ask(rolled)]).toEqual([200, 200]);
      await revokeKey(services, { merchant, id: String(old['id']) });
      expect([await ask(old), await ask(rolled)]).toEqual(['api_key_revoked', 200]);
      const last = await rollKey(services, { merchant, id: String(rolled['id']), overlap: '0' });
      expect([await ask(rolled), await ask(last)]).toEqual(['api_key_revoked', 200]);
      await revokeKey(services, { merchant, id: String(last['id']) });
      expect(await ask(last)).toBe('api_key_revoked');
    }
  });

  it('is checked before the body is read', async () => {
    const headers = { Authorization: '', 'Content-Type': 'text/plain' };
    const reply = await api.send('POST', '/v1/payments', { raw: 'x', headers });
    expect(reply.status).toBe(401);
  });

  it('accepts the scheme in any case', async () => {
    expect((await list({ Authorization: `bearer ${tenant.secret}` })).status).toBe(200);
  });

  it('records when the key was last used', async () => {
    await list({});
    const hash = { merchant_id: tenant.merchantId, last4: tenant.secret.slice(-4) };
    await until(
      async () => mongo.keys.findOne(hash),
      (key) => key?.last_used_at instanceof Date,
    );
  });
});
