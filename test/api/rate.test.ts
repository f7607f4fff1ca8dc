import { afterEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { makeKey } from '../../store/keys.ts';
import { mintId } from '../../store/mint.ts';
import { until } from '../support/until.ts';
import { NO_LIMITS, PAYMENT, makeTenant, serveApi, openStand } from './harness.ts';
import type { Reply, RunningApi } from './harness.ts';

const stand = await openStand('rate');

/** Long windows, so that none ends in the middle of a test. */
const FEW = { perSecond: 0.1, burst: 3 };

let api: RunningApi | undefined;
afterEach(async () => api?.close());

async function limited(limits: Partial<typeof NO_LIMITS>): Promise<RunningApi> {
  const { tenant, mongo, temporal } = stand;
  api = await serveApi(tenant, { mongo, temporal, limits: { ...NO_LIMITS, ...limits } });
  return api;
}

async function times(count: number, send: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < count; i += 1) replies.push(await send());
  return replies;
}

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);
const left = ({ headers }: Reply): string | undefined =>
  /;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1];

/** Expects 429 with well-formed headers and a plausible time to wait. */
function expectRefused(reply: Reply, name: string, windowSeconds: number): void {
  expect(reply.status).toBe(429);
  expect(reply.json.error).toMatchObject({ type: 'rate_limit', code: 'too_many_requests' });
  const seconds = Number(reply.headers.get('retry-after'));
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= windowSeconds).toBe(true);
  expect(reply.headers.get('ratelimit')).toBe(`"${name}";r=0;t=${seconds}`);
}

const read = async (by: RunningApi): Promise<Reply> => by.send('GET', '/v1/currencies');

