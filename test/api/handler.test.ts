import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import type { Mongo } from '../../store/mongo.ts';
import { PAYMENT, makeTenant, openDatabase, recordingTemporal, serveApi } from './harness.ts';
import type { RunningApi, Tenant } from './harness.ts';

let mongo: Mongo;
let tenant: Tenant;

beforeAll(async () => {
  mongo = await openDatabase('handler');
  tenant = await makeTenant(mongo);
});

afterAll(async () => mongo.close());

/** Stands between us and MongoDB; frozen, it passes nothing on and closes nothing either. */
async function freezableMongo(): Promise<{ uri: string; freeze(): void; cut(): void }> {
  const target = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  const sockets: Socket[] = [];
  let isFrozen = false;
  const proxy = net.createServer((near) => {
    if (isFrozen) {
      sockets.push(near);
      return;
    }
    const far = net.connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function expectUnavailable(api: RunningApi): Promise<void> {
  const begun = Date.now();
  const replies = await Promise.all([
    api.send('POST', '/v1/payments', { body: PAYMENT, key: 'away' }),
    api.send('GET', '/v1/payments'),
    api.send('GET', `/v1/payments/${mintId('payment')}`),
  ]);
  expect(Date.now() - begun).toBeLessThan(5_000);
  for (const reply of replies) {
    expect([reply.status, reply.json.error.code]).toEqual([503, 'unavailable']);
    expect(reply.headers.get('retry-after')).toBe('1');
  }
  const ready = await api.send('GET', '/readyz');
  expect(ready.status).toBe(503);
  expect(ready.json.checks).toEqual({ mongodb: 'unavailable', temporal: 'ok' });
  expect((await api.send('GET', '/healthz')).status).toBe(200);
}

describe('when MongoDB', () => {
  it.each(['cut', 'freeze'] as const)('is away (%s), every call is 503 within 5 s', async (how) => {
    const proxy = await freezableMongo();
    const dbName = mongo.payments.dbName;
    const away = await openMongo({ uri: proxy.uri, dbName });
    const api = await serveApi(tenant, { mongo: away, temporal: recordingTemporal(away) });
    expect((await api.send('GET', '/v1/payments')).status).toBe(200);
    proxy[how]();
    await expectUnavailable(api);
    await api.close();
    proxy.cut();
    await away.close();
  });

  it('is closed on our side, every call is 503', async () => {
    const closed = await openDatabase('handler_closed');
    await closed.close();
    const api = await serveApi(tenant, { mongo: closed, temporal: recordingTemporal(closed) });
    await expectUnavailable(api);
    await api.close();
  });
});

describe('a fault of ours', () => {
  it('is answered 500 with nothing of it, and logged in full', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const temporal = recordingTemporal(mongo);
    temporal.startPayment = async () => {
      throw new Error('the secret of the fault');
    };
    const api = await serveApi(tenant, { mongo, temporal, log });
    const reply = await api.send('POST', '/v1/payments', { body: PAYMENT });
    await api.close();
    expect([reply.status, reply.json.error.code]).toEqual([500, 'internal_error']);
    expect(reply.text).not.toContain('secret');
    expect(JSON.parse(lines.join(''))).toMatchObject({
      request_id: reply.headers.get('request-id'),
      err: { message: 'the secret of the fault', stack: expect.any(String) },
    });
  });
});

describe('an error', () => {
  it.each([
    ['application/problem+json', 'application/problem+json'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, application/problem+json;q=0.5', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
  ])('for who accepts %s is %s', async (accept, type) => {
    const api = await serveApi(tenant, { mongo, temporal: recordingTemporal(mongo) });
    const reply = await api.send('GET', '/nowhere', { headers: { Accept: accept } });
    await api.close();
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toBe(type);
    const { request_id } = type.includes('problem') ? reply.json : reply.json.error;
    expect(request_id).toBe(reply.headers.get('request-id'));
  });
});
