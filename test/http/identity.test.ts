import { describe, expect, it } from 'vitest';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withIdentity } from '../../http/identity.ts';
import type { Identity } from '../../http/identity.ts';
import { closeAfterTests } from '../support/close.ts';

const identity: Identity = {
  service: 'checkout',
  url: 'https://pay.example',
  version: '1.2.3',
  key_id: '0a0b0c0d',
};
const handle = withIdentity(async (_, response) => response.writeHead(404).end(), identity);
const server = createServer((request, response) => void handle(request, response));
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
closeAfterTests({
  close: async () => {
    server.closeAllConnections();
    server.close();
  },
});
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('withIdentity', () => {
  it.each([
    [{}, 0],
    [{ 'X-Forwarded-For': '192.0.2.1' }, 1],
    [{ 'X-Forwarded-For': '192.0.2.1, 198.51.100.7' }, 2],
  ])('sends the document, and counts the proxies in %o', async (headers, forwarded) => {
    const response = await fetch(`${origin}/.well-known/tollgate`, { headers });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ ...identity, forwarded });
  });

  it.each([
    ['POST', '/.well-known/tollgate'],
    ['GET', '/.well-known/tollgate/'],
    ['GET', '/'],
  ])('leaves %s %s to the application', async (method, path) => {
    expect((await fetch(origin + path, { method })).status).toBe(404);
  });
});
