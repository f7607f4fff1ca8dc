import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { DEFAULT_SCHEDULE_SECONDS, JITTER } from '../../domain/delivery.ts';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { mintId } from '../../store/mint.ts';
import { sealer } from '../support/rows/endpoint.ts';
import type { Reply } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { openDeliverGround, useDeliverGround } from './dispatch.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The tolerance for times that were each rounded to milliseconds. */
const ROUNDING_MS = 3;

const ground = await useDeliverGround('deliver');

const answerWith = (reply: Reply): void => {
  ground.receiver.respond = () => reply;
};

const ends = (inMs: number): Date => new Date(Date.now() + inMs);

describe('a request', () => {
  it('is signed with every live secret during an overlap, and with no ended one', async () => {
    const [old, older] = [makeWebhookSecret(), makeWebhookSecret()];
    const { id, secret, endpoint } = await ground.begin();
    const seal = (text: string) => sealer.seal(text, endpoint._id);
    const previous = [
      { secret: seal(old), hint: '', expires_at: ends(60_000) },
      { secret: seal(older), hint: '', expires_at: ends(-1) },
    ];
    const set = { $set: { previous_secrets: previous } };
    await ground.mongo.endpoints.updateOne({ _id: endpoint._id }, set);
    await ground.deliver(id);
    const { raw, headers } = ground.receiver.requests[0]!;
    const verifies = (by: string): boolean => {
      try {
        new Webhook(by).verify(raw, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    expect([secret, old, older].map(verifies)).toEqual([true, true, false]);
    expect(String(headers['service-signature']).split(',')).toHaveLength(2);
  });

  it('carries the stored bytes, and every documented header', async () => {
    const { id, event, secret } = await ground.begin();
    const before = Math.floor(Date.now() / 1000);
    await ground.deliver(id);
    const [request] = ground.receiver.requests;
    expect(request!.raw).toEqual(Buffer.from(event.body));
    const { headers } = request!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(event.body)),
      'user-agent': 'Tollgate/1.2.3',
      'service-delivery': id,
      'service-attempt': '1',
      'webhook-id': event._id,
    });
    const timestamp = String(headers['service-timestamp']);
    expect(headers['webhook-timestamp']).toBe(timestamp);
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(timestamp)).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    const signed = Buffer.concat([Buffer.from(`${timestamp}.`), request!.raw]);
    const hex = createHmac('sha256', secret).update(signed).digest('hex');
    expect(headers['service-signature']).toBe(`v1=${hex}`);
    const verified = new Webhook(secret).verify(request!.raw, headers as Record<string, string>);
    expect(verified).toEqual(JSON.parse(event.body));
  });

  it('logs one line for each attempt', async () => {
    const { id, endpoint } = await ground.begin();
    answerWith({ status: 500 });
    await ground.delayOf(id);
    await ground.makeDue(id);
    answerWith({ status: 200 });
    await ground.deliver(id);
    const line = { delivery: id, endpoint: endpoint._id, ms: expect.any(Number) };
    expect(ground.logged).toEqual([
      { ...line, attempt: 1, status: 500, error: expect.any(String) },
      { ...line, attempt: 2, status: 200, error: null },
    ]);
  });

  it('has the same bytes at every attempt, with new signatures', async () => {
    const { id, event, secret } = await ground.begin();
    ground.receiver.respond = (number) => ({ status: number < 3 ? 500 : 200 });
    await ground.delayOf(id);
    await ground.makeDue(id);
    await ground.delayOf(id);
    await ground.makeDue(id);
    await ground.deliver(id);
    const { requests } = ground.receiver;
    expect(requests.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '3']);
    for (const { raw, headers } of requests) {
      expect(raw).toEqual(Buffer.from(event.body));
      expect(headers['service-delivery']).toBe(id);
      new Webhook(secret).verify(raw, headers as Record<string, string>);
    }
  });
});

describe('a hastened attempt', () => {
  it('passes the gate as a test does, and the attempts after it do not', async () => {
    const hastened = { number: 2, request_id: 'req_1' };
    const { id } = await ground.begin({}, { hastened });
    answerWith({ status: 500 });
    for (let number = 1; number <= 3; number += 1) {
      await ground.delayOf(id);
      await ground.makeDue(id);
    }
    expect(ground.entered).toEqual([undefined, 'test', undefined]);
  });
});

