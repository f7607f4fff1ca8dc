import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../domain/event.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { publicEndpoint } from '../../domain/wire.ts';
import { pingEndpoint, sendExample } from '../../operations/test-event.ts';
import { faultsBy } from '../api/contract.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_ping');

describe('pingEndpoint', () => {
  it('creates an event with one delivery, to that endpoint alone, and starts it', async () => {
    const endpoint = await ground.endpoint({ enabled_events: ['refund.*'] });
    await ground.endpoint();
    const sent = await pingEndpoint(ground.services, { id: endpoint._id });
    expect(ground.started).toEqual([sent['id']]);
    expect(sent['starts']).toBe('now');
    const [event, ...more] = await ground.mongo.events.find({ m: ground.m }).toArray();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ _id: sent['event_id'], payment_id: null });
    const { shown: _, ...row } = endpoint;
    expect(JSON.parse(event!.body)).toMatchObject({
      id: event!._id,
      type: 'webhook_endpoint.ping',
      data: { object: publicEndpoint(row, null) },
    });
    const deliveries = await ground.mongo.deliveries.find({ m: ground.m }).toArray();
    expect(deliveries).toEqual([
      expect.objectContaining({
        _id: sent['id'],
        endpoint_id: endpoint._id,
        event_id: event!._id,
        state: 'pending',
        trigger: 'test',
        next_attempt_at: event!.created_at,
      }),
    ]);
  });

  it('leaves the delivery to the sweep if it cannot be started', async () => {
    const endpoint = await ground.endpoint();
    ground.isAway = true;
    const sent = await pingEndpoint(ground.services, { id: endpoint._id });
    expect(sent['starts']).toBe('within a minute or two');
    const row = await ground.mongo.deliveries.findOne({ _id: String(sent['id']) });
    expect(row?.state).toBe('pending');
  });

  it('refuses an endpoint that is disabled or deleted, and writes nothing', async () => {
    for (const status of ['disabled', 'deleted'] as const) {
      const { _id } = await ground.endpoint({ status });
      const [code] = await refusalOf(pingEndpoint(ground.services, { id: _id }));
      expect(code).toBe(status === 'deleted' ? 'resource_missing' : 'parameter_invalid');
    }
    expect(await ground.mongo.events.countDocuments({ m: ground.m })).toBe(0);
    expect(await ground.mongo.deliveries.countDocuments({ m: ground.m })).toBe(0);
  });
});

const stored = async () => ground.mongo.events.find({ m: ground.m }).sort({ _id: 1 }).toArray();

describe('sendExample', () => {
  it('sends each type to that endpoint alone, even if it does not subscribe to it', async () => {
    const { _id } = await ground.endpoint({ enabled_events: ['refund.failed'] });
    await ground.endpoint();
    const { events } = await sendExample(ground.services, { id: _id, type: '*' });
    expect(events.map(({ type }) => type)).toEqual(EVENT_TYPES);
    const rows = await stored();
    expect(rows.map((event) => [event.type, event._id])).toEqual(
      events.map(({ type, event_id }) => [type, event_id]),
    );
    for (const { body, payment_id, type } of rows) {
      expect([type, faultsBy('#/components/schemas/Event', JSON.parse(body))]).toEqual([type, '']);
      expect(payment_id).toBeNull();
    }
    const deliveries = await ground.mongo.deliveries.find({ m: ground.m }).toArray();
    expect(deliveries.map(({ endpoint_id, trigger }) => [endpoint_id, trigger])).toEqual(
      EVENT_TYPES.map(() => [_id, 'test']),
    );
    expect(ground.started).toEqual(events.map(({ id }) => id));
  });

  it('sends each listed type once, and a ping about the endpoint itself', async () => {
    const { _id } = await ground.endpoint();
    const type = 'webhook_endpoint.*, payment.failed, webhook_endpoint.ping';
    const { events } = await sendExample(ground.services, { id: _id, type });
    expect(events.map((event) => event['type'])).toEqual([
      'payment.failed',
      'webhook_endpoint.disabled',
      'webhook_endpoint.ping',
    ]);
    const objects = (await stored()).map(({ body }) => JSON.parse(body).data.object);
    const sent = ground.mongo.deliveries.find({ m: ground.m }).sort({ _id: 1 });
    // An example's payment does not exist, but the endpoint of a ping does.
    expect((await sent.toArray()).map(({ once }) => once)).toEqual([true, true, undefined]);
    expect(objects[1].id).not.toBe(_id);
    expect(objects[2].id).toBe(_id);
  });

  it('refuses live mode, unknown types and disabled endpoints, and writes nothing', async () => {
    const ask = async (id: string, type = '*') =>
      refusalOf(sendExample(ground.services, { id, type }));
    const live = await ground.endpoint({ m: tenantOf(ground.merchant, 'live') });
    expect(await ask(live._id)).toEqual(['parameter_invalid', 'id']);
    const { _id } = await ground.endpoint();
    expect(await ask(_id, 'payment.completed,payment.made')).toEqual(['parameter_invalid', 'type']);
    const disabled = await ground.endpoint({ status: 'disabled' });
    expect(await ask(disabled._id)).toEqual(['parameter_invalid', 'id']);
    expect(await ask('we_1')).toEqual(['resource_missing', 'id']);
    const mine = { m: { $in: [ground.m, live.m] } };
    expect(await ground.mongo.events.countDocuments(mine)).toBe(0);
    expect(await ground.mongo.deliveries.countDocuments(mine)).toBe(0);
  });
});
