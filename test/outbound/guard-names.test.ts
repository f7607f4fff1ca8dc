import { describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { openRawServer } from './rawserver.ts';
import { openReceiver } from '../support/receiver.ts';
import { openListener } from './listeners.ts';
import { LOOPBACK, noLookup, post, useGuard } from './guard-harness.ts';

/** An address that stands for the public internet. The listeners are at other addresses. */
const OUTSIDE = '127.0.0.3';
const REBINDINGS = 1_000;

const guard = await useGuard('guard_names');

describe('a name with an internal address', () => {
  it.each(HOSTILE_NAMES)('is refused: %s', async (_, addresses) => {
    const url = `http://shop.example:${guard.listeners.port}/hooks`;
    const outbound = guard.openOutbound(async () => addresses);
    expect(await post(outbound, url)).toMatchObject({ status: null, error: 'address_blocked' });
    expect(await guard.deliverTo(url, outbound)).toEqual(['address_blocked']);
  });

  it('is refused if the name is internal, even with a public address', async () => {
    const outbound = guard.openOutbound(async () => [OUTSIDE], parseRanges(['127.0.0.1/32']));
    const url = `http://shop.internal:${guard.listeners.port}/`;
    expect(await post(outbound, url)).toMatchObject({ error: 'address_blocked' });
  });
});

describe('a name whose addresses change', () => {
  const opened = parseRanges([`${OUTSIDE}/32`]);

  it('is looked up once in each exchange, and only the checked address is used', async () => {
    const receiver = await openReceiver(OUTSIDE);
    let lookups = 0;
    // A second lookup in one exchange would return the internal address.
    const outbound = guard.openOutbound(
      async () => [(lookups += 1) % 2 === 1 ? OUTSIDE : '127.0.0.1'],
      opened,
    );
    const url = `http://shop.example:${receiver.port}/hooks`;
    const listener = await openListener('127.0.0.1', receiver.port);
    const counts = new Map<string | null, number>();
    for (let turn = 0; turn < REBINDINGS; turn += 1) {
      // Every fourth exchange uses a new connection.
      if (turn % 4 === 0)
        receiver.respond = () => ({ status: 200, headers: { connection: 'close' } });
      if (turn % 4 === 2) receiver.respond = () => ({ status: 200 });
      const { error } = await post(outbound, url);
      counts.set(error, (counts.get(error) ?? 0) + 1);
    }
    await Promise.all([receiver.close(), listener.close()]);
    expect(listener.connections).toBe(0);
    expect(lookups).toBe(REBINDINGS);
    expect(Object.fromEntries(counts)).toEqual({
      null: REBINDINGS / 2,
      address_blocked: REBINDINGS / 2,
    });
    expect(receiver.requests).toHaveLength(REBINDINGS / 2);
  });

  it('gets no request over a kept-alive connection', async () => {
    const receiver = await openReceiver(OUTSIDE);
    let addresses = [OUTSIDE];
    const outbound = guard.openOutbound(async () => addresses, opened);
    const url = `http://shop.example:${receiver.port}/hooks`;
    expect(await post(outbound, url)).toMatchObject({ status: 200 });
    for (const [, inside] of HOSTILE_NAMES) {
      addresses = [...inside];
      expect(await post(outbound, url)).toMatchObject({ error: 'address_blocked' });
    }
    await receiver.close();
    expect(receiver.requests).toHaveLength(1);
  });

  it('is looked up once for concurrent exchanges, and again for the next one', async () => {
    const receiver = await openReceiver(OUTSIDE);
    let lookups = 0;
    const outbound = guard.openOutbound(async () => {
      lookups += 1;
      return new Promise((resolve) => {
        setImmediate(() => resolve([OUTSIDE]));
      });
    }, opened);
    const url = `http://shop.example:${receiver.port}/hooks`;
    const results = await Promise.all(Array.from({ length: 10 }, async () => post(outbound, url)));
    expect(results.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(lookups).toBe(1);
    await post(outbound, url);
    expect(lookups).toBe(2);
    await receiver.close();
  });
});

describe('a response that leads to an internal address', () => {
  it.each([300, 301, 302, 303, 304, 305, 307, 308])('%i is not followed', async (status) => {
    const receiver = await openReceiver();
    const targets = ['127.0.0.2', '[::1]', 'localhost', '127.0.0.1'];
    const location = `http://${targets[status % targets.length]}:${guard.listeners.port}/`;
    const refresh = `0; url=${location}`;
    const headers = {
      location,
      refresh,
      'content-location': location,
      'alt-svc': `h2=":${guard.listeners.port}"`,
    };
    receiver.respond = () => ({ status, headers });
    const outbound = guard.openOutbound(noLookup, LOOPBACK);
    expect(await post(outbound, receiver.url)).toMatchObject({ status, error: 'redirect' });
    expect(await guard.deliverTo(receiver.url, outbound)).toEqual(['redirect']);
    await receiver.close();
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([
    ['a path', '/inner'],
    ['another host without a scheme', '//127.0.0.2:%p/'],
    ['backslashes', '\\\\127.0.0.2:%p\\'],
    ['slashes left out', 'http:127.0.0.2:%p'],
    ['userinfo', 'http://a@127.0.0.2:%p/'],
    ['a file', 'file:///etc/passwd'],
    ['nothing', ''],
  ])('is not followed, whatever its location is: %s', async (_, form) => {
    const receiver = await openReceiver();
    const location = form.replace('%p', String(guard.listeners.port));
    receiver.respond = (number) => ({ status: number === 1 ? 302 : 308, headers: { location } });
    const outbound = guard.openOutbound(noLookup, LOOPBACK);
    for (const status of [302, 308]) {
      expect(await post(outbound, receiver.url)).toMatchObject({ status, error: 'redirect' });
    }
    await receiver.close();
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hooks', '/hooks']);
  });

  it('redirects no later request, and gets no credentials', async () => {
    const receiver = await openReceiver();
    const inside = `http://127.0.0.2:${guard.listeners.port}/`;
    const headers = {
      'alt-svc': `h3="127.0.0.2:${guard.listeners.port}", http/1.1="127.0.0.2:${guard.listeners.port}"`,
      link: `<${inside}>; rel=preconnect`,
      refresh: `0; url=${inside}`,
      'www-authenticate': 'Basic realm="a"',
      'proxy-authenticate': 'Basic realm="a"',
      upgrade: 'h2c',
    };
    const outbound = guard.openOutbound(noLookup, LOOPBACK);
    const statuses = [200, 401, 407, 421, 426, 200];
    receiver.respond = (number) => ({ status: statuses[number - 1] ?? 200, headers });
    for (const status of statuses) {
      expect(await post(outbound, receiver.url)).toMatchObject({ status });
    }
    await receiver.close();
    expect(receiver.requests).toHaveLength(statuses.length);
    for (const request of receiver.requests) {
      expect(request.headers).not.toHaveProperty('authorization');
      expect(request.headers).not.toHaveProperty('upgrade');
    }
  });

  it('cannot upgrade to another protocol', async () => {
    for (const protocol of ['h2c', 'websocket']) {
      const answer = `HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
      const server = await openRawServer(
        (socket) => void socket.on('data', () => socket.write(answer)),
      );
      const outbound = guard.openOutbound(noLookup, LOOPBACK);
      expect(await post(outbound, server.url)).toMatchObject({ error: 'response_invalid' });
      await server.close();
    }
  });
});
