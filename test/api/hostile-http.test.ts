/** Broken and unusual HTTP, byte by byte. */
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, countAll, exchange, expectDocumented } from './hostile.ts';
import type { RawAnswer } from './hostile.ts';
import { makePayment } from '../support/rows/payment.ts';
import { PAYMENT, openStand } from './harness.ts';

const { mongo, tenant, api } = await openStand('hostile_http');

let counts: Record<string, number>;
beforeAll(async () => {
  counts = await countAll(mongo);
});

const BODY = JSON.stringify(PAYMENT);

/** Returns a request with the merchant's key. `lines` add headers, or replace `Host` and the key. */
function request(line: string, lines: readonly string[] = [], body = ''): string {
  const head = [line, 'Host: a', `Authorization: Bearer ${tenant.secret}`, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const post = (lines: readonly string[], body = BODY): string =>
  request('POST /v1/payments HTTP/1.1', ['Content-Type: application/json', ...lines], body);
const get = (...lines: string[]): string => request('GET /v1/currencies HTTP/1.1', lines);
const LENGTH = `Content-Length: ${BODY.length}`;

async function expectRefused(sent: string | Buffer, code: string): Promise<RawAnswer> {
  const [answer, ...more] = await exchange(api.port, sent, { answers: 1 });
  expect(answer && codeOf(answer)).toBe(code);
  expectDocumented(answer!);
  expect(more).toEqual([]);
  expect(await countAll(mongo)).toEqual(counts);
  return answer!;
}

describe('a body with two lengths', () => {
  it.each<[string, () => string]>([
    ['Content-Length and Transfer-Encoding', () => post([LENGTH, 'Transfer-Encoding: chunked'])],
    ['Transfer-Encoding and Content-Length', () => post(['Transfer-Encoding: chunked', LENGTH])],
    ['two Content-Lengths', () => post([LENGTH, 'Content-Length: 5'])],
    ['the same Content-Length twice', () => post([LENGTH, LENGTH])],
    ['Content-Length with a comma', () => post([`${LENGTH}, 5`])],
    ['a negative Content-Length', () => post(['Content-Length: -1'])],
    ['a signed Content-Length', () => post([`Content-Length: +${BODY.length}`])],
    ['a hexadecimal Content-Length', () => post(['Content-Length: 0x10'])],
    ['a huge Content-Length', () => post([`Content-Length: ${'9'.repeat(30)}`])],
    ['an unknown Transfer-Encoding', () => post(['Transfer-Encoding: gzip'])],
    ['chunked before another encoding', () => post(['Transfer-Encoding: chunked, gzip'])],
    [
      'a chunk size that is not a number',
      () => post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n'),
    ],
    ['a negative chunk size', () => post(['Transfer-Encoding: chunked'], '-1\r\n{}\r\n')],
    [
      'a huge chunk size',
      () => post(['Transfer-Encoding: chunked'], `${'f'.repeat(17)}\r\n{}\r\n`),
    ],
    [
      'a chunk that is longer than its size',
      () => post(['Transfer-Encoding: chunked'], '2\r\n{}}}\r\n0\r\n\r\n'),
    ],
    ['a space before the colon', () => post([`Content-Length : ${BODY.length}`])],
  ])('is refused: %s', async (_, sent) => {
    await expectRefused(sent(), 'parameter_invalid');
  });
});

describe('headers', () => {
  it.each<[string, () => string | Buffer, string]>([
    ['folded over two lines', () => get('X-A: b', ' c'), 'parameter_invalid'],
    ['with NUL', () => get('X-A: b\0c'), 'parameter_invalid'],
    ['with a bare CR', () => get('X-A: b\rc'), 'parameter_invalid'],
    ['without a name', () => get(': b'), 'parameter_invalid'],
    ['with a space in a name', () => get('X A: b'), 'parameter_invalid'],
    ['without Host', () => 'GET /v1/currencies HTTP/1.1\r\n\r\n', 'parameter_invalid'],
    ['with Host twice', () => get('Host: b'), 'parameter_invalid'],
    ['of 20 KiB in one', () => get(`X-A: ${'a'.repeat(20_000)}`), 'headers_too_large'],
    [
      'of 20 KiB in 2,000',
      () => get(...Array.from({ length: 2_000 }, (_, i) => `X-${i}: abc`)),
      'headers_too_large',
    ],
    ['with a name of 20 KiB', () => get(`X-${'a'.repeat(20_000)}: b`), 'headers_too_large'],
  ])('%s are refused', async (_, sent, code) => {
    await expectRefused(sent(), code);
  });
});

const CLOSED = 'Connection: close';

describe('a path', () => {
  it.each<[string, string, string]>([
    ['of 9 KiB', `/v1/payments?order_id=${'o'.repeat(9_000)}`, 'uri_too_long'],
    ['of 9 KiB without a query', `/v1/payments/${'o'.repeat(9_000)}`, 'uri_too_long'],
    ['with an encoded slash', '/v1/payments/..%2f..', 'resource_missing'],
    ['with encoded slashes and dots', '/v1/payments/%2e%2e%2f%2e%2e%2fetc', 'resource_missing'],
    ['with dots', '/v1/payments/../currencies', 'route_missing'],
    ['with a dot', '/v1/./payments', 'route_missing'],
    ['with two slashes', '//v1/payments', 'route_missing'],
    ['with a backslash', '/v1\\payments', 'route_missing'],
    ['with NUL', '/v1/payments/%00', 'resource_missing'],
    ['with NUL after an id', '/v1/payments/pay_01ARZ3NDEKTSV4RRFFQ69G5FAV%00', 'resource_missing'],
    ['with line breaks', '/v1/payments/%0d%0aX-A:%20b', 'resource_missing'],
    ['with an invalid escape', '/v1/payments/%zz', 'resource_missing'],
    ['with half an escape', '/v1/payments/%', 'resource_missing'],
    ['with a byte that is not UTF-8', '/v1/payments/%ff', 'resource_missing'],
    ['with a surrogate', '/v1/payments/%ed%a0%80', 'resource_missing'],
    ['with an operator', '/v1/payments/[$ne]=1', 'resource_missing'],
    ['with an encoded path', '/v1%2fpayments', 'route_missing'],
    ['with a fragment', '/v1/nothing#/v1/currencies', 'route_missing'],
    ['with parameters of a path', '/v1/currencies;a=b', 'route_missing'],
    ['of a JavaScript property', '/__proto__', 'route_missing'],
    ['that is a star', '*', 'route_missing'],
    ['of another host', 'http://evil.example/v1/nothing', 'route_missing'],
  ])('%s is refused', async (_, path, code) => {
    await expectRefused(request(`GET ${path} HTTP/1.1`), code);
  });

  it.each(['\xff', '/v1/payments/\xff', '/v1/pay ments', 'v1/payments'])(
    'with characters that must be encoded is refused: %j',
    async (path) => {
      const sent = Buffer.from(request(`GET ${path} HTTP/1.1`), 'latin1');
      const [answer] = await exchange(api.port, sent, { answers: 1 });
      expectDocumented(answer!);
      expect(answer!.status).toBeGreaterThanOrEqual(400);
    },
  );

  it('in absolute form is served by its path, and its host is ignored', async () => {
    for (let i = 0; i < 2; i += 1) await mongo.payments.insertOne(makePayment({ m: tenant.m }));
    const line = 'GET http://evil.example/v1/payments?limit=1 HTTP/1.1';
    const lines = ['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example'];
    const [answer] = await exchange(api.port, request(line, lines), { answers: 1 });
    await mongo.payments.deleteMany({});
    expect(answer!.status).toBe(200);
    expect(answer!.headers.get('link')).toContain('<https://api.example/v1/payments?');
    expect(answer!.text).not.toContain('evil');
  });
});

describe('a method', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'MOVE', 'LINK', 'SEARCH'])(
    'that no path has is refused: %s',
    async (method) => {
      const answer = await expectRefused(
        request(`${method} /v1/payments HTTP/1.1`),
        'method_not_allowed',
      );
      expect(answer.headers.get('allow')).toBe('POST, HEAD, GET');
      expect(answer.text).not.toContain(tenant.secret);
    },
  );

  it('CONNECT is refused', async () => {
    await expectRefused(request('CONNECT evil.example:443 HTTP/1.1'), 'method_not_allowed');
  });

  it.each(['GETS', 'get', 'G E T', 'A'.repeat(10_000), ''])(
    'that is none is refused: %s',
    async (method) => {
      await expectRefused(request(`${method} /v1/payments HTTP/1.1`), 'parameter_invalid');
    },
  );

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'is not overridden by %s',
    async (name) => {
      const [answer] = await exchange(api.port, get(`${name}: POST`), { answers: 1 });
      expect(answer!.status).toBe(200);
      const path = '/v1/payments?_method=POST';
      expect(codeOf((await api.send('GET', path)) satisfies RawAnswer)).toBe('parameter_unknown');
    },
  );

  it('HEAD gets the same response as GET, without the body', async () => {
    const head = request('HEAD /v1/currencies HTTP/1.1', [CLOSED]);
    const [answer, ...more] = await exchange(api.port, head, { isBodiless: true });
    const whole = await api.send('GET', '/v1/currencies');
    expect([answer!.status, more]).toEqual([200, []]);
    expect(answer!.headers.get('content-length')).toBe(String(Buffer.byteLength(whole.text)));
  });

  it('GET may have a body, which is not read', async () => {
    const sent = request('GET /v1/currencies HTTP/1.1', ['Content-Length: 3', CLOSED], '{{{');
    expect((await exchange(api.port, sent)).map(codeOf)).toEqual([200]);
  });
});

describe('a version', () => {
  it('of HTTP/1.0 is served without Host, and the connection ends', async () => {
    const sent = `GET /v1/currencies HTTP/1.0\r\nAuthorization: Bearer ${tenant.secret}\r\n\r\n`;
    expect((await exchange(api.port, sent)).map(codeOf)).toEqual([200]);
  });

  it.each(['HTTP/2.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/9.9', 'FTP/1.1', 'http/1.1'])(
    'that is none is refused: %s',
    async (version) => {
      await expectRefused(request(`GET /v1/currencies ${version}`), 'parameter_invalid');
    },
  );

  it.each(['h2c', 'websocket'])('is not changed to %s', async (upgrade) => {
    const sent = get('Connection: Upgrade', `Upgrade: ${upgrade}`);
    expect((await exchange(api.port, sent, { answers: 1 })).map(codeOf)).toEqual([200]);
  });
});
