/** The limits for clients that guess URLs. Other customers are still served. */
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { mintToken } from '../../store/mint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openBench, paymentIn } from './harness.ts';
import type { Bench, BenchOptions } from './harness.ts';

let bench: Bench;
afterEach(async () => bench.close());

/** A long window, so that it does not end in the middle of a test. */
const FEW = { perSecond: 0.1, burst: 3 };

async function open(options: BenchOptions = {}): Promise<Bench> {
  bench = await openBench('strangers', options);
  return bench;
}

const BANK = '/bank/pay_01ARZ3NDEKTSV4RRFFQ69G5FAV/att_01ARZ3NDEKTSV4RRFFQ69G5FAV/forged';

describe('an unknown address', () => {
  it.each([
    ['a made-up token', () => `/c/${mintToken()}`],
    ['a malformed token', () => '/c/nobody'],
    ['a made-up signature', () => BANK],
    ['an unknown path', () => '/admin'],
  ])('with %s gets 429 after a burst', async (_, path) => {
    await open({ limits: { anonymous: FEW } });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await bench.call(path())).status);
    expect(statuses).toEqual([404, 404, 404]);
    const refused = await bench.call(path());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.text).toContain('<h1>');
  });

  it('does not limit customers behind the same client address', async () => {
    await open({ limits: { anonymous: FEW } });
    const known = await bench.put(makePayment());
    await bench.call(`/c/${known.checkout_token}`);
    for (let i = 0; i < 5; i += 1) await bench.call(`/c/${mintToken()}`);
    const atBank = await bench.put(paymentIn('at_bank'));
    // One of them was read before, and one was not.
    for (const payment of [known, await bench.put(makePayment())]) {
      expect((await bench.call(`/c/${payment.checkout_token}`)).status).toBe(200);
    }
    expect((await bench.call(bench.bankPath(atBank))).status).toBe(200);
    expect((await bench.call(`/c/${mintToken()}`)).status).toBe(429);
  });

  it('is looked up only if it contains a well-formed token', async () => {
    await open();
    const { payments } = bench.mongo;
    payments.find = payments.findOne = () => {
      throw new Error('Nothing must be read.');
    };
    const long = mintToken();
    for (const token of ['x', `${long}x`, long.slice(1), `${long.slice(1)}!`, `${long}%00`]) {
      expect((await bench.call(`/c/${token}`)).status).toBe(404);
      expect((await bench.post(`/c/${token}/pay`)).status).toBe(404);
    }
    expect((await bench.call(BANK)).status).toBe(404);
    expect((await bench.call(`/c/${long}`)).status).toBe(500);
  });

  it('is looked up together with many others', async () => {
    await open();
    const { payments } = bench.mongo;
    const find = payments.find.bind(payments);
    let queries = 0;
    payments.find = ((...args: Parameters<typeof find>) => {
      queries += 1;
      return find(...args);
    }) as typeof find;
    const payment = await bench.put(makePayment());
    const paths = Array.from({ length: 300 }, () => `/c/${mintToken()}`);
    const all = paths.map(async (path) => (await bench.call(path)).status);
    const customer = bench.call(`/c/${payment.checkout_token}`);
    expect(new Set(await Promise.all(all))).toEqual(new Set([404]));
    expect((await customer).status).toBe(200);
    expect(queries).toBeLessThan(paths.length / 3);
  });
});

const miss = async (chain: string): Promise<number> =>
  (await bench.call(`/c/${mintToken()}`, { headers: { 'X-Forwarded-For': chain } })).status;

describe('X-Forwarded-For', () => {
  it.each([
    ['is ignored without proxies of ours', 0, 429],
    ['names the client behind one', 1, 404],
  ])('%s', async (_, trustedHops, last) => {
    await open({ limits: { anonymous: { ...FEW, burst: 2 }, trustedHops } });
    const statuses = [await miss('1.1.1.1'), await miss('2.2.2.2'), await miss('3.3.3.3')];
    expect(statuses).toEqual([404, 404, last]);
  });

  it('is read from the right', async () => {
    await open({ limits: { anonymous: { ...FEW, burst: 2 }, trustedHops: 1 } });
    const chains = ['6.6.6.1, 9.9.9.9', '6.6.6.2, 9.9.9.9', '9.9.9.9'];
    const statuses: number[] = [];
    for (const chain of chains) statuses.push(await miss(chain));
    expect(statuses).toEqual([404, 404, 429]);
  });
});

/** Sends raw bytes. Returns what the server sends until it closes the connection. */
async function exchange(text: string): Promise<string> {
  const { port } = new URL(bench.origin);
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => void (received += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
}

describe('a malformed request', () => {
  const CLOSE = 'Connection: close';
  it.each([
    ['two hosts', ['GET / HTTP/1.1', 'Host: a', 'Host: b', CLOSE], 400],
    ['no host', ['GET / HTTP/1.1', CLOSE], 400],
    ['a path that is too long', [`GET /c/${'a'.repeat(9_000)} HTTP/1.1`, 'Host: a', CLOSE], 414],
  ])('with %s gets a page', async (_, lines, status) => {
    await open();
    const response = await exchange(`${lines.join('\r\n')}\r\n\r\n`);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(response).toContain('Content-Type: text/html');
    expect(response).toContain('<h1>');
  });

  it.each([
    ['an odd version', ['GET / HTTP/3.7', 'Host: a'], 400],
    ['CONNECT', ['CONNECT a:443 HTTP/1.1', 'Host: a'], 405],
    [
      'bad chunks',
      ['POST /c/x/pay HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', 'zz'],
      400,
    ],
  ])('with %s gets a short text', async (_, lines, status) => {
    await open();
    const response = await exchange(`${lines.join('\r\n')}\r\n\r\n`);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(response).toContain('Content-Type: text/plain');
  });

  it('gets 408 if its form is sent too slowly', async () => {
    const options = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 };
    await open({ service: { options } });
    const payment = await bench.put(makePayment());
    const head = [
      `POST /c/${payment.checkout_token}/pay HTTP/1.1`,
      'Host: a',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 100',
    ];
    expect(await exchange(`${head.join('\r\n')}\r\n\r\ncard`)).toMatch(/^HTTP\/1.1 408 /);
  });
});
