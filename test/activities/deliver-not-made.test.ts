/** Deliveries that must not be sent, or not yet. */
import { describe, expect, it } from 'vitest';
import { makeReplay } from '../support/rows/replay.ts';
import { useDeliverGround } from './dispatch.ts';

const ground = await useDeliverGround('deliver-not-made');

describe('a delivery that must not be sent', () => {
  it.each([
    ['is unknown', {}, undefined],
    ['succeeded', {}, { state: 'succeeded', next_attempt_at: null }],
    ['failed', {}, { state: 'failed', next_attempt_at: null }],
    ['was skipped', {}, { state: 'skipped', next_attempt_at: null }],
    ['was stopped', {}, { state: 'stopped', next_attempt_at: null }],
  ] as const)('is not sent if it %s', async (_, endpoint, delivery) => {
    const { id } = await ground.begin(endpoint, delivery);
    await ground.deliver(delivery ? id : 'dlv_unknown');
    expect(ground.receiver.connections).toBe(0);
    expect((await ground.read(id)).attempts).toEqual([]);
  });

  it.each(['deleted', 'disabled'] as const)(
    'is stopped when its endpoint is %s',
    async (status) => {
      const { id } = await ground.begin({ status });
      await ground.deliver(id);
      expect(ground.receiver.connections).toBe(0);
      expect(await ground.read(id)).toMatchObject({
        state: 'stopped',
        next_attempt_at: null,
        attempts: [],
      });
    },
  );

  it('is stopped with its replay, even if stopping the replay was cut off', async () => {
    const replay = makeReplay({ status: 'stopped', stopped_reason: 'asked' });
    await ground.mongo.replays.insertOne({ ...replay, stopped_at: new Date() });
    const { id } = await ground.begin({}, { replay_id: replay._id });
    await ground.deliver(id);
    expect(ground.receiver.connections).toBe(0);
    expect(await ground.read(id)).toMatchObject({ state: 'stopped', attempts: [] });
  });

  it('waits for the rest of its delay if it is too early', async () => {
    const due = Date.now() + 60_000;
    const { id } = await ground.begin({}, { next_attempt_at: new Date(due) });
    const delayMs = await ground.delayOf(id);
    expect(delayMs).toBeLessThanOrEqual(60_000);
    expect(delayMs).toBeGreaterThanOrEqual(due - Date.now());
    expect(ground.receiver.connections).toBe(0);
    expect((await ground.read(id)).attempts).toEqual([]);
  });
});
