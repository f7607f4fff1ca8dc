import { describe, expect, it } from 'vitest';
import type { Event } from '../../domain/event.ts';
import { eventById, findEvent, insertEvent, newestEventOf } from '../../store/events.ts';
import { mintId } from '../../store/mint.ts';
import { duplicateOf } from '../../store/mongo.ts';
import { makeEvent } from '../support/rows/endpoint.ts';
import { rejection, useDatabase } from './database.ts';
import { tenantOf } from '../../domain/merchant.ts';

const database = await useDatabase('events');
const newTenant = (): string => tenantOf(mintId('merchant'), 'test');

async function insert(event: Event): Promise<void> {
  const { mongo } = database;
  await mongo.transact(async (session) => insertEvent(mongo, session, event));
}

describe('insertEvent', () => {
  it('refuses a second event of the same cause', async () => {
    const event = makeEvent({ m: newTenant() });
    await insert(event);
    const again = makeEvent({ m: event.m, cause: event.cause });
    expect(duplicateOf(await rejection(insert(again)))).toBe('cause');
    expect(await eventById(database.mongo, again._id)).toBeNull();
  });

  it('inserts one of 10 concurrent events with the same cause', async () => {
    const tenant = newTenant();
    const cause = mintId('payment');
    const many = Array.from({ length: 10 }, async () => insert(makeEvent({ m: tenant, cause })));
    const done = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    expect(await database.mongo.events.countDocuments({ m: tenant })).toBe(1);
  });
});

describe('findEvent', () => {
  it('does not find events of other tenants, and returns the stored text', async () => {
    const event = makeEvent({ m: newTenant() });
    await insert(event);
    expect(await findEvent(database.mongo, newTenant(), event._id)).toBeNull();
    expect((await findEvent(database.mongo, event.m, event._id))?.body).toBe(event.body);
  });
});

describe('newestEventOf', () => {
  it('returns the last event of that payment, or null', async () => {
    const tenant = newTenant();
    const [first, second] = ['pay_1', 'pay_2'].map((payment_id) =>
      makeEvent({ m: tenant, payment_id }),
    );
    const last = makeEvent({ m: tenant, payment_id: 'pay_1' });
    for (const event of [first!, last, second!]) await insert(event);
    expect(await newestEventOf(database.mongo, tenant, 'pay_1')).toEqual(last);
    expect(await newestEventOf(database.mongo, tenant, 'pay_3')).toBeNull();
    expect(await newestEventOf(database.mongo, newTenant(), 'pay_1')).toBeNull();
  });
});
