import { describe, expect, it } from 'vitest';
import { publicEndpoint } from '../../domain/wire.ts';
import { pingEndpoint } from '../../operations/ping.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_ping');

describe('pingEndpoint', () => {
  it('makes an event with one delivery, to that endpoint alone, and starts it', async () => {
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

  it('leaves the delivery for the sweep when it cannot be started now', async () => {
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
