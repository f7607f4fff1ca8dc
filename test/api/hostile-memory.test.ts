/** The memory that floods of requests leave in use. Repeated floods must not add to it. */
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLimiters } from '../../api/rate.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { until } from '../support/until.ts';
import { NO_LIMITS, makeTenant, serveApi, openStand } from './harness.ts';
import type { RunningApi, Sent, Tenant } from './harness.ts';

const stand = await openStand('hostile_memory');

/** Less than a leak of 1 KiB for each request of two rounds. */
const BOUND_BYTES = 1024 * 1024;
const ROUND = 600;
const LANES = 8;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const isSmall = (bytes: number): boolean => bytes < BOUND_BYTES;

/** Waits until the heap has grown by less than the bound since `before`. Returns its growth. */
async function growthSince(before: number): Promise<number> {
  return until(() => heapUsed() - before, isSmall, 60_000);
}

const LIMIT = 64 * 1024;
const text = 'x'.repeat(500);
const WORST: Sent[] = [
  { raw: '['.repeat(LIMIT) },
  { raw: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
  { raw: JSON.stringify({ metadata: Object.fromEntries(pairs(120)) }) },
  { raw: JSON.stringify(Object.fromEntries(pairs(120))) },
  { raw: ' '.repeat(LIMIT + 1) },
  { raw: `{"description":"${'\\u0000'.repeat(10_000)}"}` },
];

function pairs(count: number): [string, string][] {
  return Array.from({ length: count }, (_, i) => [`k${i}`, text]);
}

describe('a repeated flood', () => {
  let api: RunningApi;
  let tenants: Tenant[];
  beforeAll(async () => {
    // Windows of a tenth of a second, so that they end soon after their round.
    const few = { perSecond: 500, burst: 50 };
    const limits = { ...NO_LIMITS, anonymous: few, trustedHops: 1 };
    api = await serveApi(stand.tenant, { ...stand, limits });
    tenants = await Promise.all(Array.from({ length: 10 }, async () => makeTenant(stand.mongo)));
  });
  afterAll(async () => api.close());

  /** Sends a round. Every third request has a wrong key and a client address of its own. */
  async function flood(round: number): Promise<number[]> {
    const items = Array.from({ length: ROUND }, (_, i) => i);
    return mapConcurrently(items, LANES, async (i) => {
      const address = `10.${round}.${i >> 8}.${i & 255}`;
      const bad = { Authorization: `Bearer sk_test_${i}`, 'X-Forwarded-For': address };
      const worst = WORST[i % WORST.length]!;
      const sent = i % 3 === 0 ? { headers: bad } : worst;
      const method = i % 3 === 0 ? 'GET' : 'POST';
      const by = api.as(tenants[i % tenants.length]!);
      return (await by.send(method, '/v1/payments', sent)).status;
    });
  }

  it('leaves less than 1 MiB in memory', async () => {
    const statuses = new Set(await flood(1));
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([400, 401, 413]);
    await flood(2);
    const before = heapUsed();
    await flood(3);
    await flood(4);
    expect(await growthSince(before)).toBeLessThan(BOUND_BYTES);
  }, 240_000);
});

describe('makeLimiters', () => {
  it('frees the memory of 20,000 senders once their windows are over', async () => {
    const { anonymous } = makeLimiters({ ...NO_LIMITS, anonymous: { perSecond: 10, burst: 20 } });
    const answer = { set: () => undefined };
    const before = heapUsed();
    for (let i = 0; i < 20_000; i += 1) await anonymous(answer, `sender-${i}`);
    // Memory is used while the windows are open. Otherwise the test would prove nothing.
    expect(heapUsed() - before).toBeGreaterThan(4 * BOUND_BYTES);
    expect(await growthSince(before)).toBeLessThan(BOUND_BYTES);
  }, 240_000);
});
