import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '../../domain/event.ts';
import { freePort } from '../../embedded/ports.ts';
import { webhooks } from '../../sdk/index.ts';
import type { Event } from '../../sdk/index.ts';
import { openShop, startReceiver } from '../docs/shop.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Behaviour, Received, Receiver } from '../support/receiver.ts';
import { tollgate } from './command.ts';
import { useDeveloper } from './merchant.ts';
import type { Developer } from './merchant.ts';
import { SECRET, firstAlone, genuine, latin1, throughJson, withEmptyKey } from './takes.ts';
import type { Take } from './takes.ts';

/** What is past the middle of the report's own limit of 5 s. */
const SLOW_MS = 5_200;

let developer: Developer;
let receiver: Receiver;
useDeveloper('check', (made) => (developer = made));
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => receiver.close());

interface Report {
  real_events: boolean;
  failed: number;
  checks: { check: string; verdict: string; fix: string | null; answers: { status: number }[] }[];
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

/** Answers 200 where `take` ends well, 401 where it throws, and 405 to another method. */
const answering =
  (take: Take, then: (event: Event, times: number) => Behaviour = () => ({ status: 200 })) =>
  (_: number, request: Received): Behaviour => {
    if (request.method !== 'POST') return { status: 405 };
    try {
      take(request);
    } catch {
      return { status: 401 };
    }
    const same = receiver.requests.filter(({ raw }) => raw.equals(request.raw));
    return then(JSON.parse(request.raw.toString()) as Event, same.length);
  };

describe('tollgate check', () => {
  it('finds nothing wrong with a receiver that does everything right', async () => {
    receiver.answer = answering(genuine);
    const { code, report, of } = await check();
    expect([code, report.failed, report.real_events]).toEqual([0, 0, false]);
    expect(of('pass')).toEqual(report.checks.map((each) => each.check));
    expect(report.checks.length).toBeGreaterThan(15);
    for (const { raw, method } of receiver.requests) {
      if (method === 'POST') expect(raw.toString()).toMatch(/"livemode": ?false/);
    }
  });

  it.each<[string, (number: number, request: Received) => Behaviour, string[], string[]]>([
    [
      'believes everything',
      () => ({ status: 200 }),
      ['wrong_secret', 'changed_body', 'no_signature', 'empty_key', 'old', 'future'],
      ['method'],
    ],
    [
      'does not look at the time',
      answering(({ raw, headers }) =>
        webhooks.verify(raw, headers, SECRET, { toleranceSeconds: 1e9 }),
      ),
      ['old', 'future'],
      [],
    ],
    [
      'is a little generous with the time',
      answering(({ raw, headers }) =>
        webhooks.verify(raw, headers, SECRET, { toleranceSeconds: 600 }),
      ),
      [],
      ['old', 'future'],
    ],
    ['parses before it verifies', answering(throughJson), [], ['bytes']],
    ['reads the body as Latin-1', answering(latin1), ['non_ascii'], []],
    ['looks at the first signature alone', answering(firstAlone), ['rotation'], []],
    ['takes an empty key', answering(withEmptyKey), ['empty_key'], []],
    [
      'does not know new types',
      answering(genuine, ({ type }) => ({ status: EVENT_TYPES.includes(type) ? 200 : 400 })),
      ['unknown_type'],
      [],
    ],
    [
      'refuses a repeat',
      answering(genuine, (_, times) => ({ status: times > 1 ? 409 : 200 })),
      ['twice'],
      [],
    ],
    [
      'has a limit on bodies',
      (number, request) =>
        request.raw.length > 10_000 ? { status: 413 } : answering(genuine)(number, request),
      ['large'],
      [],
    ],
    [
      'counts on the order',
      answering(genuine, ({ type }) => ({ status: type === 'refund.completed' ? 409 : 200 })),
      [],
      ['order'],
    ],
    [
      'fails where it should refuse',
      (number, request) => {
        const answer = answering(genuine)(number, request);
        return typeof answer === 'string' || answer.status !== 401 ? answer : { status: 500 };
      },
      [],
      ['wrong_secret', 'changed_body', 'no_signature', 'empty_key', 'old', 'future'],
    ],
  ])('sees that a receiver %s', async (_, answer, failed, warned) => {
    receiver.answer = answer;
    const { code, of, report } = await check();
    expect({ failed: of('fail'), warned: of('warning') }).toEqual({ failed, warned });
    expect(code).toBe(failed.length > 0 ? 1 : 0);
    const advised = report.checks.filter(({ fix }) => fix !== null).map((each) => each.check);
    expect(advised.toSorted()).toEqual([...failed, ...warned].toSorted());
  });

  it('sees that the answers are slow', async () => {
    const right = answering(genuine);
    receiver.answer = async (number, request) => {
      if (number === 1) await sleep(SLOW_MS);
      return right(number, request);
    };
    const { of } = await check();
    expect(of('warning')).toEqual(['time']);
  });

  it.each<[string, Behaviour, RegExp]>([
    ['refuses everything', { status: 401 }, /Does the receiver run with this secret/],
    ['redirects', { status: 308, headers: { location: '/' } }, /Redirects are not followed/],
    ['takes no POST', { status: 405 }, /Deliveries are POSTs/],
  ])('says nothing more of a receiver that %s', async (_, behaviour, advice) => {
    receiver.answer = () => behaviour;
    const { code, of, report } = await check();
    expect([code, of('pass'), of('warning')]).toEqual([1, [], []]);
    expect(of('fail')[0]).toBe('genuine');
    expect(of('skipped').length).toBeGreaterThan(10);
    expect(report.checks[0]?.fix).toMatch(advice);
    expect(receiver.requests).toHaveLength(1);
  });

  it('says that nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const { code, stdout } = await tollgate(['check', '--url', url, '--secret', SECRET]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL +A genuine delivery is accepted\n.*connection refused/);
    expect(stdout).toMatch(/0 passed, 0 warnings, 1 failed, \d+ skipped/);
  });

  it('excuses work that fails for payments which it made up itself', async () => {
    receiver.answer = answering(genuine, ({ type }) => ({
      status: type.includes('future') ? 200 : 500,
    }));
    const { code, of, report } = await check();
    expect([code, of('fail')]).toEqual([0, []]);
    expect(of('warning')).toContain('genuine');
    expect(report.checks[0]?.fix).toContain('--api-key');
  });

  it.each([
    ['no secret', ['--url', 'localhost:1'], /The secret is missing/],
    ['a secret that is none', ['--url', 'localhost:1', '--secret', 'x'], /must be whsec_/],
    ['an address that is none', ['--url', 'http://', '--secret', SECRET], /no http or https/],
  ])('refuses %s', async (_, args, sentence) => {
    const { code, stderr } = await tollgate(['check', ...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
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
      // Each payment was handled, and each of them once.
      const paid = running.printed().match(/^paid: check-.*$/gm) ?? [];
      expect([paid.length, new Set(paid).size]).toEqual([8, 8]);
    } finally {
      await running.stop();
    }
  });

  it('sends the very bytes of real events', async () => {
    receiver.answer = answering(genuine);
    const { report } = await check([], developer.env());
    expect(report.real_events).toBe(true);
    const stored = new Set(await developer.mongo.events.distinct('body'));
    const isReal = ({ raw }: Received): boolean => stored.has(raw.toString());
    expect(isReal(receiver.requests[0]!)).toBe(true);
    expect(new Set(receiver.requests.filter(isReal).map(({ raw }) => raw.toString())).size).toBe(9);
  });
});
