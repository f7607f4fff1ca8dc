import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { refusePlainly } from '../../http/refuse.ts';
import { openPort, serve } from '../../http/serve.ts';
import { until } from '../support/until.ts';
import { dial, get, openTestServer, responsesIn } from './testserver.ts';
import type { TestServer } from './testserver.ts';

/** Long enough for a request on a busy machine. */
const NOTICE_MS = 2_000;

let server: TestServer;
afterEach(async () => server.close());

describe('a server that drains', () => {
  it('closes idle connections at once, and others after their response', async () => {
    const open: ServerResponse[] = [];
    server = await openTestServer((req, res) => {
      if (req.url === '/slow') open.push(res);
      else res.end('done');
    });
    const idle = await dial(server.port, get('/'));
    await until(
      () => responsesIn(idle.text),
      (count) => count === 1,
    );
    const busy = await dial(server.port, get('/slow') + get('/next'));
    await until(
      () => open.length,
      (count) => count === 1,
    );
    const drained = server.drain();
    await until(() => idle.isClosed, Boolean);
    expect(busy.isClosed).toBe(false);
    open[0]!.end('done');
    await drained;
    await until(() => busy.isClosed, Boolean);
    expect(busy.text).toContain('Connection: close');
    // The pipelined request had no effect, so the client may send it again.
    expect([responsesIn(busy.text), server.seen]).toEqual([1, ['/', '/slow']]);
  });

  it('serves new connections until the end of its notice, each for one request', async () => {
    server = await openTestServer((_, res) => void res.end('done'));
    const drained = server.drain(NOTICE_MS);
    const line = await dial(server.port, get('/') + get('/next'));
    await until(() => line.isClosed, Boolean);
    expect([responsesIn(line.text), server.seen]).toEqual([1, ['/']]);
    expect(line.text).toContain('Connection: close');
    await drained;
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('fetch failed');
  });

  it('keeps connections open before that', async () => {
    server = await openTestServer((_, res) => void res.end('done'));
    const line = await dial(server.port);
    for (let i = 1; i <= 3; i += 1) {
      line.socket.write(get(`/${i}`));
      await until(
        () => responsesIn(line.text),
        (count) => count === i,
      );
    }
    expect([line.isClosed, await server.connections()]).toEqual([false, 1]);
    await server.drain();
    await until(() => line.isClosed, Boolean);
  });
});

describe('openPort', () => {
  it('names the variable of a port that is taken', async () => {
    server = await openTestServer(() => undefined);
    const second = serve({ handle: async () => undefined, refuse: refusePlainly });
    const taken = { variable: 'API_PORT', port: server.port, host: '127.0.0.1' };
    await expect(openPort(second, taken)).rejects.toThrow(`API_PORT: cannot listen on port`);
  });
});
