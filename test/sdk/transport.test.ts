import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TollgateApiError, TollgateConnectionError, TollgateError } from '../../sdk/index.ts';
import { until } from '../support/until.ts';
import { API_KEY, errorOf, PAYMENT, refusal, Service } from './service.ts';
import type { Reply } from './service.ts';

const BODY = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' } as const;
const OK: Reply = { body: PAYMENT };
const LATE_MS = 10_000;

let service: Service;
beforeEach(async () => {
  service = new Service();
  await service.start();
});
afterEach(() => service.stop());

const keys = () => service.seen.map(({ headers }) => headers['idempotency-key']);

describe('a failed call', () => {
  it.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 431])(
    'is not retried after status %i',
    async (status) => {
      service.play({ status, body: refusal('parameter_invalid', 'invalid_request') });
      const error = await errorOf(service.client().payments.create(BODY));
      expect(error).toBeInstanceOf(TollgateApiError);
      expect(error).toMatchObject({ status, code: 'parameter_invalid' });
      expect(service.seen).toHaveLength(1);
    },
  );

  const faults: [string, Reply][] = [
    ['a broken connection', 'reset'],
    ['a response that is cut off', 'cut'],
    ...[408, 429, 500, 502, 503, 504].map((status): [string, Reply] => [
      `a status of ${status}`,
      { status, body: refusal('unavailable') },
    ]),
    ['an HTML page of a proxy', { status: 502, body: '<h1>Bad Gateway</h1>' }],
  ];
  it.each(faults)('is retried after %s, with the same bytes and the same key', async (_, fault) => {
    service.play(fault, fault, OK);
    expect(await service.client().payments.create(BODY)).toEqual(PAYMENT);
    expect(service.seen).toHaveLength(3);
    expect(new Set(service.seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(BODY)]));
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });

  it('is retried without a key if it is a GET', async () => {
    service.play('reset', { status: 503 }, OK);
    await service.client().payments.retrieve(PAYMENT.id);
    expect(keys()).toEqual([undefined, undefined, undefined]);
  });

  it('is retried if there is no response within timeoutMs', async () => {
    service.play('hang', OK);
    // Long enough for the second response on a busy machine.
    await service.client({ timeoutMs: 2_000 }).payments.create(BODY);
    expect(service.seen).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it('throws after maxRetries, of the client or of the call', async () => {
    service.play({ status: 503, body: refusal('unavailable') });
    const client = service.client({ maxRetries: 1 });
    await errorOf(client.payments.create(BODY));
    expect(service.seen).toHaveLength(2);
    await errorOf(client.payments.create(BODY, { maxRetries: 4 }));
    expect(service.seen).toHaveLength(2 + 5);
    await errorOf(client.payments.create(BODY, { maxRetries: 0 }));
    expect(service.seen).toHaveLength(2 + 5 + 1);
  });

  it('waits for Retry-After', async () => {
    service.play({ status: 429, headers: { 'retry-after': '1' } }, OK);
    const start = Date.now();
    await service.client().payments.create(BODY);
    expect(Date.now() - start).toBeGreaterThanOrEqual(990);
  });

  it.each([
    ['seconds', () => '3600'],
    ['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
  ])('throws at once if Retry-After asks for an hour, in %s', async (_, header) => {
    const headers = { 'retry-after': header() };
    service.play({ status: 503, headers, body: refusal('unavailable') });
    const error = (await errorOf(service.client().payments.create(BODY))) as TollgateApiError;
    expect(error).toMatchObject({ status: 503, retryable: true });
    expect(Math.abs((error.retryAfterSeconds ?? 0) - 3_600)).toBeLessThan(60);
    expect(service.seen).toHaveLength(1);
  });

  it.each(['soon', '-1', '0x10', '1.5', new Date(0).toUTCString()])(
    'does not wait for a Retry-After of %s',
    async (header) => {
      service.play({ status: 503, headers: { 'retry-after': header } }, OK);
      await service.client().payments.create(BODY);
      expect(service.seen).toHaveLength(2);
    },
  );
});

describe('the signal of a call', () => {
  it('stops the call before any request', async () => {
    const reason = new Error('too late');
    const { payments } = service.client();
    const signal = AbortSignal.abort(reason);
    expect(await errorOf(payments.create(BODY, { signal }))).toBe(reason);
    expect(await errorOf(payments.list({}, { signal }))).toBe(reason);
    expect(service.seen).toHaveLength(0);
  });

  it('stops the call while the service is silent', async () => {
    service.play('hang');
    const aborter = new AbortController();
    const call = errorOf(service.client().payments.create(BODY, { signal: aborter.signal }));
    await until(() => service.seen.length, Boolean);
    aborter.abort();
    expect(await call).toBe(aborter.signal.reason);
    expect(service.seen).toHaveLength(1);
  });

  it('stops the call during the wait before a retry', async () => {
    service.play({ status: 503, headers: { 'retry-after': '60' } });
    const aborter = new AbortController();
    const client = service.client({
      fetch: async (...args) => {
        const response = await fetch(...args);
        // Fires after the response has been read, during the wait.
        setTimeout(() => aborter.abort(new Error('stop')), 200);
        return response;
      },
    });
    const start = Date.now();
    const error = await errorOf(client.payments.create(BODY, { signal: aborter.signal }));
    expect(error).toBe(aborter.signal.reason);
    expect(Date.now() - start).toBeLessThan(LATE_MS);
    expect(service.seen).toHaveLength(1);
  });
});

describe('TollgateConnectionError', () => {
  it('has the reason, and the key to retry with', async () => {
    service.play('reset');
    const given = { idempotencyKey: 'order-1001' };
    const broken = await errorOf(service.client().payments.create(BODY, given));
    expect(broken).toBeInstanceOf(TollgateConnectionError);
    expect(broken).toMatchObject({ reason: 'network', idempotencyKey: 'order-1001' });
    expect((broken as Error).cause).toBeDefined();
    service.play('hang');
    const late = await errorOf(service.client({ timeoutMs: 500 }).payments.create(BODY));
    expect(late).toMatchObject({ reason: 'timeout', idempotencyKey: keys().at(-1) });
    const message = `${service.url} sent no response within 500 ms. Check baseUrl and timeoutMs.`;
    expect((late as Error).message).toBe(message);
  });

  it.each([
    ['is not JSON', '<h1>Welcome</h1>'],
    ['is another object', { object: 'list', data: [] }],
    ['is null', 'null'],
    ['is empty', ''],
  ])('is thrown at once for a response that %s', async (_, body) => {
    service.play({ body });
    const error = await errorOf(service.client().payments.create(BODY));
    expect(error).toBeInstanceOf(TollgateConnectionError);
    expect(error).toMatchObject({ reason: 'answer', idempotencyKey: keys()[0] });
    expect(service.seen).toHaveLength(1);
  });

  it('is thrown for a response that is too large', async () => {
    service.play({ body: { ...PAYMENT, description: 'x'.repeat(17 * 1024 * 1024) } });
    const error = await errorOf(service.client().payments.retrieve(PAYMENT.id));
    expect(error).toMatchObject({ reason: 'answer', message: expect.stringContaining('larger') });
  });
});

describe('TollgateApiError', () => {
  it('has every field of the response', async () => {
    const errors = [
      { param: 'amount', code: 'parameter_missing', message: 'amount is missing.' },
      { param: 'currency', code: 'currency_unsupported', message: 'No.' },
    ];
    const { error: base } = refusal('parameter_missing', 'invalid_request');
    service.play({ status: 400, body: { error: { ...base, param: 'amount', errors } } });
    expect(await errorOf(service.client().payments.create(BODY))).toMatchObject({
      name: 'TollgateApiError',
      status: 400,
      type: 'invalid_request',
      code: 'parameter_missing',
      message: 'refused: parameter_missing',
      param: 'amount',
      errors,
      requestId: 'req_1',
      docUrl: 'https://api.example/docs#parameter_missing',
      retryAfterSeconds: null,
      idempotencyKey: keys()[0],
    });
  });

  it.each([
    ['an HTML page of a proxy', '<h1>Forbidden</h1>'],
    ['an error in another form', { error: 'forbidden', errors: 3 }],
    ['an error with malformed fields', { error: { code: 7, errors: [null, { code: 1 }] } }],
  ])('has the code `unknown` for %s', async (_, body) => {
    service.play({ status: 403, headers: { 'request-id': 'req_9' }, body });
    const error = await errorOf(service.client().payments.retrieve(PAYMENT.id));
    expect(error).toMatchObject({ status: 403, code: 'unknown', requestId: 'req_9' });
    expect(error).toMatchObject({ param: null, docUrl: null, idempotencyKey: null });
  });

  it('is thrown for a redirect, which is not followed with the key', async () => {
    service.play({ status: 307, headers: { location: 'http://127.0.0.1:9/' } });
    const error = await errorOf(service.client().payments.create(BODY));
    expect(error).toMatchObject({ status: 307, code: 'unknown' });
    expect(error).toHaveProperty('message', expect.stringContaining('check baseUrl'));
    expect(service.seen).toHaveLength(1);
  });
});

describe('the API key', () => {
  it('is sent in the header, and is not shown by errors or by inspecting the client', async () => {
    const client = service.client({ maxRetries: 0 });
    await client.payments.retrieve(PAYMENT.id);
    expect(service.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^tollgate-sdk\/\d+\.\d+\.\d+$/),
    });
    for (const reply of ['reset', 'cut', { status: 401 }, { body: 'x' }] as const) {
      service.play(reply);
      const error = await errorOf(client.payments.create(BODY));
      expect(error).toBeInstanceOf(TollgateError);
      const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
      expect(shown).not.toContain(API_KEY);
    }
    const shown = inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client);
    expect(shown).not.toContain(API_KEY);
  });
});
