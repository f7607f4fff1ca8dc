import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, eventBody } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { publicEndpoint } from '../../domain/wire.ts';
import { exampleObject, pingEndpoint, sendExample } from '../../operations/test-event.ts';
import { mintId } from '../../store/mint.ts';
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

const NOW = new Date('2026-05-04T03:02:01.234Z');

const idsIn = (object: object): string[] =>
  JSON.stringify(object).match(/"(?:pay|att|ref|we)_\w+"/g) ?? [];

describe('exampleObject', () => {
  it.each(EVENT_TYPES)('returns a %s that fits the documented schema', (type) => {
    const about = { id: mintId('event'), type, createdAt: NOW, livemode: false, request: null };
    const body = eventBody({ ...about, object: exampleObject(type, NOW) });
    expect(faultsBy('#/components/schemas/Event', JSON.parse(body))).toBe('');
  });

  it.each<[EventType, object]>([
    ['payment.completed', { status: 'completed', amount_refunded: 0, amount_refundable: 12_500 }],
    ['payment.attempt_failed', { status: 'created', attempts_count: 1, failure_code: null }],
    ['payment.failed', { status: 'failed', failure_code: 'suspected_fraud' }],
    ['payment.canceled', { status: 'canceled', cancellation: { by: 'merchant' } }],
    ['payment.expired', { status: 'expired', payment_method: null }],
    [
      'payment.refunded',
      { status: 'completed', amount_refunded: 2_500, amount_refundable: 10_000 },
    ],
    ['refund.created', { status: 'pending', completed_at: null }],
    ['refund.completed', { status: 'completed', amount: 2_500 }],
    ['refund.failed', { status: 'failed', failure_code: 'refund_declined' }],
    ['refund.canceled', { status: 'canceled', failure_code: null }],
    ['webhook_endpoint.disabled', { status: 'disabled', disabled_reason: 'failing' }],
  ])('returns a %s with the state after the event', (type, object) => {
    expect(exampleObject(type, NOW)).toMatchObject(object);
  });

  it.each(EVENT_TYPES)('returns a %s with the present time and new ids', (type) => {
    const [one, two] = [exampleObject(type, NOW), exampleObject(type, NOW)];
    expect(one['updated_at']).toBe(NOW.toISOString());
    expect(idsIn(one).length).toBeGreaterThan(0);
    expect(idsIn(one).filter((id) => idsIn(two).includes(id))).toEqual([]);
    expect(one['description']).toMatch(/^An example/);
    if ('metadata' in one) expect(one['metadata']).toEqual({ tollgate_example: 'true' });
    if ('order_id' in one) expect(one['order_id']).toMatch(/^example-[0-9a-z]{8}$/);
  });
});
