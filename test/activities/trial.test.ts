/** Deliveries of test mode that are made to be tried: planned failures, and examples. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_SCHEDULE_SECONDS, JITTER } from '../../domain/delivery.ts';
import type { Reply } from '../support/receiver.ts';
import { useDeliverGround } from './dispatch.ts';

/** The tolerance for times that were each rounded to milliseconds. */
const ROUNDING_MS = 3;

const ground = await useDeliverGround('trial');

const answerWith = (reply: Reply): void => {
  ground.receiver.respond = () => reply;
};

/** Begins a delivery whose first two attempts count as failed. */
async function beginPlanned() {
  const begun = await ground.begin();
  const body = begun.event.body.replace(
    '"description"',
    '"metadata":{"test_webhook_failures":"2"},"description"',
  );
  await ground.mongo.events.updateOne({ _id: begun.event._id }, { $set: { body } });
  return begun;
}

describe('a planned failure', () => {
  it('is sent again with the same bytes, and does not count against the endpoint', async () => {
    const { id, endpoint } = await beginPlanned();
    for (const number of [1, 2]) {
      const delayMs = await ground.delayOf(id);
      const meanMs = DEFAULT_SCHEDULE_SECONDS[number]! * 1_000;
      expect(Math.abs(delayMs - meanMs)).toBeLessThanOrEqual(meanMs * JITTER + ROUNDING_MS);
      await ground.makeDue(id);
    }
    await ground.deliver(id);
    const { state, attempts } = await ground.read(id);
    expect(state).toBe('succeeded');
    expect(attempts).toMatchObject([
      { status: 200, error: 'planned' },
      { status: 200, error: 'planned' },
      { status: 200, error: null },
    ]);
    expect(new Set(ground.receiver.requests.map(({ raw }) => raw.toString())).size).toBe(1);
    expect((await ground.readEndpoint(endpoint)).failing_since).toBeNull();
  });

  it('leaves a refusal of the receiver as it is', async () => {
    const { id, endpoint } = await beginPlanned();
    answerWith({ status: 503 });
    await ground.delayOf(id);
    await ground.makeDue(id);
    answerWith({ status: 410 });
    await ground.deliver(id);
    const { attempts } = await ground.read(id);
    expect(attempts).toMatchObject([{ status: 503, error: 'status' }, { status: 410 }]);
    expect((await ground.readEndpoint(endpoint)).status).toBe('disabled');
  });
});

describe('an example', () => {
  const longAgo = new Date(Date.now() - 6 * 24 * 60 * 60 * 1000);

  it.each([
    ['a healthy endpoint', null],
    ['an endpoint that has failed for long', longAgo],
  ])('is sent once, and says nothing about %s', async (_, failing_since) => {
    const { id, endpoint } = await ground.begin({ failing_since }, { trigger: 'test', once: true });
    answerWith({ status: 500 });
    await ground.deliver(id);
    const { state, next_attempt_at, attempts } = await ground.read(id);
    expect({ state, next_attempt_at }).toEqual({ state: 'failed', next_attempt_at: null });
    expect(attempts).toMatchObject([{ status: 500, error: 'status' }]);
    const after = await ground.readEndpoint(endpoint);
    expect(after).toMatchObject({ status: 'enabled', failing_since });
  });
});