describe('a response', () => {
  it.each([200, 204, 299])('of %i is a success and ends the delivery', async (status) => {
    const { id, endpoint } = await ground.begin({ failing_since: new Date() });
    answerWith({ status });
    await ground.deliver(id);
    const { state, next_attempt_at, attempts } = await ground.read(id);
    expect({ state, next_attempt_at }).toEqual({ state: 'succeeded', next_attempt_at: null });
    expect(attempts).toMatchObject([{ number: 1, status, error: null }]);
    expect((await ground.readEndpoint(endpoint)).failing_since).toBeNull();
  });

  it.each([
    [302, 'redirect'],
    [400, 'status'],
    [404, 'status'],
    [500, 'status'],
  ])('of %i is a failure, and is not followed anywhere', async (status, error) => {
    const { id, endpoint } = await ground.begin();
    answerWith({ status, headers: { location: `${ground.receiver.url}/elsewhere` } });
    await ground.delayOf(id);
    expect(ground.receiver.requests).toHaveLength(1);
    const { state, attempts } = await ground.read(id);
    expect(state).toBe('pending');
    expect(attempts).toMatchObject([{ number: 1, status, error }]);
    expect((await ground.readEndpoint(endpoint)).failing_since).toEqual(attempts[0]!.at);
  });

  it('is a failure if it does not arrive before the timeout', async () => {
    const timeoutMs = 1_000;
    const hasty = await openDeliverGround('deliver-hasty', timeoutMs);
    const { id } = await hasty.begin();
    hasty.receiver.respond = () => 'silence';
    await hasty.delayOf(id);
    const [attempt] = (await hasty.read(id)).attempts;
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(attempt!.duration_ms).toBeGreaterThanOrEqual(timeoutMs - 10);
    await hasty.close();
  });

  it.each([
    ['3600', 3_600_000],
    ['9999999', DAY_MS],
  ])('with Retry-After %s is honoured up to a day', async (seconds, delayMs) => {
    const { id } = await ground.begin();
    answerWith({ status: 503, headers: { 'retry-after': seconds } });
    expect(await ground.delayOf(id)).toBe(delayMs);
  });

  it.each(['0', '-1', 'soon', new Date(0).toUTCString()])(
    'with Retry-After "%s" is not followed by a retry before the scheduled time',
    async (value) => {
      const { id } = await ground.begin();
      answerWith({ status: 503, headers: { 'retry-after': value } });
      expect(await ground.delayOf(id)).toBeGreaterThanOrEqual(5_000 * (1 - JITTER));
    },
  );
});

describe('a delivery of a replay', () => {
  it('enters the gate as a replay, even for an event that was not accepted before', async () => {
    const replay_id = mintId('replay');
    for (const over of [{ trigger: 'manual', replay_id }, { trigger: 'manual' }, {}] as const) {
      const { id } = await ground.begin({}, over);
      await ground.deliver(id);
    }
    expect(ground.entered).toEqual(['replay', 'manual', undefined]);
  });
});

describe('the schedule', () => {
  it('has 12 attempts, each recorded, after which the delivery has failed', async () => {
    const { id } = await ground.begin();
    answerWith({ status: 500 });
    const rest = DEFAULT_SCHEDULE_SECONDS.slice(1);
    for (const seconds of rest) {
      const delayMs = await ground.delayOf(id);
      expect(delayMs).toBeGreaterThanOrEqual(seconds * 1000 * (1 - JITTER));
      expect(delayMs).toBeLessThanOrEqual(seconds * 1000 * (1 + JITTER));
      // The delay starts at the end of the attempt.
      const { next_attempt_at, attempts } = await ground.read(id);
      const { at, duration_ms } = attempts.at(-1)!;
      const from = next_attempt_at!.getTime() - delayMs;
      expect(from).toBeGreaterThanOrEqual(at.getTime() + duration_ms - ROUNDING_MS);
      expect(from).toBeLessThanOrEqual(Date.now() + ROUNDING_MS);
      await ground.makeDue(id);
    }
    await ground.deliver(id);
    const { state, next_attempt_at, attempts } = await ground.read(id);
    expect({ state, next_attempt_at }).toEqual({ state: 'failed', next_attempt_at: null });
    const numbers = attempts.map((attempt) => attempt.number);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    await ground.deliver(id);
    expect(ground.receiver.requests).toHaveLength(12);
  });
});

describe('one of two concurrent runs', () => {
  it('records nothing if the attempt was recorded meanwhile, and reads the row again', async () => {
    const { id } = await ground.begin();
    const { receiver } = ground;
    receiver.respond = async () => {
      await until(
        () => receiver.requests.length,
        (count) => count === 2,
      );
      return { status: 500 };
    };
    const delays = await Promise.all([ground.delayOf(id), ground.delayOf(id)]);
    expect((await ground.read(id)).attempts).toMatchObject([{ number: 1 }]);
    expect(Math.min(...delays)).toBe(1_000);
    const numbers = receiver.requests.map(({ headers }) => headers['service-attempt']);
    expect(numbers).toEqual(['1', '1']);
  });
});
