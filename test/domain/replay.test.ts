import { describe, expect, it } from 'vitest';
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import { REPEATABLE_STATES, batchSize, composeBatch, isTaken } from '../../domain/replay.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { at } from './situation.ts';

describe('isTaken', () => {
  it('is true only for states that cannot be replayed', () => {
    const free = DELIVERY_STATES.filter((state) => !isTaken(state));
    expect(free.toSorted()).toEqual(REPEATABLE_STATES.toSorted());
  });
});

describe('composeBatch', () => {
  const eventIds = ['evt_a', 'evt_b', 'evt_c'];
  const ids = ['dlv_a', 'dlv_b', 'dlv_c'];

  it('spaces the deliveries evenly, with the next batch after them', () => {
    const { deliveries, dueAt } = composeBatch(makeReplay({ per_second: 4 }), {
      ids,
      eventIds,
      now: at(1),
    });
    const times = deliveries.map(({ next_attempt_at: time }) => time!.getTime() - at(1).getTime());
    expect(times).toEqual([0, 250, 500]);
    expect(dueAt.getTime() - at(1).getTime()).toBe(750);
    expect(deliveries.every(({ created_at: made }) => +made === +at(1))).toBe(true);
  });

  it('creates pending deliveries to its endpoint, with its id', () => {
    const replay = makeReplay();
    const { deliveries } = composeBatch(replay, { ids, eventIds, now: at(1) });
    const { m: tenant, endpoint_id, _id } = replay;
    const common = { m: tenant, endpoint_id, replay_id: _id, state: 'pending', attempts: [] };
    for (const [index, delivery] of deliveries.entries()) {
      const own = { _id: ids[index], event_id: eventIds[index], trigger: 'replay' };
      expect(delivery).toMatchObject({ ...common, ...own });
    }
  });

  it('has the trigger `manual` for a selection of deliveries', () => {
    const selection = { kind: 'deliveries', states: ['failed'] } as const;
    const { deliveries } = composeBatch(makeReplay({ selection }), { ids, eventIds, now: at(1) });
    expect(deliveries.map(({ trigger }) => trigger)).toEqual(['manual', 'manual', 'manual']);
  });

  it('makes the next batch due at once if this one is empty', () => {
    expect(composeBatch(makeReplay(), { ids: [], eventIds: [], now: at(1) }).dueAt).toEqual(at(1));
  });
});

describe('batchSize', () => {
  it('is the number of deliveries in five seconds', () => {
    expect(batchSize({ per_second: 1 })).toBe(5);
    expect(batchSize({ per_second: 100 })).toBe(500);
  });
});
