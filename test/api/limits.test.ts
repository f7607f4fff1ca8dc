import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { makeTenant, recordingTemporal, serveApi } from './harness.ts';
import { openDatabase } from '../support/mongo.ts';
import { closeAfterTests } from '../support/close.ts';

/** As in production, but with shorter times, for senders that are too slow. */
const QUICK = {
  options: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
};

const mongo = closeAfterTests(await openDatabase('limits'));
const tenant = await makeTenant(mongo);
const temporal = recordingTemporal(mongo);
const api = closeAfterTests(await serveApi(tenant, { mongo, temporal }));
const quick = closeAfterTests(await serveApi(tenant, { mongo, temporal }, QUICK));

/** Sends raw text and reads until the server hangs up. */
async function exchange(text: string, { port } = api) {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });
  const [headers = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body) as { error: { code: string } };
  return { status: Number(headers.split(' ')[1]), headers, code: error.code };
}

describe('a request that Node refuses', () => {
  it.each([
    ['broken HTTP', 'HELLO\r\n\r\n', 400, 'parameter_invalid'],
    ['no Host', 'GET / HTTP/1.1\r\nHost\r\n\r\n', 400, 'parameter_invalid'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'parameter_invalid',
    ],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`,
      431,
      'headers_too_large',
    ],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'request_timeout'],
  ])('gets an error from the catalogue: %s', async (_, sent, status, code) => {
    const answer = await exchange(sent, code === 'request_timeout' ? quick : api);
    expect(answer).toMatchObject({ status, code });
    expect(answer.headers).toMatch(/^Request-Id: req_[0-9A-Z]{26}$/m);
    expect(answer.headers).toContain('Content-Type: application/json; charset=utf-8');
  });

  it('gets 408 if its body is too slow', async () => {
    const head = [
      'POST /v1/payments HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${tenant.secret}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ];
    const answer = await exchange(`${head.join('\r\n')}\r\n\r\n{"amount":`, quick);
    expect(answer).toMatchObject({ status: 408, code: 'request_timeout' });
  });
});

describe('a path', () => {
  it('of more than 8 KiB gets 414', async () => {
    const reply = await api.send('GET', `/v1/payments?order_id=${'o'.repeat(8 * 1024)}`);
    expect([reply.status, reply.json.error.code]).toEqual([414, 'uri_too_long']);
  });
});
