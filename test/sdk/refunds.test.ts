import { describe, expect, it } from 'vitest';
import { Tollgate } from '../../sdk/index.ts';
import { PAYMENT, openStand } from '../api/harness.ts';
import { errorOf } from './service.ts';

const stand = await openStand('sdkrefunds');
const client = new Tollgate({
  apiKey: stand.tenant.secret,
  baseUrl: stand.api.url,
  maxRetries: 0,
});

describe('refunds', () => {
  it('creates one refund for one key, retrieves it and lists it', async () => {
    const payment = await client.payments.create(PAYMENT);
    await client.test.outcome(payment.id, 'approve');
    const params = { payment_id: payment.id, amount: 500, reason: 'duplicate' } as const;
    const options = { idempotencyKey: 'return-7' };
    const refund = await client.refunds.create(params, options);
    expect(refund).toMatchObject({ ...params, object: 'refund', status: 'pending' });
    expect(await client.refunds.create(params, options)).toEqual(refund);
    expect((await client.refunds.retrieve(refund.id)).payment_id).toBe(payment.id);
    const listed = await client.refunds.list({ payment_id: payment.id });
    expect(listed.data.map(({ id }) => id)).toEqual([refund.id]);
    const open = await client.refunds.list({ status: ['pending', 'completed'] });
    expect(open.data).toHaveLength(1);
  });

  it('throws payment_not_refundable for an unpaid payment', async () => {
    const { id } = await client.payments.create(PAYMENT);
    const error = await errorOf(client.refunds.create({ payment_id: id }));
    expect(error).toMatchObject({ status: 409, code: 'payment_not_refundable' });
  });
});
