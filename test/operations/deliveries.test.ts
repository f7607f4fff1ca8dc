import { describe, expect, it } from 'vitest';
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import type { DeliveryAttempt } from '../../domain/delivery.ts';
import { resendDelivery, showDeliveries, showDelivery } from '../../operations/deliveries.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_deliveries');

const attempt: DeliveryAttempt = {
  number: 1,
  at: new Date('2026-01-01T00:00:00Z'),
  duration_ms: 12,
  status: 500,
  error: 'status',
  request: { url: 'https://shop.example/hooks', headers: [['Service-Signature', 'v1=0']] },
  response: { headers: [['server', 'shop']], body: 'out of order', truncated: false },
};

const idsOf = (shown: Record<string, unknown>): string[] =>
  (shown['deliveries'] as { id: string }[]).map(({ id }) => id);

describe('showDeliveries', () => {
  it("returns pages of the endpoint's deliveries, newest first", async () => {
    const endpoint = await ground.endpoint();
    const other = await ground.endpoint();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await ground.delivery(endpoint))._id);
      await ground.delivery(other);
    }
    const page = async (startingAfter?: string) =>
      showDeliveries(ground.services, {
        endpoint: endpoint._id,
        limit: '2',
        ...(startingAfter === undefined ? {} : { startingAfter }),
      });
    const first = await page();
    expect([idsOf(first), first['has_more']]).toEqual([ids.slice(0, 2), true]);
    const second = await page(ids[1]);
    expect([idsOf(second), second['has_more']]).toEqual([ids.slice(2), false]);
  });

  it('returns the deliveries in one of the states, each with its last result', async () => {
    const endpoint = await ground.endpoint();
    await ground.delivery(endpoint);
    const away = { state: 'skipped', next_attempt_at: null } as const;
    const skipped = await ground.delivery(endpoint, away);
    const over = { state: 'failed', attempts: [attempt], next_attempt_at: null } as const;
    const { _id, event_id } = await ground.delivery(endpoint, { ...over, attempts: [attempt] });
    const options = { endpoint: endpoint._id, limit: '20', state: 'failed, skipped' };
    const shown = await showDeliveries(ground.services, options);
    const event = await ground.mongo.events.findOne({ _id: event_id });
    expect(idsOf(shown)).toEqual([_id, skipped._id]);
    expect((shown['deliveries'] as object[]).slice(0, 1)).toEqual([
      expect.objectContaining({
        id: _id,
        event_id,
        event_type: event!.type,
        endpoint_id: endpoint._id,
        state: 'failed',
        trigger: 'automatic',
        attempts_count: 1,
        last_status: 500,
        last_error: 'status',
        next_attempt_at: null,
      }),
    ]);
  });

  it.each<[string, object, string, string]>([
    ['an unknown endpoint', { endpoint: 'we_1' }, 'resource_missing', 'id'],
    ['an unknown state', { state: 'failed,lost' }, 'parameter_invalid', 'state'],
    ['a limit of 0', { limit: '0' }, 'limit_out_of_range', 'limit'],
    ['a limit of 101', { limit: '101' }, 'limit_out_of_range', 'limit'],
    ['a limit that is not a number', { limit: 'all' }, 'limit_out_of_range', 'limit'],
    [
      'an id of another kind as the cursor',
      { startingAfter: 'evt_1' },
      'cursor_invalid',
      'starting-after',
    ],
  ])('refuses %s', async (_, over, code, param) => {
    const { _id } = await ground.endpoint();
    const options = { endpoint: _id, limit: '20', ...over };
    expect(await refusalOf(showDeliveries(ground.services, options))).toEqual([code, param]);
  });
});

describe('showDelivery', () => {
  it("returns the event's bytes, and every attempt with its request and response", async () => {
    const made = await ground.delivery(await ground.endpoint(), { attempts: [attempt] });
    const event = await ground.mongo.events.findOne({ _id: made.event_id });
    expect(await showDelivery(ground.services, { id: made._id })).toMatchObject({
      id: made._id,
      state: 'pending',
      attempts: [attempt],
      body: event!.body,
    });
  });

  it('refuses an unknown delivery', async () => {
    const ask = showDelivery(ground.services, { id: 'dlv_1' });
    expect(await refusalOf(ask)).toEqual(['resource_missing', 'id']);
  });
});

describe('resendDelivery', () => {
  it.each(DELIVERY_STATES)('creates another delivery of the event of a %s one', async (state) => {
    const endpoint = await ground.endpoint();
    const first = await ground.delivery(endpoint, { state, next_attempt_at: null });
    const { id } = await resendDelivery(ground.services, { id: first._id });
    expect(ground.started).toEqual([id]);
    const made = await ground.mongo.deliveries.findOne({ _id: String(id) });
    expect(made).toMatchObject({
      m: first.m,
      endpoint_id: endpoint._id,
      event_id: first.event_id,
      state: 'pending',
      trigger: 'manual',
      attempts: [],
    });
    const after = await ground.mongo.deliveries.findOne({ _id: first._id });
    expect(after).toEqual({ ...first, resends: 1 });
  });

  it('refuses if the event was sent again since the person looked', async () => {
    const { _id: id } = await ground.delivery(await ground.endpoint(), { state: 'failed' });
    const resend = async (resends: number) => resendDelivery(ground.services, { id, resends });
    await resend(0);
    expect(await refusalOf(resend(0))).toEqual(['parameter_invalid', null]);
    await resend(1);
    expect(await refusalOf(resend(1))).toEqual(['parameter_invalid', null]);
    expect(ground.started).toHaveLength(2);
    expect(await ground.mongo.deliveries.countDocuments({ m: ground.m })).toBe(3);
  });

  it('keeps a test event marked as such, however often it is resent', async () => {
    let { _id: id } = await ground.delivery(await ground.endpoint(), { trigger: 'test' });
    for (let time = 0; time < 2; time += 1) {
      id = String((await resendDelivery(ground.services, { id }))['id']);
      expect(await ground.mongo.deliveries.findOne({ _id: id })).toMatchObject({ trigger: 'test' });
    }
  });

  it('refuses an unknown delivery, and a disabled or deleted endpoint', async () => {
    const ask = async (id: string) => refusalOf(resendDelivery(ground.services, { id }));
    expect(await ask('dlv_1')).toEqual(['resource_missing', 'id']);
    const disabled = await ground.endpoint({ status: 'disabled' });
    const skipped = await ground.delivery(disabled, { state: 'skipped' });
    expect(await ask(skipped._id)).toEqual(['parameter_invalid', 'id']);
    const deleted = await ground.endpoint({ status: 'deleted' });
    expect(await ask((await ground.delivery(deleted))._id)).toEqual(['resource_missing', 'id']);
    expect(await ground.mongo.deliveries.countDocuments({ m: ground.m })).toBe(2);
    expect(ground.started).toEqual([]);
  });
});
