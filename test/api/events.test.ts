import { describe, expect, it } from 'vitest';
import type { Event } from '../../domain/event.ts';
import { mintId } from '../../store/mint.ts';
import { makeEvent } from '../support/rows/endpoint.ts';
import { makeTenant, openStand } from './harness.ts';

const { mongo, tenant, api } = await openStand('events');

async function put(overrides: Partial<Event> = {}): Promise<Event> {
  const event = makeEvent({ m: tenant.m, ...overrides });
  await mongo.events.insertOne(event);
  return event;
}

describe('GET /v1/events/{id}', () => {
  it.each([mintId('event'), mintId('payment'), 'nonsense'])('returns 404 for %s', async (id) => {
    const reply = await api.send('GET', `/v1/events/${id}`);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'resource_missing']);
  });

  it("returns 404 for another merchant's event", async () => {
    const { _id } = await put({ m: 'mer_other:test' });
    expect((await api.send('GET', `/v1/events/${_id}`)).status).toBe(404);
  });

  it('returns the stored bytes', async () => {
    const event = makeEvent({ m: tenant.m });
    const body = event.body.replace('{"id":', '{ "id"\t:  ');
    await mongo.events.insertOne({ ...event, body });
    expect((await api.send('GET', `/v1/events/${event._id}`)).text).toBe(body);
  });
});

describe('GET /v1/events', () => {
  it('returns the stored bytes of each event, newest first', async () => {
    const events = [await put(), await put()];
    const { text } = await api.send('GET', '/v1/events?limit=2');
    const bodies = events.toReversed().map(({ body }) => body);
    expect(text).toContain(`"data":[${bodies.join(',')}]}`);
    expect(JSON.parse(text)).toMatchObject({ object: 'list', url: '/v1/events' });
  });

  it.each([
    ['type=payment.completed', ['completed']],
    ['type=payment.completed,refund.created', ['completed', 'refund']],
    ['type=payment.*', ['completed', 'failed']],
    ['type=payment.*,refund.created', ['completed', 'failed', 'refund']],
  ])('is filtered by %s', async (query, expected) => {
    const owner = await makeTenant(mongo);
    const byName = {
      completed: await put({ m: owner.m, type: 'payment.completed' }),
      failed: await put({ m: owner.m, type: 'payment.failed' }),
      refund: await put({ m: owner.m, type: 'refund.created' }),
      ping: await put({ m: owner.m, type: 'webhook_endpoint.ping' }),
    };
    const { json } = await api.as(owner).send('GET', `/v1/events?${query}`);
    const names = Object.entries(byName).filter(([, { _id }]) =>
      json.data.some(({ id }: { id: string }) => id === _id),
    );
    expect(names.map(([name]) => name)).toEqual(expected);
  });

  it('is filtered by payment, and by payment and type', async () => {
    const payment_id = mintId('payment');
    const event = await put({ payment_id, type: 'payment.completed' });
    const refund = await put({ payment_id, type: 'refund.created' });
    await put({ payment_id: mintId('payment'), type: 'refund.created' });
    await put({ payment_id, m: 'mer_other:test', type: 'refund.created' });
    const list = async (rest: string) => {
      const { json } = await api.send('GET', `/v1/events?payment_id=${payment_id}${rest}`);
      return json.data.map(({ id }: { id: string }) => id);
    };
    expect(await list('')).toEqual([refund._id, event._id]);
    expect(await list('&type=refund.*')).toEqual([refund._id]);
    expect(await list('&type=refund.created,payment.*&limit=1')).toEqual([refund._id]);
    expect(await list('&type=payment.failed')).toEqual([]);
  });
});
