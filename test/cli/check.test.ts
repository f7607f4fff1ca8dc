import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/port.ts';
import { openShop, startReceiver } from '../docs/shop.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Behaviour, Received, Receiver } from '../support/receiver.ts';
import { tollgate } from './command.ts';
import { openDeveloper } from './merchant.ts';
import { SECRET, answerOf, genuine, throughJson, withEmptyKey } from '../check/takes.ts';
import type { Take, Then } from '../check/takes.ts';

const SLOW_MS = 300;

const developer = await openDeveloper('check');
let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => receiver.close());

interface Answer {
  status: number;
  duration_ms: number;
}

interface Report {
  real_events: boolean;
  failed: number;
  checks: { check: string; verdict: string; fix: string | null; answers: Answer[] }[];
}

async function check(args: readonly string[] = [], env: Record<string, string> = {}) {
  const command = ['check', '--url', receiver.url, '--secret', SECRET, '--json', ...args];
  const { code, stdout, stderr } = await tollgate(command, env);
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as Report;
  const of = (verdict: string): string[] =>
    report.checks.filter((each) => each.verdict === verdict).map((each) => each.check);
  return { code, report, of };
}

/** Makes the receiver verify requests with `take`. */
const answering = (take: Take, then?: Then) => answerOf(() => receiver, take, then);

describe('tollgate check', () => {
  it('passes a receiver that does everything right', async () => {
    receiver.respond = answering(genuine);
    const { code, report, of } = await check();
    expect([code, report.failed, report.real_events]).toEqual([0, 0, false]);
    expect(of('pass')).toEqual(report.checks.map((each) => each.check));
    expect(report.checks.length).toBeGreaterThan(15);
    for (const { raw, method } of receiver.requests) {
      if (method === 'POST') expect(raw.toString()).toMatch(/"livemode": ?false/);
    }
  });

  it.each<[string, (number: number, request: Received) => Behaviour, string[], string[]]>([
    ['takes an empty key', answering(withEmptyKey), ['empty_key'], []],
    ['parses before it verifies', answering(throughJson), [], ['bytes']],
  ])('exits with 1 for a receiver that breaks a required rule: %s', async (_, ...rest) => {
    const [answer, failed, warned] = rest;
    receiver.respond = answer;
    const { code, of, report } = await check();
    expect({ failed: of('fail'), warned: of('warning') }).toEqual({ failed, warned });
    expect([code, report.failed]).toEqual(failed.length > 0 ? [1, failed.length] : [0, 0]);
  });

  it('reports the slowest accepted delivery', async () => {
    const right = answering(genuine);
    receiver.respond = async (number, request) => {
      if (number === 1) await sleep(SLOW_MS);
      return right(number, request);
    };
    const { report } = await check();
    const [time] = report.checks.filter((each) => each.check === 'time');
    // A timer may fire a millisecond early.
    expect(time?.answers[0]?.duration_ms).toBeGreaterThanOrEqual(SLOW_MS - 1);
  });

  it.each<[string, Behaviour, RegExp]>([
    ['refuses everything', { status: 401 }, /Does the receiver run with this secret/],
    ['redirects', { status: 308, headers: { location: '/' } }, /Redirects are not followed/],
    ['refuses POST', { status: 405 }, /Deliveries are POSTs/],
  ])('skips the other checks of a receiver that %s', async (_, behaviour, advice) => {
    receiver.respond = () => behaviour;
    const { code, of, report } = await check();
    expect([code, of('pass'), of('warning')]).toEqual([1, [], []]);
    expect(of('fail')[0]).toBe('genuine');
    expect(of('skipped').length).toBeGreaterThan(10);
    expect(report.checks[0]?.fix).toMatch(advice);
    expect(receiver.requests).toHaveLength(1);
  });

  it('reports a receiver that does not run', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const { code, stdout } = await tollgate(['check', '--url', url, '--secret', SECRET]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL +A genuine delivery is accepted\n.*connection refused/);
    expect(stdout).toMatch(/0 passed, 0 warnings, 1 failed, \d+ skipped/);
  });

  it('only warns if processing fails for made-up payments', async () => {
    receiver.respond = answering(genuine, ({ type }) => ({
      status: type.includes('future') ? 200 : 500,
    }));
    const { code, of, report } = await check();
    expect([code, of('fail')]).toEqual([0, []]);
    expect(of('warning')).toContain('genuine');
    expect(report.checks[0]?.fix).toContain('--api-key');
  });

  it.each([
    ['no secret', ['--url', 'localhost:1'], /The secret is missing/],
    ['a malformed secret', ['--url', 'localhost:1', '--secret', 'x'], /must be whsec_/],
    ['a malformed address', ['--url', 'http://', '--secret', SECRET], /not an http or https/],
  ])('refuses %s', async (_, args, sentence) => {
    const { code, stderr } = await tollgate(['check', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});

describe('tollgate check with an API key', () => {
  let shop: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(async () => shop.close());

  it('passes the receiver of the documentation, which retrieves the payment', async () => {
    const env = { ...developer.env(), TOLLGATE_WEBHOOK_SECRET: SECRET };
    const running = await startReceiver(shop.folder, 'express.mjs', env);
    try {
      const { code, stdout, stderr } = await tollgate(['check', '--url', running.url], env);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('with real events of test payments');
      expect(stdout).toMatch(/\d+ passed, 0 warnings, 0 failed\n$/);
      // Each payment was handled exactly once.
      const paid = running.printed().match(/^paid: check-.*$/gm) ?? [];
      expect([paid.length, new Set(paid).size]).toEqual([8, 8]);
    } finally {
      await running.stop();
    }
  });

  it('sends the exact bytes of real events', async () => {
    receiver.respond = answering(genuine);
    const { report } = await check([], developer.env());
    expect(report.real_events).toBe(true);
    const stored = new Set(await developer.mongo.events.distinct('body'));
    const isReal = ({ raw }: Received): boolean => stored.has(raw.toString());
    expect(isReal(receiver.requests[0]!)).toBe(true);
    expect(new Set(receiver.requests.filter(isReal).map(({ raw }) => raw.toString())).size).toBe(9);
  });
});
