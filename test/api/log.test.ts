/** The log of a request: it has the id of the key and the address, and no secret. */
import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { makeKey } from '../../store/keys.ts';
import { NO_LIMITS, serveApi, openStand } from './harness.ts';

const stand = await openStand('log');

/** Returns the log line of one request with that key, behind `hops` proxies. */
async function lineOf(secret: string, { hops = 0, headers = {} } = {}) {
  const { mongo, temporal } = stand;
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const limits = { ...NO_LIMITS, trustedHops: hops };
  const api = await serveApi({ secret }, { mongo, temporal, log, limits });
  const reply = await api.send('GET', '/v1/payments?limit=2', { headers });
  await api.close();
  const text = lines.join('');
  expect(text).not.toContain(secret.slice(8, 20));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({ request_id: reply.headers.get('request-id') });
  return JSON.parse(text) as Record<string, unknown>;
}

const stored = async (over: object = {}) => {
  const { key, secret } = makeKey(stand.tenant.merchantId, 'test', new Date());
  await stand.mongo.keys.insertOne({ ...key, ...over });
  return { id: key._id, secret };
};

describe('the log of a request', () => {
  it('has the id of the key, and the address of the client', async () => {
    const { id, secret } = await stored();
    expect(await lineOf(secret)).toMatchObject({
      key_id: id,
      m: stand.tenant.m,
      from: '127.0.0.1',
      path: '/v1/payments',
      status: 200,
    });
  });

  it('has the id of a revoked key', async () => {
    const { id, secret } = await stored({ revoked_at: new Date() });
    const line = await lineOf(secret);
    expect(line).toMatchObject({ key_id: id, from: '127.0.0.1', status: 401 });
    expect(line).not.toHaveProperty('m');
  });

  it('has no id for an unknown key', async () => {
    const { secret } = makeKey(stand.tenant.merchantId, 'test', new Date());
    expect(await lineOf(secret)).not.toHaveProperty('key_id');
  });

  it.each([
    ['the address of the connection', 0, '192.0.2.1', '127.0.0.1'],
    ['the address that our proxy saw', 1, '6.6.6.6, 192.0.2.1', '192.0.2.1'],
    ['the network of an IPv6 address', 1, '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['no text that a stranger could write', 1, '<script>', 'unknown'],
  ])('has %s behind %i proxies', async (_, hops, chain, from) => {
    const { secret } = await stored();
    const line = await lineOf(secret, { hops, headers: { 'X-Forwarded-For': chain } });
    expect(line).toMatchObject({ from });
  });
});
