import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type IncomingMessage, type Server } from 'node:http';

import { freePort } from '../../embedded/ports.ts';
import { startProxy } from '../../embedded/proxy.ts';
import { ask } from './ask.ts';

describe('startProxy', () => {
  let seen: IncomingMessage[];
  let inner: Server;
  let closeProxy: () => Promise<void>;
  let port: number;
  let target: { host: string; port: number };

  beforeAll(async () => {
    inner = createServer((incoming, outgoing) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        seen.push(incoming);
        outgoing.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(`got ${body}`);
      });
    });
    target = { host: '127.0.0.1', port: await freePort() };
    await new Promise<void>((resolve) => inner.listen(target, () => resolve()));
    port = await freePort();
    closeProxy = await startProxy({ port, target, hosts: ['Shop.Internal'] });
  });
  beforeEach(() => {
    seen = [];
  });
  afterAll(async () => {
    await closeProxy();
    inner.close();
    inner.closeAllConnections();
  });

  it.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    'localhost.',
    'evil.example@localhost',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '[::2]',
    'localhost:80/',
    ' ',
  ])('refuses every request with the host %j', async (host) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expect((await ask({ port, method, headers: { host } })).status).toBe(403);
    }
    expect(seen).toEqual([]);
  });

  it.each([
    'http://evil.example',
    'http://localhost:3000',
    'https://localhost',
    'null',
    'http://127.0.0.1:PORT',
  ])('refuses changes by a page of the origin %s', async (text) => {
    const headers = { host: `localhost:${port}`, origin: text.replace('PORT', String(port)) };
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await ask({ port, method, headers, body: '{}' })).status).toBe(403);
    }
    expect(seen).toEqual([]);
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'shop.internal', 'LOCALHOST'])(
    'forwards requests of a page of %s, and the responses',
    async (name) => {
      const host = `${name}:${port}`;
      const headers = {
        host,
        origin: `http://${host}`,
        upgrade: 'websocket',
        connection: 'upgrade',
      };
      const response = await ask({
        port,
        method: 'POST',
        path: '/a?b',
        headers,
        body: 'all of it',
      });
      expect(response).toMatchObject({ status: 201, text: 'got all of it' });
      expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
      expect(seen).toHaveLength(1);
      expect(seen[0]).toMatchObject({ method: 'POST', url: '/a?b' });
      expect(seen[0]?.headers).toMatchObject({ host, origin: `http://${host}` });
      expect(seen[0]?.headers).not.toHaveProperty('upgrade');
    },
  );

  it('returns 502 while the web interface is down', async () => {
    const [own, away] = [await freePort(), await freePort()];
    const closeOther = await startProxy({
      port: own,
      target: { host: '127.0.0.1', port: away },
      hosts: [],
    });
    expect((await ask({ port: own, method: 'POST', body: 'x' })).status).toBe(502);
    await closeOther();
  });
});
