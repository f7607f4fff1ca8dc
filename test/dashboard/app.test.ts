import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDashboard } from '../../dashboard/app.ts';
import { until } from '../support/until.ts';
import { dial, openTestServer } from '../http/testserver.ts';
import type { TestServer } from '../http/testserver.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer(createDashboard().callback());
});
afterAll(async () => server.close());

const TOO_LONG = `/${'a'.repeat(9_000)}`;

describe('the dashboard', () => {
  it.each([
    ['shows its page', 'GET / HTTP/1.1\r\nHost: a', 200],
    ['reports that it is alive', 'GET /healthz HTTP/1.1\r\nHost: a', 200],
    ['has no other page', 'GET /login HTTP/1.1\r\nHost: a', 404],
    ['refuses two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b', 400],
    ['refuses a path that is too long', `GET ${TOO_LONG} HTTP/1.1\r\nHost: a`, 414],
    ['refuses CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a', 405],
    ['refuses broken HTTP', 'HELLO', 400],
  ])('%s', async (_, head, status) => {
    const line = await dial(server.port, `${head}\r\nConnection: close\r\n\r\n`);
    await until(() => line.isClosed, Boolean);
    expect(line.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});
