import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../domain/event.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { faultsBy } from '../api/contract.ts';
import { sendExample } from '../../operations/example.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_example');
const stored = async () => ground.mongo.events.find({ m: ground.m }).sort({ _id: 1 }).toArray();

describe('sendExample', () => {
  it('sends one of each type to that endpoint alone, whatever it subscribes to', async () => {
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

  it('sends what is listed, each type once; a ping is about the endpoint itself', async () => {
    const { _id } = await ground.endpoint();
    const type = 'webhook_endpoint.*, payment.failed, webhook_endpoint.ping';
    const { events } = await sendExample(ground.services, { id: _id, type });
    expect(events.map((event) => event['type'])).toEqual([
      'payment.failed',
      'webhook_endpoint.disabled',
      'webhook_endpoint.ping',
    ]);
    const objects = (await stored()).map(({ body }) => JSON.parse(body).data.object);
    expect(objects[1].id).not.toBe(_id);
    expect(objects[2].id).toBe(_id);
  });

  it('refuses live mode, unknown types and what takes nothing, and writes nothing', async () => {
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
