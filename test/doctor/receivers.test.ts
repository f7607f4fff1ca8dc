import { beforeEach, describe, expect, it } from 'vitest';
import { judgeProbes } from '../../doctor/receivers.ts';
import type { ProblemCode } from '../../doctor/problems.ts';
import { useDatabase } from '../store/database.ts';
import { closeAfterTests } from '../support/close.ts';
import { freePort } from '../support/port.ts';
import { openReceiver } from '../support/receiver.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { doctor, environment, expectProblem } from './examined.ts';
import type { Variables } from './examined.ts';

const database = await useDatabase('doctor-receivers');
const receiver = closeAfterTests(await openReceiver());
const MONGODB_URI = withDatabase(database.uri, database.name);

beforeEach(async () => {
  await database.mongo.endpoints.deleteMany({});
});

async function register(...urls: readonly string[]): Promise<void> {
  const rows = urls.map((url) => makeEndpoint({ m: 'mer_1:test', url }));
  await database.mongo.endpoints.insertMany(rows);
}

const examine = async (more: Variables = {}) => doctor(environment({ MONGODB_URI, ...more }));

describe('the way to receivers', () => {
  it.each<[ProblemCode, string, Variables]>([
    ['receivers_unresolved', 'https://shop.invalid/hooks', {}],
    ['receivers_private', 'http://127.0.0.1:9000/hooks', {}],
  ])('is reported as %s with a receiver at %s', async (code, url, more) => {
    await register(url);
    expect(expectProblem(await examine(more), code)).toContain(new URL(url).host);
  });

  it('is open if one receiver can be reached, which gets no request', async () => {
    await register('https://shop.invalid/hooks', receiver.url);
    const findings = await examine({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
    expect(findings.find(({ check }) => check === 'webhooks.egress')).toMatchObject({
      state: 'ok',
      found: '1 of 2 receivers can be reached. Without a connection: shop.invalid.',
    });
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 0]);
  });

  it('is open if a receiver is reached and refuses the connection', async () => {
    await register(`http://127.0.0.1:${await freePort()}/hooks`);
    const findings = await examine({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
    expect(findings.find(({ check }) => check === 'webhooks.egress')?.state).toBe('ok');
  });

  // Not every network has an address to which no connection can be made.
  it.each<[Parameters<typeof judgeProbes>[0], object]>([
    [[['a.example', 'unreachable']], { code: 'receivers_unreachable' }],
    [
      [
        ['a.example', 'unreachable'],
        ['b.example', 'dns_failed'],
      ],
      { code: 'receivers_unreachable' },
    ],
    [
      [
        ['a.example', 'unreachable'],
        ['b.example', 'refused'],
      ],
      { state: 'ok' },
    ],
  ])('is judged by all receivers: %o', (probed, judged) => {
    expect(judgeProbes(probed)).toMatchObject(judged);
  });
});
