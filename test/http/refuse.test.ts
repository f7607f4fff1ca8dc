import { afterEach, describe, expect, it } from 'vitest';
import Koa from 'koa';
import { checkHead } from '../../http/refuse.ts';
import { until } from '../support/until.ts';
import { dial, openTestServer } from './testserver.ts';
import type { TestServer } from './testserver.ts';

/** As in production, but with shorter times. */
const QUICK = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 };

let server: TestServer;
afterEach(async () => server.close());

/** Returns everything that a server of pages sends until it hangs up. */
async function exchange(text: string, options = {}): Promise<string> {
  const app = new Koa();
  app.silent = true;
  app.use(checkHead);
  app.use(async (ctx) => {
    for await (const chunk of ctx.req) expect(chunk).toBeDefined();
    ctx.body = 'served';
  });
  const handle = app.callback();
  server = await openTestServer(handle, { options });
  const line = await dial(server.port, text);
  await until(() => line.isClosed || line.text.endsWith('served'), Boolean);
  line.socket.destroy();
  return line.text;
}

const HOST = 'Host: a\r\n';
const CHUNKED = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`;

describe('a server of pages', () => {
  it.each([
    ['broken HTTP', 'HELLO\r\n\r\n', 400],
    ['an odd version', `GET / HTTP/1.2\r\n${HOST}\r\n`, 400],
    ['a chunk without a size', `${CHUNKED}zz\r\n`, 400],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
    ],
    ['endless headers', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}`, 431],
    ['CONNECT', `CONNECT a:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
  ])('refuses %s with a short text and hangs up', async (_, sent, status) => {
    const text = await exchange(sent);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('Content-Type: text/plain; charset=utf-8');
    expect(head).toContain("Content-Security-Policy: default-src 'none'");
    expect(head).toContain('Connection: close');
    expect(body).toMatch(/^[A-Z][A-Za-z ]+\n$/);
  });

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\n{`],
    ['first line', 'GET'],
  ])('refuses a sender that does not finish its %s', async (_, sent) => {
    expect(await exchange(sent, QUICK)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('closes the connection of a sender that sends nothing, without a response', async () => {
    expect(await exchange('', QUICK)).toBe('');
  });

  const CLOSE = 'Connection: close\r\n';
  it.each([
    ['two hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`, 400],
    ['no host', `GET / HTTP/1.1\r\n${CLOSE}\r\n`, 400],
    ['version 1.0 with two hosts', `GET / HTTP/1.0\r\n${HOST}${HOST}\r\n`, 400],
    ['a path that is too long', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 414],
    ['version 1.0 without a host', 'GET / HTTP/1.0\r\n\r\n', 200],
    ['an unknown expectation', `GET / HTTP/1.1\r\n${HOST}Expect: tea\r\n${CLOSE}\r\n`, 200],
  ])('lets the app respond to %s', async (_, sent, status) => {
    expect(await exchange(sent)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});
