import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeTimes } from '../../check/judge.ts';
import { CHECK_CODES, STEP_CODES } from '../../domain/check.ts';
import type { Verdict } from '../../domain/check.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { webhooks } from '../../sdk/index.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Behaviour, Received, Receiver } from '../support/receiver.ts';
import {
  FORGERIES,
  SECRET,
  answerOf,
  examineAll,
  firstOf,
  genuine,
  idOfBody,
  latin1,
  standardUnread,
  startingWith,
  throughJson,
  timedByTheOther,
  withEmptyKey,
} from './takes.ts';
import type { Take, Then } from './takes.ts';

/** The maximum number of requests. A developer waits for them, one after the other. */
const MOST_REQUESTS = 40;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => receiver.close());

const answering = (take: Take, then?: Then) => answerOf(() => receiver, take, then);

async function examined(how: Partial<Parameters<typeof examineAll>[1]> = {}) {
  const findings = await examineAll(receiver.url, { secrets: [SECRET], ...how });
  const of = (verdict: Verdict): string[] =>
    findings.filter((each) => each.verdict === verdict).map((each) => each.check);
  return { findings, of };
}

describe('examine', () => {
  it('passes a receiver that does everything right, with few requests', async () => {
    receiver.respond = answering(genuine);
    const { findings, of } = await examined();
    expect(of('pass')).toEqual(CHECK_CODES);
    const steps = findings.flatMap(({ exchanges }) => exchanges.map(({ step }) => step));
    expect(steps).toEqual(STEP_CODES);
    // The slowest is not a request of its own.
    expect(receiver.requests.length).toBe(STEP_CODES.length - 1);
    expect(receiver.requests.length).toBeLessThan(MOST_REQUESTS);
  });

  it('passes the same receiver while its secret is being replaced', async () => {
    receiver.respond = answering(genuine);
    const { of } = await examined({ secrets: [makeWebhookSecret(), SECRET] });
    expect(of('pass')).toEqual(CHECK_CODES);
  });

  it('sends nothing more when it is over, and skips what it could not complete', async () => {
    receiver.respond = answering(genuine);
    const isOver = (): boolean => receiver.requests.length >= 3;
    const { findings, of } = await examined({ isOver });
    expect(receiver.requests).toHaveLength(3);
    expect(of('pass')).toEqual(['genuine', 'time']);
    const skipped = findings.filter(({ verdict }) => verdict === 'skipped');
    expect(skipped).toHaveLength(CHECK_CODES.length - 2);
    for (const { cause, exchanges } of skipped) {
      expect([cause, exchanges]).toEqual(['out_of_time', []]);
    }
  });

  it.each([
    [405, 'pass'],
    [501, 'pass'],
    [500, 'warning'],
  ])('judges a GET that got %i: %s', async (status, verdict) => {
    const right = answering(genuine);
    receiver.respond = (number, request) =>
      request.method === 'GET' ? { status } : right(number, request);
    const { findings } = await examined();
    expect(findings.find(({ check }) => check === 'method')?.verdict).toBe(verdict);
  });

  it.each<[string, (number: number, request: Received) => Behaviour, string[], string[]]>([
    ['accepts everything', () => ({ status: 200 }), FORGERIES, ['method']],
    [
      'ignores the time',
      answering(({ raw, headers }) =>
        webhooks.verify(raw, headers, SECRET, { toleranceSeconds: 1e9 }),
      ),
      ['old', 'other_timestamp', 'future'],
      [],
    ],
    [
      'has a long time tolerance',
      answering(({ raw, headers }) =>
        webhooks.verify(raw, headers, SECRET, { toleranceSeconds: 600 }),
      ),
      [],
      ['old', 'future'],
    ],
    ['parses before it verifies', answering(throughJson), [], ['bytes']],
    ['reads the body as Latin-1', answering(latin1), ['non_ascii'], []],
    ['reads only the first signature', answering(firstOf(1)), ['rotation'], []],
    ['reads only two signatures', answering(firstOf(2)), ['rotation'], []],
    ['accepts an empty key', answering(withEmptyKey), ['empty_key'], []],
    [
      'reads Service-Timestamp and verifies webhook-signature',
      answering(timedByTheOther('standard')),
      ['other_timestamp'],
      [],
    ],
    [
      'reads webhook-timestamp and verifies Service-Signature',
      answering(timedByTheOther('own')),
      ['other_timestamp'],
      [],
    ],
    [
      'accepts the start of Service-Signature',
      answering(startingWith('own', 4)),
      ['cut_signature'],
      [],
    ],
    [
      'accepts the start of webhook-signature',
      answering(startingWith('standard', 4)),
      ['cut_signature'],
      [],
    ],
    ['accepts half of a signature', answering(startingWith('standard', 20)), ['cut_signature'], []],
    ['does not verify the received webhook-id', answering(idOfBody), ['changed_id'], []],
    [
      'verifies one form and trusts the other',
      answering(standardUnread),
      ['wrong_secret', 'cut_signature', 'changed_id'],
      [],
    ],
    [
      'does not know new types',
      answering(genuine, ({ type }) => ({ status: EVENT_TYPES.includes(type) ? 200 : 400 })),
      ['unknown_type'],
      [],
    ],
    [
      'refuses a repeated event',
      answering(genuine, (_, times) => ({ status: times > 1 ? 409 : 200 })),
      ['twice'],
      [],
    ],
    [
      'limits the size of bodies',
      (number, request) =>
        request.raw.length > 10_000 ? { status: 413 } : answering(genuine)(number, request),
      ['large'],
      [],
    ],
    [
      'relies on the order of events',
      answering(genuine, ({ type }) => ({ status: type === 'refund.completed' ? 409 : 200 })),
      [],
      ['order'],
    ],
    [
      'responds with 500 instead of a refusal',
      (number, request) => {
        const answer = answering(genuine)(number, request);
        return typeof answer === 'string' || answer.status !== 401 ? answer : { status: 500 };
      },
      [],
      FORGERIES,
    ],
  ])('detects a receiver that %s', async (_, behaviour, failed, warned) => {
    receiver.respond = behaviour;
    const { findings, of } = await examined();
    expect({ failed: of('fail'), warned: of('warning') }).toEqual({ failed, warned });
    const caused = findings.filter(({ cause }) => cause !== null).map((each) => each.check);
    expect(caused.toSorted()).toEqual([...failed, ...warned].toSorted());
  });

  it('does not count a 5xx as a refusal if genuine events get one too', async () => {
    // It verifies nothing, and fails because it does not find the made-up payments.
    receiver.respond = () => ({ status: 500 });
    const { findings, of } = await examined();
    expect(of('warning')).toEqual(expect.arrayContaining(FORGERIES));
    const forged = findings.filter(({ check }) => FORGERIES.includes(check));
    for (const { cause } of forged) expect(cause).toBe('unproven');
  });

  it('sends no further forgery of a check after one without a response', async () => {
    const right = answering(genuine);
    receiver.respond = (number, request) => {
      const behaviour = right(number, request);
      return typeof behaviour !== 'string' && behaviour.status === 401 ? 'reset' : behaviour;
    };
    const { findings, of } = await examined();
    expect(of('fail')).toEqual(FORGERIES);
    for (const { check, exchanges, cause } of findings) {
      if (!FORGERIES.includes(check)) continue;
      expect(exchanges.map(({ status }) => status)).toEqual([null]);
      expect(cause).toBe('forgery_ignored');
    }
  });
});

describe('judgeTimes', () => {
  it.each([
    ['passes', 4_999, 'pass'],
    ['warns of', 5_000, 'warning'],
  ])('%s a receiver whose slowest response took %i ms', (_, slowestMs, verdict) => {
    expect(judgeTimes([12, slowestMs, 40])).toMatchObject({
      check: 'time',
      verdict,
      exchanges: [{ duration_ms: slowestMs }],
    });
  });
});
