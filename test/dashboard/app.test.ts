import { describe, expect, it } from 'vitest';
import { dial } from '../http/testserver.ts';
import { until } from '../support/until.ts';
import { openGround } from './harness.ts';

const ground = await openGround('dashboard-app');
const { url } = ground;
const limited = await openGround('dashboard-limit', {
  // A page costs as much as five calls, so ten pages in ten minutes.
  limits: { merchant: { perSecond: 1 / 12, burst: 50 }, trustedHops: 0 },
});
const { host, port } = new URL(url);
const TOO_LONG = `/${'a'.repeat(9_000)}`;

/** More refusals than a second has. */
const MANY = 150;

describe('the dashboard', () => {
  it.each([
    ['reports that it is alive', `GET /healthz HTTP/1.1\r\nHost: ${host}`, 200],
    ['sends strangers to the sign-in page', `GET / HTTP/1.1\r\nHost: ${host}`, 303],
    ['redirects other hosts to its own address', 'GET /sign-in HTTP/1.1\r\nHost: a', 302],
    ['redirects them by their path alone', 'GET http://a/sign-in HTTP/1.1\r\nHost: a', 302],
    ['refuses forms for other hosts', 'POST /sign-in HTTP/1.1\r\nHost: a', 403],
    ['has no other page', `GET /login HTTP/1.1\r\nHost: ${host}`, 404],
    ['refuses two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b', 400],
    ['refuses a path that is too long', `GET ${TOO_LONG} HTTP/1.1\r\nHost: a`, 414],
    ['refuses other methods', `PUT /sign-in HTTP/1.1\r\nHost: ${host}`, 405],
    ['refuses CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a', 405],
    ['refuses broken HTTP', 'HELLO', 400],
  ])('%s', async (_, head, status) => {
    const line = await dial(Number(port), `${head}\r\nConnection: close\r\n\r\n`);
    await until(() => line.isClosed, Boolean);
    expect(line.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('refuses strangers one after the other, and its users at once', async () => {
    const owner = await ground.signIn('owner');
    const ended: string[] = [];
    const startMs = performance.now();
    const strangers = Array.from({ length: MANY }, async () => {
      expect((await ground.browse().get('/nothing')).status).toBe(404);
      ended.push('stranger');
    });
    await Promise.race(strangers);
    expect((await owner.get('/payments/nothing')).status).toBe(404);
    ended.push('owner');
    await Promise.all(strangers);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual((MANY - 1) * 10 - 1);
    expect(ended.indexOf('owner')).toBeLessThan(MANY);
  });
});

describe('the staff of a merchant', () => {
  it('may send a number of requests, whichever pages they have open', async () => {
    const [one, two] = [await limited.signIn('owner'), await limited.signIn('support')];
    const live = { 'X-Live': '1' };
    const all = Array.from({ length: 30 }, async (_, n) =>
      (n % 2 === 0 ? one : two).get('/account', n % 3 === 0 ? live : {}),
    );
    const replies = await Promise.all(all);
    const over = replies.filter(({ status }) => status === 429);
    expect([replies.filter(({ status }) => status === 200).length, over.length]).toEqual([10, 20]);
    expect(Number(over[0]!.headers.get('retry-after'))).toBeGreaterThan(60);
    const other = await limited.signIn('owner', await limited.addMerchant());
    expect((await other.get('/account')).status).toBe(200);
  });
});
