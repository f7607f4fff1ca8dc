import { describe, expect, it } from 'vitest';
import { cancelPayment } from '../../../operations/cancel-payment.ts';
import { TemporalUnavailable } from '../../../temporal/client.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openPayments } from './ground.ts';
import { emptyRequest } from './request.ts';

const ground = await openPayments('dashboard-cancel');
const support = await ground.signIn('support');
const cancel = async (id: string) => support.post(`/payments/${id}/cancel`);
const eventsOf = async (id: string) =>
  (await ground.mongo.events.find({ payment_id: id }).toArray()).map(({ type }) => type);

describe('POST /payments/:id/cancel', () => {
  it('cancels the payment, and records who did it', async () => {
    const id = await ground.create();
    const reply = await cancel(id);
    expect([reply.status, reply.to]).toEqual([303, `/payments/${id}?done=payment_canceled`]);
    expect(await ground.read(id)).toMatchObject({
      status: 'canceled',
      cancellation: { by: 'merchant', reason: null },
    });
    expect(await entriesAbout(ground.mongo, id)).toMatchObject([
      {
        action: 'payment.cancel',
        actor: { type: 'user', name: support.user._id },
        merchant_id: ground.merchant._id,
        before: { status: 'created' },
        after: { status: 'canceled' },
      },
    ]);
    const { html } = await support.get(`/payments/${id}`);
    expect(html).toContain(`Canceled by ${support.user.email}`);
    expect(html).not.toContain('id="cancel"');
  });

  it('has one effect for a double click', async () => {
    const id = await ground.create();
    const replies = await Promise.all([cancel(id), cancel(id)]);
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect((await cancel(id)).status).toBe(303);
    expect(await eventsOf(id)).toEqual(['payment.canceled']);
    expect(await entriesAbout(ground.mongo, id)).toHaveLength(1);
  });

  it('is refused while the payment is at the bank, and after it was paid', async () => {
    const id = await ground.create();
    await ground.goToBank(id);
    const refused = await cancel(id);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('is at the bank or has ended, so it cannot be canceled now');
    await ground.decide(id, 'approve');
    expect((await cancel(id)).status).toBe(422);
    expect(await eventsOf(id)).toEqual(['payment.completed']);
    expect(await entriesAbout(ground.mongo, id)).toEqual([]);
  });

  it('is 503 while the workflow cannot be reached, and works afterwards', async () => {
    const id = await ground.create();
    ground.temporal.fault = new TemporalUnavailable('Away.');
    expect((await cancel(id)).status).toBe(503);
    expect((await ground.read(id)).status).toBe('created');
    expect((await cancel(id)).status).toBe(303);
    expect(await entriesAbout(ground.mongo, id)).toHaveLength(1);
  });

  it('has no audit entry if the API cancels', async () => {
    const id = await ground.create();
    await cancelPayment(emptyRequest(ground, undefined), { id });
    expect((await ground.read(id)).status).toBe('canceled');
    expect(await entriesAbout(ground.mongo, id)).toEqual([]);
  });
});
