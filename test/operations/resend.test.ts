import { describe, expect, it } from 'vitest';
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import { resendDelivery } from '../../operations/resend.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_resend');

describe('resendDelivery', () => {
  it.each(DELIVERY_STATES)('makes another delivery of the event of a %s one', async (state) => {
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
    expect(await ground.mongo.deliveries.findOne({ _id: first._id })).toEqual(first);
  });

  it('keeps a trial a trial, however often it is sent again', async () => {
    let { _id: id } = await ground.delivery(await ground.endpoint(), { trigger: 'test' });
    for (let time = 0; time < 2; time += 1) {
      id = String((await resendDelivery(ground.services, { id }))['id']);
      expect(await ground.mongo.deliveries.findOne({ _id: id })).toMatchObject({ trigger: 'test' });
    }
  });

  it('refuses what there is not, and what its endpoint does not take', async () => {
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
