import { describe, expect, it } from 'vitest';
import { dial } from '../http/testserver.ts';
import { until } from '../support/until.ts';
import { openGround, PASSWORD } from './harness.ts';
import { mintToken } from '../../store/mint.ts';

const anonymous = { perSecond: 20, burst: 40 };
const ground = await openGround('dashboard-app', { limits: { anonymous, trustedHops: 0 } });
const { url } = ground;
const { host, port } = new URL(url);
const TOO_LONG = `/${'a'.repeat(9_000)}`;

/** More requests than may come at once. */
const MANY = 100;

describe('the dashboard', () => {
  it.each([
    ['reports that it is alive', `GET /healthz HTTP/1.1\r\nHost: ${host}`, 200],
    ['sends strangers to the sign-in page', `GET / HTTP/1.1\r\nHost: ${host}`, 303],
    ['redirects other hosts to its own address', 'GET /sign-in HTTP/1.1\r\nHost: a', 302],
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

  it('serves files to everybody at once', async () => {
    const assets = Array.from({ length: MANY }, async () => ground.browse().get('/healthz'));
    const replies = await Promise.all(assets);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
