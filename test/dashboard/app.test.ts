import { describe, expect, it } from 'vitest';
import { dial } from '../http/testserver.ts';
import { until } from '../support/until.ts';
import { createResetByEmail } from '../../operations/account.ts';
import { mintToken } from '../../store/mint.ts';
import { NO_LIMITS, PASSWORD, openGround } from './harness.ts';
import { withApp } from './staff/person.ts';

const anonymous = { perSecond: 20, burst: 40 };
const ground = await openGround('dashboard-app', {
  limits: { ...NO_LIMITS, anonymous, trustedHops: 1 },
});
const { url } = ground;
const limited = await openGround('dashboard-limit', {
  // A page costs as much as five calls, so ten pages in ten minutes.
  limits: { ...NO_LIMITS, merchant: { perSecond: 1 / 12, burst: 50 } },
});
const slow = await openGround('dashboard-slow', {
  limits: { ...NO_LIMITS, anonymous: { perSecond: 0.05, burst: 10 }, trustedHops: 1 },
});
const { host, port } = new URL(url);
const NEW = 'a new long password';
const from = (ip: string) => ({ 'X-Forwarded-For': ip });
const TOO_LONG = `/${'a'.repeat(9_000)}`;

/** More requests than may come at once, and fewer than may wait. */
const MANY = 80;

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

  it('lets strangers in one after the other, and known browsers at once', async () => {
    const owner = await ground.signIn('owner');
    const ended: string[] = [];
    const startMs = performance.now();
    const come = async (path: string, cookie?: string): Promise<void> => {
      await ground.browse().get(path, cookie === undefined ? {} : { Cookie: cookie });
      ended.push('stranger');
    };
    const strangers = Array.from({ length: MANY }, async (_, nth) =>
      nth % 2 === 0 ? come('/sign-in') : come('/', `tollgate-session=${mintToken()}`),
    );
    await Promise.race(strangers);
    const form = { email: owner.user.email, password: PASSWORD };
    expect((await owner.post('/sign-in', form)).status).toBe(303);
    expect((await owner.get('/payments')).status).toBe(200);
    ended.push('owner');
    await Promise.all(strangers);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(
      ((MANY - anonymous.burst - 1) * 1_000) / anonymous.perSecond - 1,
    );
    expect(ended.indexOf('owner')).toBeLessThan(MANY);
  });

  it('lets networks in by turns, and refuses requests of one that has too many', async () => {
    const flood = Array.from({ length: 300 }, async () =>
      ground.browse().get('/sign-in', from('203.0.113.1')),
    );
    const all = Promise.all(flood);
    let isOver = false;
    void all.then(() => (isOver = true));
    expect((await ground.browse().get('/sign-in', from('198.51.100.1'))).status).toBe(200);
    expect(isOver).toBe(false);
    const ended = await all;
    const refused = ended.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(200);
    expect(refused[0]!.headers.get('retry-after')).toBe('10');
  });

  it('lets links and right passwords in at once, and made-up links in turn', async () => {
    const { user } = await withApp(slow);
    const { email } = user;
    const { token } = await createResetByEmail(slow, { email, endsSecondStep: false });
    const half = slow.browse();
    await half.post('/sign-in', { email, password: PASSWORD });
    let ended = 0;
    const flood = Array.from({ length: MANY }, async (_, nth) => {
      const path = nth % 2 === 0 ? '/sign-in' : `/reset/${mintToken()}`;
      await slow.browse().get(path, from(`203.0.113.${nth}`));
      ended += 1;
    });
    // The others wait for minutes, until the server closes.
    const over = Promise.allSettled(flood);
    await Promise.race(flood);
    const linked = slow.browse();
    const form = { email, password: NEW };
    const replies = [
      await half.get('/sign-in/code'),
      await linked.get(`/reset/${token}`),
      await linked.post(`/reset/${token}`, form),
      await linked.get('/sign-in'),
      await linked.post('/sign-in', form),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 303, 200, 303]);
    expect(replies.at(-1)!.to).toBe('/sign-in/code?next=%2F');
    expect(ended).toBeLessThan(MANY / 2);
    await slow.close();
    await over;
  });

  it('serves files to everybody at once', async () => {
    const assets = Array.from({ length: MANY }, async () => ground.browse().get('/healthz'));
    const replies = await Promise.all(assets);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
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
