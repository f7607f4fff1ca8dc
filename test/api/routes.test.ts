import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { makeReadiness } from '../../api/health.ts';
import { ROUTES } from '../../api/routes.ts';
import { mintId } from '../../store/mint.ts';
import type { Temporal } from '../../temporal/client.ts';
import { until } from '../support/until.ts';
import { recordingTemporal, serveApi, openStand } from './harness.ts';

const { mongo, api } = await openStand('routes');

const filled = (path: string): string => path.replace(':id', mintId('payment'));

describe('a path', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/payments/',
    '/V1/payments',
    '/v1/payments/a/b',
    '/v2/payments',
  ])('%s is unknown', async (path) => {
    const reply = await api.send('GET', path);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'route_missing']);
  });

  it.each([
    ['/payments', '/payments is not a path of this API. Did you mean /v1/payments?'],
    ['/v1/payments/', '/v1/payments/ is not a path of this API. Did you mean /v1/payments?'],
    ['/api/v2/Payment', 'This is not a path of this API. Did you mean /v1/payments?'],
    [
      '/v1/webhook_endpoints',
      '/v1/webhook_endpoints is not a path of this API. Did you mean /v1/webhook-endpoints?',
    ],
    [
      '/payments/4242424242424242/cancel',
      'This is not a path of this API. Did you mean /v1/payments/{id}/cancel?',
    ],
    ['/v1/payments/1/refunds', 'This is not a path of this API. Did you mean /v1/refunds?'],
    ['/v1/customers', '/v1/customers is not a path of this API. GET /docs lists all paths.'],
  ])('%s is answered with the path that was meant', async (path, message) => {
    const reply = await api.send('POST', path);
    expect([reply.status, reply.json.error.message]).toEqual([404, message]);
  });

  it.each([
    ['GET', '/v1/payments/pay_1/cancel', 'GET is not allowed here. Use POST.'],
    ['DELETE', '/v1/payments', 'DELETE is not allowed here. Use POST or GET.'],
  ])('%s %s is answered with the methods to use', async (method, path, message) => {
    expect((await api.send(method, path)).json.error.message).toBe(message);
  });

  it.each([
    ['DELETE', '/v1/payments', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/payments', 'GET, HEAD, POST'],
    ['POST', '/v1/currencies', 'GET, HEAD'],
    ['GET', '/v1/payments/pay_1/cancel', 'POST'],
    ['PUT', '/v1/payments/pay_1', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s is refused with the allowed methods', async (method, path, allow) => {
    const reply = await api.send(method, path);
    expect([reply.status, reply.json.error.code]).toEqual([405, 'method_not_allowed']);
    expect(reply.headers.get('allow')?.split(', ').toSorted().join(', ')).toBe(allow);
  });

  it.each(ROUTES.filter(([, , , id]) => !id.startsWith('list') || id === 'listCurrencies'))(
    '%s %s accepts no query parameters',
    async (method, path) => {
      const query = '?limit=1&order_id%5B%24ne%5D=x';
      const reply = await api.send(method, filled(path) + query);
      expect([reply.status, reply.json.error.code]).toEqual([400, 'parameter_unknown']);
      const params = reply.json.error.errors.map(({ param }: { param: string }) => param);
      expect(params).toEqual(['limit', 'order_id[$ne]']);
    },
  );

  it.each(ROUTES)('%s %s needs a key', async (method, path) => {
    const reply = await api.send(method, filled(path), { headers: { Authorization: '' } });
    expect([reply.status, reply.json.error.code]).toEqual([401, 'api_key_missing']);
  });

  const open = ['/livez', '/healthz', '/readyz', '/openapi.json', '/docs'];
  it.each(open)('GET %s needs no key', async (path) => {
    const reply = await api.send('GET', path, { headers: { Authorization: '' } });
    expect(reply.status).toBe(200);
  });
});

describe('every response', () => {
  it.each(['/livez', '/healthz', '/nowhere', '/v1/payments', '/v1/payments?limit=0'])(
    'has the common headers (%s)',
    async (path) => {
      const { headers } = await api.send('GET', path);
      expect(headers.get('request-id')).toMatch(/^req_[0-9A-Z]{26}$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );
});

/** Sends `times` concurrent GET /readyz to a server with that Temporal. */
async function ask(temporal: Temporal, times = 1) {
  const server = await serveApi({ secret: '' }, { mongo, temporal });
  const asked = Array.from({ length: times }, async () => server.send('GET', '/readyz'));
  const replies = await Promise.all(asked);
  await server.close();
  return replies.map(({ status, json }) => ({ status, json: json as unknown }));
}

describe('GET /readyz', () => {
  it('reports that both dependencies are available', async () => {
    expect(await ask(recordingTemporal(mongo))).toEqual([
      { status: 200, json: { status: 'ok', checks: { mongodb: 'ok', temporal: 'ok' } } },
    ]);
  });

  it('is 503 once the server begins to stop', async () => {
    const log = pino({ level: 'silent' });
    const stopping = new AbortController();
    const { signal } = stopping;
    const ready = makeReadiness({
      mongo,
      temporal: recordingTemporal(mongo),
      log,
      stopping: signal,
    });
    expect((await ready()).status).toBe(200);
    stopping.abort();
    expect(await ready()).toMatchObject({ status: 503, text: '{"status":"stopping"}' });
  });

  it('stays 200 without Temporal, because payments can be created and read without it', async () => {
    const temporal = recordingTemporal(mongo);
    temporal.isReady = async () => false;
    const checks = { mongodb: 'ok', temporal: 'unavailable' };
    expect(await ask(temporal)).toEqual([{ status: 200, json: { status: 'degraded', checks } }]);
  });

  it('checks the dependencies once for all concurrent callers', async () => {
    const temporal = recordingTemporal(mongo);
    let calls = 0;
    temporal.isReady = async () => {
      calls += 1;
      return true;
    };
    // Without HTTP: requests that arrive over more than a second would be checked twice.
    const ready = makeReadiness({ mongo, temporal, log: pino({ level: 'silent' }) });
    const replies = await Promise.all(Array.from({ length: 50 }, ready));
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(calls).toBe(1);
  });

  it('checks again when the result is a second old', async () => {
    const temporal = recordingTemporal(mongo);
    const server = await serveApi({ secret: '' }, { mongo, temporal });
    const read = async () => (await server.send('GET', '/readyz')).json.status as string;
    expect(await read()).toBe('ok');
    temporal.isReady = async () => false;
    expect(await until(read, (status) => status !== 'ok')).toBe('degraded');
    await server.close();
  });
});

describe('GET /v1/currencies', () => {
  it('lists every currency with its digits and minimum', async () => {
    const { json } = await api.send('GET', '/v1/currencies');
    expect(json).toMatchObject({ object: 'list', url: '/v1/currencies', has_more: false });
    expect(json.data[0]).toEqual({
      id: 'AMD',
      object: 'currency',
      code: 'AMD',
      decimals: 0,
      min_amount: 10,
    });
  });
});
