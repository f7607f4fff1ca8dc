/** Checks of delivery rows and received requests against what Tollgate promises about webhooks. */
import { expect } from 'vitest';
import { JITTER, readRetryAfter } from '../../domain/delivery.ts';
import type { Delivery, DeliveryAttempt } from '../../domain/delivery.ts';
import { webhooks } from '../../sdk/webhooks.ts';
import { numberOf, signedAt } from './deliverystorm.ts';
import type { Kill } from './deliverystorm.ts';
import type { Received } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';

/** Each time is rounded to a whole millisecond. */
const ROUNDING_MS = 3;
/** The longest time from the signature until this busy process has read the request. */
const MAX_AGE_SECONDS = 120;
/** A request may be read this long after its sender was killed. */
const READ_LATE_MS = 4_000;

interface Promised {
  readonly scheduleSeconds: readonly number[];
  /** The body of the event, as `GET /v1/events` returns it. */
  readonly body: string;
  readonly secret: string;
}

/** Expects the event's own bytes, recently signed in both forms. */
function expectGenuine(request: Received, row: Delivery, { body, secret }: Promised): void {
  const { headers, raw, at } = request;
  expect(headers['webhook-id']).toBe(row.event_id);
  expect(raw.equals(Buffer.from(body))).toBe(true);
  expect(headers['webhook-timestamp']).toBe(headers['service-timestamp']);
  const ageSeconds = at / 1000 - signedAt(request);
  expect(ageSeconds).toBeGreaterThanOrEqual(0);
  expect(ageSeconds).toBeLessThan(MAX_AGE_SECONDS);
  verify(request, secret);
  // The SDK accepts either form, so each is verified alone.
  for (const form of ['service-', 'webhook-']) {
    const own = Object.entries(headers).filter(([name]) => name.startsWith(form));
    const claims = Object.fromEntries(own) as Record<string, string>;
    expect(webhooks.verify(raw, claims, secret).id).toBe(row.event_id);
  }
}

/** Returns the end of an attempt, or slightly earlier: reads before the POST do not count. */
const endOf = ({ at, duration_ms: ms }: DeliveryAttempt): number => at.getTime() + ms;

/** Returns the shortest allowed time from the end of an attempt to the start of the next. */
function leastDelayMs(attempt: DeliveryAttempt, scheduleSeconds: readonly number[]): number {
  const header = attempt.response?.headers.find(([name]) => name === 'retry-after')?.[1];
  const requestedMs = readRetryAfter(header, endOf(attempt)) ?? 0;
  return Math.max(scheduleSeconds[attempt.number]! * 1000 * (1 - JITTER), requestedMs);
}

/** Checks a finished delivery and its requests, in the order of sending. */
export function expectDelivered(
  row: Delivery,
  came: readonly Received[],
  promised: Promised,
): void {
  const { scheduleSeconds } = promised;
  const { attempts } = row;
  const numbers = attempts.map(({ number }) => number);
  expect(numbers).toEqual(attempts.map((_, index) => index + 1));
  const outcomes = attempts.map(({ status }) => status !== null && status >= 200 && status < 300);
  expect(outcomes).toEqual(numbers.map((n) => n === numbers.length && row.state === 'succeeded'));
  expect(['succeeded', 'failed']).toContain(row.state);
  expect(row.next_attempt_at).toBeNull();
  if (row.state === 'failed') expect(numbers).toHaveLength(scheduleSeconds.length);

  // Attempt numbers never go back, never exceed the last attempt, and leave no gap.
  const sent = came.map(numberOf);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  // A POST that timed out before it reached the receiver counts as an attempt.
  const timedOut = attempts.filter(({ error }) => error === 'timeout').map((a) => a.number);
  expect([...new Set([...sent, ...timedOut])].toSorted((a, b) => a - b)).toEqual(numbers);
  for (const request of came) expectGenuine(request, row, promised);

  for (const attempt of attempts) expectRequestOf(attempt, came);
  for (const [index, attempt] of attempts.slice(0, -1).entries()) {
    const delayMs = leastDelayMs(attempt, scheduleSeconds) - ROUNDING_MS;
    const next = came.find((request) => numberOf(request) === attempt.number + 1);
    const last = came.findLast((request) => numberOf(request) === attempt.number);
    expect(attempts[index + 1]!.at.getTime()).toBeGreaterThanOrEqual(endOf(attempt) + delayMs);
    if (next) expect(next.at).toBeGreaterThanOrEqual(endOf(attempt) + delayMs);
    // A request that timed out may have been read long after that.
    if (!next || !last || attempt.error === 'timeout') continue;
    expect(next.at - last.at).toBeGreaterThanOrEqual(delayMs);
  }
}

/** Expects the request of a recorded response, which must have reached the receiver. */
function expectRequestOf({ number, at, status }: DeliveryAttempt, came: readonly Received[]): void {
  if (status === null) return;
  const its = came.filter((request) => numberOf(request) === number);
  expect(its.map(signedAt)).toContain(Math.floor(at.getTime() / 1000));
}

interface Repeat {
  readonly delivery: string;
  readonly number: number;
  /** The kills that may have ended the first run of the attempt. */
  readonly kills: readonly Kill[];
}

/**
 * Returns the attempts that arrived more than once. Throws if no kill explains one: a worker must
 * have been killed during the first run of the attempt, which takes at most `longestRunMs`.
 */
export function findRepeats(
  came: ReadonlyMap<string, readonly Received[]>,
  { kills, longestRunMs }: { kills: readonly Kill[]; longestRunMs: number },
): Repeat[] {
  const repeats: Repeat[] = [];
  for (const [delivery, requests] of came) {
    for (const [index, request] of requests.entries()) {
      const number = numberOf(request);
      const before = requests[index - 1];
      if (!before || numberOf(before) !== number) continue;
      const end = Math.min(before.at + longestRunMs, request.at);
      const causes = kills.filter(({ at, gone }) => at <= end && gone + READ_LATE_MS >= before.at);
      if (causes.length === 0) {
        const known = kills.map(({ at }) => at - before.at).join(', ');
        throw new Error(
          `${delivery}: attempt ${number} arrived twice; kills after it (ms): ${known}`,
        );
      }
      repeats.push({ delivery, number, kills: causes });
    }
  }
  return repeats;
}

/** Returns a summary of all deliveries, in one line for people. */
export function summarize(rows: readonly Delivery[], repeats: number): string {
  const share = Math.round((repeats / rows.length) * 1_000);
  const failed = rows.filter(({ state }) => state === 'failed').length;
  const attempts = rows.reduce((sum, row) => sum + row.attempts.length, 0);
  return (
    `duplicates: ${share} per 1,000 deliveries (${repeats} of ${rows.length}), ` +
    `${attempts} attempts, ${failed} failed`
  );
}
