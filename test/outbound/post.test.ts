import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound } from '../../outbound/post.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** The production limit, because a busy machine may read a response late. */
const TIMEOUT_MS = 15_000;
/** The time limit for receivers that never respond. */
const HASTY_MS = 400;
/** Less than a wait without the limit, and more than a busy machine adds. */
const LATE_MS = 10_000;
/** The bytes of an unread response that our process and the network may buffer. */
const BUFFERS_BYTES = 16 * 1024 * 1024;
const LOOPBACK = parseRanges(['127.0.0.1/32']);

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

let outbound: Outbound;
let hasty: Outbound;
let receiver: Receiver;

beforeEach(async () => {
  outbound = makeOutbound({ opened: LOOPBACK, timeoutMs: TIMEOUT_MS });
  hasty = makeOutbound({ opened: LOOPBACK, timeoutMs: HASTY_MS });
  receiver = await openReceiver();
});
afterEach(async () => {
  await outbound.close();
  await hasty.close();
  await receiver.close();
});

const post = async (url: string, from = outbound) =>
  from.post({
    url,
    headers: { 'Content-Type': 'application/json', 'X-Test': '1' },
    body: '{"a":"ա"}',
  });

/** Opens a server below HTTP. `onSocket` handles each connection. */
async function rawServer(onSocket: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

describe('an address that is not opened', () => {
  it.each(['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '0'])(
    'gets no connection: %s',
    async (host) => {
      const guarded = makeOutbound({ opened: [], timeoutMs: TIMEOUT_MS });
      const result = await post(`http://${host}:${receiver.port}/hooks`, guarded);
      await guarded.close();
      expect(result).toMatchObject({ status: null, error: 'address_blocked' });
      expect(receiver.connections).toBe(0);
      // The listener counts: an opened address is reached.
      await post(receiver.url);
      expect(receiver.connections).toBe(1);
    },
  );

  it('gets no connection from a redirect', async () => {
    const inner = await openReceiver();
    receiver.respond = () => ({ status: 307, headers: { location: inner.url } });
    expect(await post(receiver.url)).toMatchObject({ status: 307, error: 'redirect' });
    expect(inner.connections).toBe(0);
    await inner.close();
  });
});

describe('an opened address', () => {
  it('gets one POST with the same bytes and headers', async () => {
    const result = await post(`${receiver.url}?x=1`);
    expect(result).toMatchObject({ status: 200, error: null });
    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?x=1' });
    expect(request!.headers).toMatchObject({ 'content-type': 'application/json', 'x-test': '1' });
    expect(request!.raw).toEqual(Buffer.from('{"a":"ա"}'));
  });

  it('is reached by name, with one lookup', async () => {
    const opened = parseRanges(['127.0.0.1/32', '::1/128']);
    const named = makeOutbound({ opened, timeoutMs: TIMEOUT_MS });
    const result = await post(`http://localhost:${receiver.port}/hooks`, named);
    await named.close();
    expect(result).toMatchObject({ status: 200, error: null });
    expect(receiver.requests[0]?.headers.host).toBe(`localhost:${receiver.port}`);
  });

  it.each<[number, string | null]>([
    [204, null],
    [299, null],
    [301, 'redirect'],
    [400, 'status'],
    [410, 'status'],
    [500, 'status'],
  ])('returns the status %i with the error %s', async (status, error) => {
    receiver.respond = () => ({ status });
    expect(await post(receiver.url)).toMatchObject({ status, error });
  });

  it('returns the Retry-After of the response', async () => {
    receiver.respond = () => ({ status: 503, headers: { 'retry-after': '120' } });
    expect(await post(receiver.url)).toMatchObject({ status: 503, retryAfter: '120' });
  });
});

describe('the record of an exchange', () => {
  it('has the response with its headers', async () => {
    const headers = { 'x-trace': 'a', 'content-type': 'text/plain' };
    receiver.respond = () => ({ status: 418, headers, body: 'Ոչ, ես թեյնիկ եմ' });
    const { response } = await post(receiver.url);
    expect(response).toMatchObject({ body: 'Ոչ, ես թեյնիկ եմ', truncated: false });
    expect(response!.headers).toEqual(expect.arrayContaining(Object.entries(headers)));
  });

  it('has the first 16 KiB of a longer body, and that it is truncated', async () => {
    receiver.respond = () => ({ status: 200, body: 'x'.repeat(16 * 1024 + 1) });
    const { response } = await post(receiver.url);
    expect(response!.body).toHaveLength(16 * 1024);
    expect(response!.truncated).toBe(true);
    receiver.respond = () => ({ status: 200, body: 'x'.repeat(16 * 1024) });
    expect((await post(receiver.url)).response!.truncated).toBe(false);
  });

  it('has the body as text, even if it is not valid UTF-8', async () => {
    const { url, close } = await rawServer((socket) => {
      socket.once('data', () =>
        socket.end(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\0', 'latin1')),
      );
    });
    const { response } = await post(url);
    await close();
    expect(response!.body).toBe('\ufffd\0');
  });

  it('has the time of each part, and null for parts that did not happen', async () => {
    receiver.respond = async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 60);
      });
      return { status: 200 };
    };
    const opened = parseRanges(['127.0.0.1/32', '::1/128']);
    const named = makeOutbound({ opened, timeoutMs: TIMEOUT_MS });
    const byName = await post(`http://localhost:${receiver.port}/hooks`, named);
    await named.close();
    expect(byName.timings.dns).toEqual(expect.any(Number));
    const { timings, durationMs } = await post(receiver.url);
    expect(timings).toEqual({
      dns: null,
      connect: expect.any(Number),
      tls: null,
      first_byte: expect.any(Number),
    });
    expect(timings.first_byte).toBeGreaterThanOrEqual(50);
    expect(durationMs).toBeGreaterThanOrEqual(timings.first_byte!);
    // If the second request starts before the first connection is free, there are two.
    const again = async () => (await post(receiver.url)).timings;
    expect(await until(again, ({ connect }) => connect === null)).toMatchObject({ tls: null });
  });

  it('has no response if none came', async () => {
    receiver.respond = (): Behaviour => 'silence';
    const { response, timings } = await post(receiver.url, hasty);
    expect(response).toBeNull();
    expect(timings.first_byte).toBeNull();
  });
});

