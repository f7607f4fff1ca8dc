import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  DEFAULT_SCHEDULE_SECONDS,
  JITTER,
  judgeAttempt,
  plannedFailures,
  readRetryAfter,
} from '../../domain/delivery.ts';
import { at } from './situation.ts';

const LAST = DEFAULT_SCHEDULE_SECONDS.length;
const DAY_MS = 24 * 60 * 60 * 1000;

function judge(over: Partial<Parameters<typeof judgeAttempt>[0]>) {
  return judgeAttempt({
    number: 1,
    status: 500,
    retryAfterMs: null,
    scheduleSeconds: DEFAULT_SCHEDULE_SECONDS,
    random: 0.5,
    ...over,
  });
}

describe('DEFAULT_SCHEDULE_SECONDS', () => {
  it('has 12 attempts over 75 h 42 min 35 s, the first at once, each wait longer', () => {
    const sum = DEFAULT_SCHEDULE_SECONDS.reduce((total, seconds) => total + seconds, 0);
    expect(DEFAULT_SCHEDULE_SECONDS).toHaveLength(12);
    expect(sum).toBe(75 * 3_600 + 42 * 60 + 35);
    expect(DEFAULT_SCHEDULE_SECONDS[0]).toBe(0);
    const sorted = DEFAULT_SCHEDULE_SECONDS.toSorted((a, b) => a - b);
    expect(DEFAULT_SCHEDULE_SECONDS).toEqual(sorted);
  });
});

describe('judgeAttempt', () => {
  it.each([null, 100, 199, 300, 301, 304, 400, 401, 404, 409, 411, 429, 500, 503, 599])(
    'retries after %s, and fails at the end of the schedule',
    (status) => {
      expect(judge({ status }).kind).toBe('retry');
      expect(judge({ status, number: LAST }).kind).toBe('failed');
    },
  );

  it.each([200, 201, 202, 204, 299])('succeeds with %i, even on the last attempt', (status) => {
    expect(judge({ status }).kind).toBe('succeeded');
    expect(judge({ status, number: LAST }).kind).toBe('succeeded');
  });

  it('returns `gone` for 410 on any attempt', () => {
    expect(judge({ status: 410 }).kind).toBe('gone');
    expect(judge({ status: 410, number: LAST, retryAfterMs: 1000 }).kind).toBe('gone');
  });

  it('follows the schedule without jitter if the random number is 0.5', () => {
    const waits = DEFAULT_SCHEDULE_SECONDS.slice(1).map((_, index) => judge({ number: index + 1 }));
    const expected = DEFAULT_SCHEDULE_SECONDS.slice(1).map((seconds) => ({
      kind: 'retry',
      delayMs: seconds * 1000,
    }));
    expect(waits).toEqual(expected);
  });

  it('does not retry if the schedule has one attempt', () => {
    expect(judge({ scheduleSeconds: [0] }).kind).toBe('failed');
  });

  it('varies a wait by no more than the jitter', () => {
    const number = fc.integer({ min: 1, max: LAST - 1 });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(number, random, (attempt, chance) => {
        const verdict = judge({ number: attempt, random: chance });
        const plannedMs = (DEFAULT_SCHEDULE_SECONDS[attempt] ?? 0) * 1000;
        const delayMs = verdict.kind === 'retry' ? verdict.delayMs : -1;
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(plannedMs * (1 - JITTER)));
        expect(delayMs).toBeLessThanOrEqual(Math.ceil(plannedMs * (1 + JITTER)));
      }),
    );
  });

  it.each([
    ['shorter than the schedule', 1_000, 5_000],
    ['longer than the schedule', 90_000, 90_000],
    ['a day', DAY_MS, DAY_MS],
    ['longer than a day', 3 * DAY_MS, DAY_MS],
    ['endless', Infinity, DAY_MS],
  ])('respects a Retry-After that is %s, up to a day', (_, retryAfterMs, delayMs) => {
    expect(judge({ retryAfterMs })).toEqual({ kind: 'retry', delayMs });
  });
});

describe('readRetryAfter', () => {
  const nowMs = at(0).getTime();

  it.each([
    undefined,
    '',
    ' ',
    'soon',
    '-5',
    '1.5',
    '0x10',
    '1e3',
    '5 seconds',
    'tomorrow 5',
    '2026-01-01',
    'Thu Jan  1 12:00:00 2026',
  ])('returns null for %j', (header) => expect(readRetryAfter(header, nowMs)).toBeNull());

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['4294967296', 4_294_967_296_000],
    ['9'.repeat(400), Infinity],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:59:00 GMT', 0],
  ])('reads %.40s', (header, delayMs) => expect(readRetryAfter(header, nowMs)).toBe(delayMs));
});

const bodyWith = (failures: unknown, livemode = false): string =>
  JSON.stringify({
    livemode,
    data: { object: { metadata: { test_webhook_failures: failures } } },
  });

describe('plannedFailures', () => {
  it.each([
    ['1', 1],
    ['3', 3],
    ['0', 0],
    ['4', 0],
    ['-1', 0],
    ['two', 0],
    ['', 0],
    [null, 0],
  ])('reads %j as %i', (given, count) => {
    expect(plannedFailures(bodyWith(given))).toBe(count);
  });

  it('is 0 in live mode, and without the metadata', () => {
    expect(plannedFailures(bodyWith('2', true))).toBe(0);
    const named = { livemode: false, data: { object: { description: 'test_webhook_failures' } } };
    expect(plannedFailures(JSON.stringify(named))).toBe(0);
    expect(plannedFailures('{"data":{"object":{}}}')).toBe(0);
  });
});
