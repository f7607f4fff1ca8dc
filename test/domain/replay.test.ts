import { describe, expect, it } from 'vitest';
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import { REPEATABLE_STATES, batchSize, composeBatch, isTaken } from '../../domain/replay.ts';
import { makeReplay } from '../support/rows/replay.ts';
import { at } from './situation.ts';

describe('isTaken', () => {
  it('is every state that cannot be sent again, and no other', () => {
    const free = DELIVERY_STATES.filter((state) => !isTaken(state));
    expect(free.toSorted()).toEqual(REPEATABLE_STATES.toSorted());
  });
});

describe('composeBatch', () => {
  const eventIds = ['evt_a', 'evt_b', 'evt_c'];
  const ids = ['dlv_a', 'dlv_b', 'dlv_c'];

  it('puts the deliveries evenly apart, and the next batch behind them', () => {
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

  it('makes pending deliveries to its endpoint that name it', () => {
    const replay = makeReplay();
    const { deliveries } = composeBatch(replay, { ids, eventIds, now: at(1) });
    const { m: tenant, endpoint_id, _id } = replay;
    const common = { m: tenant, endpoint_id, replay_id: _id, state: 'pending', attempts: [] };
    for (const [index, delivery] of deliveries.entries()) {
      const own = { _id: ids[index], event_id: eventIds[index], trigger: 'replay' };
      expect(delivery).toMatchObject({ ...common, ...own });
    }
  });

  it('calls what a person wants sent again manual', () => {
    const selection = { kind: 'deliveries', states: ['failed'] } as const;
    const { deliveries } = composeBatch(makeReplay({ selection }), { ids, eventIds, now: at(1) });
    expect(deliveries.map(({ trigger }) => trigger)).toEqual(['manual', 'manual', 'manual']);
  });

  it('leaves the next batch no pause when there was nothing to send', () => {
    expect(composeBatch(makeReplay(), { ids: [], eventIds: [], now: at(1) }).dueAt).toEqual(at(1));
  });
});

describe('batchSize', () => {
  it('is what the rate allows in five seconds', () => {
    expect(batchSize({ per_second: 1 })).toBe(5);
    expect(batchSize({ per_second: 100 })).toBe(500);
  });
});