describe('an exchange that fails', () => {
  it('ends at the time limit of the whole exchange', async () => {
    receiver.respond = (): Behaviour => 'silence';
    const result = await post(receiver.url, hasty);
    expect(result).toMatchObject({ status: null, error: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(HASTY_MS - 10);
    expect(result.durationMs).toBeLessThan(LATE_MS);
  });

  it('does not read more than 16 KiB of a response', async () => {
    receiver.respond = (): Behaviour => 'flood';
    const result = await post(receiver.url);
    expect(result).toMatchObject({ status: 200, error: null });
    await until(
      () => receiver.flood.cutOff,
      (cutOff) => cutOff,
    );
    expect(receiver.flood.bytes).toBeLessThan(BUFFERS_BYTES);
    expect(await post(receiver.url)).toMatchObject({ status: 200 });
  });

  it('keeps the status if the body is slow or breaks off', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n';
    const slow = await rawServer((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const broken = await rawServer((socket) => void socket.write(`${head}xy`, () => socket.end()));
    // Node collects some signals with a time limit before they abort.
    const collecting = setInterval(collect, 100);
    for (const { url, close } of [slow, broken]) {
      const result = await post(url);
      await close();
      expect(result).toMatchObject({ status: 200, error: null });
      expect(result.durationMs).toBeLessThan(LATE_MS);
    }
    clearInterval(collecting);
  });

  it('distinguishes a closed port from silence', async () => {
    const { port } = receiver;
    await receiver.close();
    const result = await post(`http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ status: null, error: 'connect_failed' });
    receiver = await openReceiver();
  });

  it('reports plain HTTP instead of TLS', async () => {
    const result = await post(receiver.url.replace('http:', 'https:'));
    expect(result).toMatchObject({ status: null, error: 'tls_failed' });
  });
});