describe('a merchant', () => {
  it('is served its burst and no more, and each response has the number left', async () => {
    const few = await limited({ merchant: FEW });
    const replies = await times(3, async () => few.send('GET', '/v1/currencies'));
    expect(statuses(replies)).toEqual([200, 200, 200]);
    expect(replies.map(left)).toEqual(['2', '1', '0']);
    const refused = await few.send('GET', '/v1/payments');
    expectRefused(refused, 'default', 30);
    for (const { headers } of [...replies, refused]) {
      expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=30');
    }
  });

  it('is served again when the window is over', async () => {
    const few = await limited({ merchant: { perSecond: 0.6, burst: 2 } });
    const list = async (): Promise<Reply> => few.send('GET', '/v1/currencies');
    const replies = await Promise.all([list(), list(), list()]);
    expect(statuses(replies).filter((status) => status === 429)).toHaveLength(1);
    const again = await until(list, ({ status }) => status === 200);
    expect(left(again)).toBe('1');
    // The window is 3.33 s long, so `w` is 4.
    expect(again.headers.get('ratelimit-policy')).toBe('"default";q=2;w=4');
  });

  it('that is over its limit limits neither its other mode nor other merchants', async () => {
    const few = await limited({ merchant: FEW });
    const { key, secret } = makeKey(stand.tenant.merchantId, 'live', new Date());
    await stand.mongo.keys.insertOne(key);
    expect(statuses(await times(4, async () => read(few)))).toEqual([200, 200, 200, 429]);
    for (const other of [{ secret }, await makeTenant(stand.mongo)]) {
      const reply = await read(few.as(other));
      expect([reply.status, left(reply)]).toEqual([200, '2']);
    }
    expect((await read(few)).status).toBe(429);
  });

  it('is limited over all of its keys', async () => {
    const few = await limited({ merchant: FEW });
    const { key, secret } = makeKey(stand.tenant.merchantId, 'test', new Date());
    await stand.mongo.keys.insertOne(key);
    await times(3, async () => few.send('GET', '/v1/currencies'));
    expect((await few.as({ secret }).send('GET', '/v1/currencies')).status).toBe(429);
  });

  it('that is over its limit has no effect: its idempotency key stays free, and its body unread', async () => {
    const few = await limited({ merchant: { perSecond: 0.1, burst: 1 } });
    const before = await stand.mongo.payments.countDocuments();
    await few.send('GET', '/v1/currencies');
    const create = { body: PAYMENT, key: 'refused-first' };
    expectRefused(await few.send('POST', '/v1/payments', create), 'default', 10);
    expectRefused(await few.send('POST', '/v1/payments', { raw: '{"amount":' }), 'default', 10);
    expect(await stand.mongo.payments.countDocuments()).toBe(before);
    const other = { ...PAYMENT, amount: 500 };
    const reply = await stand.api.send('POST', '/v1/payments', { ...create, body: other });
    expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it.each([
    ['GET', '/v1/payments?limit=0', 400],
    ['GET', `/v1/payments/${mintId('payment')}`, 404],
    ['POST', '/v1/payments', 400],
  ])('gets the number left on refusals too: %s %s', async (method, path, status) => {
    const reply = await stand.api.send(method, path);
    expect([reply.status, left(reply)]).toEqual([status, expect.stringMatching(/^\d+$/)]);
  });

  it.each(ROUTES)('is counted on %s %s', async (method, path) => {
    const reply = await stand.api.send(method, path.replace(':id', mintId('payment')));
    expect(reply.headers.get('ratelimit-policy')).toMatch(/^"default";q=\d+;w=\d+$/);
    expect(reply.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  });
});

const nobody = { headers: { Authorization: 'Bearer sk_test_wrong' } };

describe('a stranger', () => {
  it.each([
    ['with a wrong key', '/v1/payments', 401],
    ['at an unknown path', '/admin', 404],
  ])('%s gets 429 after its burst', async (_, path, status) => {
    const few = await limited({ anonymous: FEW });
    const replies = await times(3, async () => few.send('GET', path, nobody));
    expect(statuses(replies)).toEqual([status, status, status]);
    expectRefused(await few.send('GET', path, nobody), 'anonymous', 30);
  });

  it('at the same address as a merchant does not limit it', async () => {
    const few = await limited({ anonymous: FEW });
    await times(5, async () => few.send('GET', '/v1/payments', nobody));
    const replies = await times(5, async () => few.send('GET', '/v1/currencies'));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    expect((await few.send('GET', '/v1/currencies', nobody)).status).toBe(429);
  });

  it.each([
    ['/livez', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/openapi.json', 429],
    ['/docs', 429],
  ])('over its limit gets from GET %s the status %i', async (path, status) => {
    const few = await limited({ anonymous: FEW });
    const replies = await times(5, async () => few.send('GET', path));
    expect(statuses(replies).at(-1)).toBe(status);
  });

  it('is not counted for an outage of ours', async () => {
    const few = await limited({ anonymous: FEW });
    stand.mongo.keys.find = () => {
      throw new Error('a fault of ours');
    };
    const replies = await times(5, async () => few.send('GET', '/v1/currencies'));
    Reflect.deleteProperty(stand.mongo.keys, 'find');
    expect(new Set(statuses(replies))).toEqual(new Set([500]));
  });
});

/** Returns true if requests with those headers count as one sender's, who may send two. */
async function isOneSender(hops: number, chains: readonly string[]): Promise<boolean> {
  const two = await limited({ anonymous: { perSecond: 0.1, burst: 2 }, trustedHops: hops });
  const replies: Reply[] = [];
  for (const chain of chains) {
    const headers = { ...nobody.headers, 'X-Forwarded-For': chain };
    replies.push(await two.send('GET', '/v1/payments', { headers }));
  }
  return statuses(replies).at(-1) === 429;
}

describe('X-Forwarded-For', () => {
  it.each([
    ['is ignored without proxies of ours', 0, ['1.1.1.1', '2.2.2.2', '3.3.3.3'], true],
    ['names the sender behind one proxy', 1, ['1.1.1.1', '2.2.2.2', '3.3.3.3'], false],
    ['is read from the right', 1, ['6.6.6.1, 9.9.9.9', '6.6.6.2,9.9.9.9', '9.9.9.9'], true],
    [
      'is counted from the right',
      2,
      ['1.1.1.1, 7.7.7.7', '2.2.2.2, 7.7.7.7', '3.3.3.3, 7.7.7.7'],
      false,
    ],
    [
      'is not believed beyond our proxies',
      2,
      ['6, 9.9.9.9, 7.7.7.7', '8, 9.9.9.9, 7.7.7.8', '9.9.9.9, 7.7.7.7'],
      true,
    ],
    ['without an address counts as one sender', 1, ['unknown', '<script>', '"; r=9'], true],
    ['that is empty means the connected client', 1, ['', ' ', ','], true],
  ])('%s', async (_, hops, chains, isOne) => {
    expect(await isOneSender(hops, chains)).toBe(isOne);
  });
});
