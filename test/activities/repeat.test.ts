/** Every step of settling may be repeated, and may run many times at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_ENDPOINTS } from '../../domain/endpoint.ts';
import { chooseAtBank } from '../support/bank.ts';
import { openSettleGround } from './ground.ts';
import { closeAfterTests } from '../support/close.ts';
import { retryUnavailable } from '../support/retry.ts';

const AT_ONCE = 10;
const CANCEL = { kind: 'cancel', by: 'customer', request_id: 'req_none' } as const;

const ground = closeAfterTests(await openSettleGround('repeat'));
beforeEach(() => {
  ground.started.length = 0;
  ground.beforeStart = () => undefined;
});

/** Runs `step` ten times at once, each one again while the others' transactions block it. */
const many = async <T>(step: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, async () => retryUnavailable(step)));

describe('settling again', () => {
  it('emits nothing twice, and does not touch a delivery that succeeded', async () => {
    const { _id: id, m: tenant } = await ground.begin({}, [{}]);
    await chooseAtBank(ground.mongo, id, { outcome: 'approve' });
    const first = await ground.settle(id);
    const stateBefore = await ground.read(id);
    const [delivery] = await ground.deliveriesOf(tenant);
    await ground.mongo.deliveries.updateOne(
      { _id: delivery!._id },
      { $set: { state: 'succeeded', next_attempt_at: null } },
    );
    for (let i = 0; i < 3; i += 1) expect(await ground.settle(id)).toEqual(first);
    expect(await ground.read(id)).toEqual(stateBefore);
    expect(await ground.eventsOf(tenant)).toHaveLength(1);
    expect(await ground.deliveriesOf(tenant)).toHaveLength(1);
    expect(ground.started).toEqual([delivery!._id]);
  });

  it('does not expire a payment that was completed meanwhile', async () => {
    const { _id: id, m: tenant, expires_at } = await ground.begin();
    await chooseAtBank(ground.mongo, id, { outcome: 'approve' });
    await ground.settle(id);
    const result = await ground.settle(id, CANCEL, expires_at);
    expect(result.status).toBe('completed');
    expect(await ground.eventsOf(tenant)).toMatchObject([{ type: 'payment.completed' }]);
  });
});

describe('settling ten times at once', () => {
  it('an approval leads to one event and one set of deliveries', async () => {
    const { _id: id, m: tenant } = await ground.begin({}, [{}, {}, { status: 'disabled' }]);
    await chooseAtBank(ground.mongo, id, { outcome: 'approve' });
    const results = await many(async () => ground.settle(id));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(await ground.eventsOf(tenant)).toHaveLength(1);
    const deliveries = await ground.deliveriesOf(tenant);
    expect(deliveries).toHaveLength(3);
    const pending = deliveries.filter((delivery) => delivery.state === 'pending');
    expect(new Set(ground.started)).toEqual(new Set(pending.map((delivery) => delivery._id)));
  });

  it('a decline does not use up two attempts', async () => {
    const { _id: id, m: tenant } = await ground.begin();
    await chooseAtBank(ground.mongo, id, { outcome: 'card_declined' });
    await many(async () => ground.settle(id));
    const { status, attempts } = await ground.read(id);
    expect({ status, count: attempts.length }).toEqual({ status: 'created', count: 1 });
    expect(await ground.eventsOf(tenant)).toHaveLength(1);
  });

  it('a cancel and an expiry have one winner', async () => {
    const { _id: id, m: tenant, expires_at } = await ground.begin();
    let turn = 0;
    await many(async () => {
      turn += 1;
      return turn % 2 ? ground.settle(id, CANCEL) : ground.settle(id, undefined, expires_at);
    });
    const { status } = await ground.read(id);
    expect(['canceled', 'expired']).toContain(status);
    expect(await ground.eventsOf(tenant)).toMatchObject([{ type: `payment.${status}` }]);
  });
});

describe('a crash between the commit and the start of deliveries', () => {
  it.each(['approve', 'card_declined', 'suspected_fraud'] as const)(
    'is repaired by the repeat (%s)',
    async (outcome) => {
      const { _id: id, m: tenant } = await ground.begin({}, [{}, {}]);
      await chooseAtBank(ground.mongo, id, { outcome });
      ground.beforeStart = () => {
        throw new Error('Temporal is unavailable.');
      };
      await expect(ground.settle(id)).rejects.toThrow('Temporal is unavailable.');
      expect(ground.started).toEqual([]);
      const deliveries = await ground.deliveriesOf(tenant);
      const events = await ground.eventsOf(tenant);
      ground.beforeStart = () => undefined;
      await ground.settle(id);
      const ids = deliveries.map((delivery) => delivery._id);
      expect(new Set(ground.started)).toEqual(new Set(ids));
      expect(ids).toHaveLength(2);
      expect(await ground.deliveriesOf(tenant)).toEqual(deliveries);
      expect(await ground.eventsOf(tenant)).toEqual(events);
    },
  );
});

describe('a merchant with the maximum number of endpoints', () => {
  it('gets a delivery for each of them in one transaction', async () => {
    const endpoints = Array.from({ length: MAX_ENDPOINTS }, () => ({}));
    const { _id: id, m: tenant } = await ground.begin({}, endpoints);
    await ground.settle(id, CANCEL);
    expect(await ground.deliveriesOf(tenant)).toHaveLength(MAX_ENDPOINTS);
    expect(new Set(ground.started).size).toBe(MAX_ENDPOINTS);
  });

  it('gets no event of another merchant', async () => {
    const other = await ground.begin({}, [{}]);
    const { _id: id } = await ground.begin({}, [{}]);
    await ground.settle(id, CANCEL);
    expect(await ground.deliveriesOf(other.m)).toEqual([]);
    expect(await ground.eventsOf(other.m)).toEqual([]);
  });
});
