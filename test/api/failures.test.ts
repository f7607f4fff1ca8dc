import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { pathForLog } from '../../api/errors.ts';
import { ROUTES, WORK_MS } from '../../api/routes.ts';
import { mintId } from '../../store/mint.ts';
import { openMongo } from '../../store/mongo.ts';
import { lazyConnection, makeTemporal } from '../../temporal/client.ts';
import { startClock } from '../support/clock.ts';
import { PAYMENT, makeTenant, putPayment, recordingTemporal, serveApi } from './harness.ts';
import { openDatabase } from '../support/mongo.ts';
import type { Reply, RunningApi } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const mongo = closeAfterTests(await openDatabase('failures'));
const tenant = await makeTenant(mongo);

/** Starts a proxy before MongoDB. Once frozen, it forwards nothing and closes nothing. */
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

/** Valid bodies, for the calls that need one. */
const BODIES: Record<string, () => object> = {
  '/v1/payments': () => PAYMENT,
  '/v1/test/payments/:id/outcome': () => ({ outcome: 'approve' }),
  '/v1/refunds': () => ({ payment_id: mintId('payment') }),
};

/** Each call should get its response within 5 s. */
const PROMISED_TENTHS = 50;
/** Holds on a busy machine too: an API that blocks would stop the clock that counts tenths. */
const LONGEST_MS = 60_000;

async function callAll(api: RunningApi): Promise<[string, Reply, number][]> {
  const clock = startClock(async () => api.send('GET', '/healthz'));
  const calls = ROUTES.map(async ([method, path]): Promise<[string, Reply, number]> => {
    const sent = method === 'POST' ? { body: BODIES[path]?.() ?? {}, key: 'away' } : {};
    const reply = await api.send(method, path.replace(':id', mintId('payment')), sent);
    return [`${method} ${path}`, reply, clock.read()];
  });
  try {
    return await Promise.all(calls);
  } finally {
    await clock.stop();
  }
}

async function expectUnavailable(api: RunningApi): Promise<void> {
  const begunMs = Date.now();
  const replies = await callAll(api);
  expect(Date.now() - begunMs).toBeLessThan(LONGEST_MS);
  for (const [call, reply, tenths] of replies) {
    expect([call, reply.status, reply.json.error.code]).toEqual([call, 503, 'unavailable']);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.headers.get('request-id')).toBe(reply.json.error.request_id);
    expect([call, tenths < PROMISED_TENTHS || tenths]).toEqual([call, true]);
  }
  const ready = await api.send('GET', '/readyz');
  expect(ready.status).toBe(503);
  expect(ready.json.checks).toEqual({ mongodb: 'unavailable', temporal: 'ok' });
  expect((await api.send('GET', '/healthz')).status).toBe(200);
}

/** The service's own time for a request. */
const OWN = { workMs: WORK_MS };

describe('when MongoDB', () => {
  it.each(['cut', 'freeze'] as const)(
    'is unreachable (%s), every call gets 503 within 5 s',
    async (how) => {
      const proxy = await freezableMongo();
      const dbName = mongo.payments.dbName;
      const away = await openMongo({ uri: proxy.uri, dbName });
      const api = await serveApi(tenant, {
        ...OWN,
        mongo: away,
        temporal: recordingTemporal(away),
      });
      expect((await api.send('GET', '/v1/payments')).status).toBe(200);
      proxy[how]();
      await expectUnavailable(api);
      await api.close();
      proxy.cut();
      await away.close();
    },
  );

  it('is disconnected by us, every call gets 503', async () => {
    const closed = await openDatabase('failures_closed');
    await closed.close();
    const api = await serveApi(tenant, {
      ...OWN,
      mongo: closed,
      temporal: recordingTemporal(closed),
    });
    await expectUnavailable(api);
    await api.close();
  });
});

const putPaid = async () => putPayment({ mongo, tenant }, { status: 'completed' });

/** Opens a port that accepts connections and never responds. Closes it if it is `gone`. */
async function silentPort(how: 'frozen' | 'gone'): Promise<{ port: number; close(): void }> {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  if (how === 'gone') close();
  return { port, close };
}

describe('when Temporal', () => {
  it.each(['frozen', 'gone'] as const)(
    'is %s, reads and creations succeed, and calls that wait for it get 503 within 5 s',
    async (how) => {
      const silent = await silentPort(how);
      const temporal = makeTemporal({
        // The client's own retries would go on after the end of the test.
        connection: lazyConnection({ address: `127.0.0.1:${silent.port}`, interceptors: [] }),
        namespace: 'away',
        webhookTimeoutMs: 1_000,
        log: pino({ level: 'silent' }),
      });
      // Every server does this when it starts, because the first call loads more code.
      expect(await temporal.isReady()).toBe(false);
      const api = await serveApi(tenant, { ...OWN, mongo, temporal });
      const [open, paid] = [await putPayment({ mongo, tenant }), await putPaid()];
      const clock = startClock(async () => api.send('GET', '/healthz'));
      const timed = async (method: string, path: string, body?: object) => {
        const begun = clock.read();
        const reply = await api.send(method, path, body === undefined ? {} : { body });
        const tenths = clock.read() - begun;
        return [reply.status, tenths < PROMISED_TENTHS || tenths, reply.headers.get('retry-after')];
      };
      const outcome = `/v1/test/payments/${open._id}/outcome`;
      // This one comes first, so that the calls do not delay each other on a busy machine.
      const reads = await Promise.all(
        ROUTES.filter(([method]) => method === 'GET').map(async ([method, path]) =>
          timed(method, path.replace('/:id', '')),
        ),
      );
      const replies = await Promise.all([
        timed('POST', '/v1/payments', PAYMENT),
        timed('POST', '/v1/refunds', { payment_id: paid._id, amount: 100 }),
        timed('POST', `/v1/payments/${open._id}/cancel`),
        timed('POST', outcome, { outcome: 'expire' }),
      ]);
      await clock.stop();
      await api.close();
      await temporal.close();
      silent.close();
      const [created, refunded, canceled, decided] = replies;
      expect([created, refunded]).toEqual([
        [201, true, null],
        [201, true, null],
      ]);
      expect([canceled, decided]).toEqual([
        [503, true, '1'],
        [503, true, '1'],
      ]);
      expect(reads).toEqual(reads.map(() => [200, true, null]));
      expect(await mongo.payments.findOne({ _id: open._id })).toMatchObject({ status: 'created' });
    },
  );
});

describe('a fault of ours', () => {
  it('returns 500 without details, and is logged in full', async () => {
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
  ])('for a client that accepts %s is %s', async (accept, type) => {
    const api = await serveApi(tenant, { mongo, temporal: recordingTemporal(mongo) });
    const reply = await api.send('GET', '/nowhere', { headers: { Accept: accept } });
    await api.close();
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toBe(type);
    const { request_id } = type.includes('problem') ? reply.json : reply.json.error;
    expect(request_id).toBe(reply.headers.get('request-id'));
  });
});

describe('pathForLog', () => {
  const id = mintId('payment');
  it.each([
    ['keeps words and ids', `/v1/test/payments/${id}/outcome`, `/v1/test/payments/${id}/outcome`],
    ['keeps the name of a document', '/openapi.json', '/openapi.json'],
    ['hides a key', `/v1/payments/sk_test_${'aB3'.repeat(13)}`, '/v1/payments/*'],
    ['hides a card number', '/4539%201488%200343%206467', '/*'],
  ])('%s', (_, path, logged) => {
    expect(pathForLog(path)).toBe(logged);
  });
});
