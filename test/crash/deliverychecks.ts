/** What the promises about webhooks come to, held against what receivers got and rows say. */
import { expect } from 'vitest';
import { JITTER, readRetryAfter } from '../../domain/delivery.ts';
import type { Delivery, DeliveryAttempt } from '../../domain/delivery.ts';
import { webhooks } from '../../sdk/webhooks.ts';
import { numberOf, signedAt } from './deliverystorm.ts';
import type { Kill } from './deliverystorm.ts';
import type { Received } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';

/** Times are whole milliseconds, and each of them was rounded by itself. */
const ROUNDING_MS = 3;
/** From the signing to the moment at which the receiver of this busy process has read it all. */
const MAX_AGE_SECONDS = 30;
/** A request that waited in the network is read a little after its sender was found dead. */
const READ_LATE_MS = 1_000;

export interface Promised {
  readonly scheduleSeconds: readonly number[];
  /** The bytes of the event, as `GET /v1/events` has them. */
  readonly body: string;
  readonly secret: string;
}

/** One request: the event's own bytes, signed just now in both forms. */
export function expectGenuine(request: Received, row: Delivery, { body, secret }: Promised): void {
  const { headers, raw, at } = request;
  expect(headers['webhook-id']).toBe(row.event_id);
  expect(raw.equals(Buffer.from(body))).toBe(true);
  expect(headers['webhook-timestamp']).toBe(headers['service-timestamp']);
  const ageSeconds = at / 1000 - signedAt(request);
  expect(ageSeconds).toBeGreaterThanOrEqual(0);
  expect(ageSeconds).toBeLessThan(MAX_AGE_SECONDS);
  verify(request, secret);
  // Our own receiver's code takes either form: each is shown to it alone.
  for (const form of ['service-', 'webhook-']) {
    const own = Object.entries(headers).filter(([name]) => name.startsWith(form));
    const claims = Object.fromEntries(own) as Record<string, string>;
    expect(webhooks.verify(raw, claims, secret).id).toBe(row.event_id);
  }
}

/** The end of an attempt, or a few milliseconds before: what is read before the POST is left out. */
const endOf = ({ at, duration_ms: ms }: DeliveryAttempt): number => at.getTime() + ms;

/** The least time between the end of an attempt and the beginning of the next. */
function leastDelayMs(attempt: DeliveryAttempt, scheduleSeconds: readonly number[]): number {
  const header = attempt.response?.headers.find(([name]) => name === 'retry-after')?.[1];
  const asked = readRetryAfter(header, endOf(attempt)) ?? 0;
  return Math.max(scheduleSeconds[attempt.number]! * 1000 * (1 - JITTER), asked);
}

/** A delivery that has ended, and whatever came of it, in the order in which it came. */
export function expectKept(row: Delivery, came: readonly Received[], promised: Promised): void {
  const { scheduleSeconds } = promised;
  const { attempts } = row;
  const numbers = attempts.map(({ number }) => number);
  expect(numbers).toEqual(attempts.map((_, index) => index + 1));
  const outcomes = attempts.map(({ status }) => status !== null && status >= 200 && status < 300);
  expect(outcomes).toEqual(numbers.map((n) => n === numbers.length && row.state === 'succeeded'));
  expect(['succeeded', 'failed']).toContain(row.state);
  expect(row.next_attempt_at).toBeNull();
  if (row.state === 'failed') expect(numbers).toHaveLength(scheduleSeconds.length);

  // Never back to an earlier number, never beyond the last, and none that was not sent.
  const sent = came.map(numberOf);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  // One that ran out of its time before it reached the receiver is an attempt all the same.
  const unanswered = attempts.filter(({ error }) => error === 'timeout').map((a) => a.number);
  expect([...new Set([...sent, ...unanswered])].toSorted((a, b) => a - b)).toEqual(numbers);
  for (const request of came) expectGenuine(request, row, promised);

  for (const attempt of attempts) expectSignedThen(attempt, came);
  for (const [index, attempt] of attempts.slice(0, -1).entries()) {
    const delayMs = leastDelayMs(attempt, scheduleSeconds) - ROUNDING_MS;
    const next = came.find((request) => numberOf(request) === attempt.number + 1);
    const last = came.findLast((request) => numberOf(request) === attempt.number);
    expect(attempts[index + 1]!.at.getTime()).toBeGreaterThanOrEqual(endOf(attempt) + delayMs);
    if (next) expect(next.at).toBeGreaterThanOrEqual(endOf(attempt) + delayMs);
    // One that was given up may have been read long after that.
    if (!next || !last || attempt.error === 'timeout') continue;
    expect(next.at - last.at).toBeGreaterThanOrEqual(delayMs);
  }
}

/** What was answered has been read: one request of that number is the very one of the record. */
function expectSignedThen(
  { number, at, status }: DeliveryAttempt,
  came: readonly Received[],
): void {
  if (status === null) return;
  const its = came.filter((request) => numberOf(request) === number);
  expect(its.map(signedAt)).toContain(Math.floor(at.getTime() / 1000));
}

export interface Repeat {
  readonly delivery: string;
  readonly number: number;
  /** The kills of which the run before it may not have survived one. */
  readonly kills: readonly Kill[];
}

/**
 * Attempts that came more than once. Throws for one that no kill explains: its first run, which
 * takes `longestRunMs` at most, must have been under way when a worker died.
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
        throw new Error(`${delivery} got attempt ${number} twice; kills after it (ms): ${known}`);
      }
      repeats.push({ delivery, number, kills: causes });
    }
  }
  return repeats;
}

/** What came of all deliveries, in a line for people. */
export function summarize(rows: readonly Delivery[], repeats: number): string {
  const share = Math.round((repeats / rows.length) * 1_000);
  const failed = rows.filter(({ state }) => state === 'failed').length;
  const attempts = rows.reduce((sum, row) => sum + row.attempts.length, 0);
  return (
    `duplicates: ${share} per 1,000 deliveries (${repeats} of ${rows.length}), ` +
    `${attempts} attempts, ${failed} failed`
  );
}
