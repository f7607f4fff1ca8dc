import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { signatureHeaders } from '../../outbound/sign.ts';
import {
  deliver,
  makeEvent,
  openStand,
  placeOrder,
  SECRET,
  type FakePayment,
  type Stand,
} from './harness.ts';

let stand: Stand;
let payment: FakePayment;
beforeEach(async () => {
  stand = await openStand();
  payment = await placeOrder(stand);
  stand.tollgate.calls.length = 0;
});
afterEach(() => stand.close());

const order = () => stand.shop.orders.get(payment.order_id)!;
const timesPaid = () =>
  order().history.filter((step) => step.text.startsWith('Payment completed')).length;

describe('POST /webhooks', () => {
  it('responds 401 to a wrong, old or missing signature, and changes nothing', async () => {
    payment.status = 'completed';
    const body = makeEvent('payment.completed', payment);
    const wrong = await deliver(stand, body, { secret: `whsec_${btoa('another secret')}` });
    const old = await deliver(stand, body, { sentAt: new Date(Date.now() - 3_600_000) });
    const bare = await fetch(`${stand.url}/webhooks`, { method: 'POST', body });
    expect([wrong.status, old.status, bare.status]).toEqual([401, 401, 401]);
    expect(order().status).toBe('open');
    expect(stand.tollgate.calls).toHaveLength(0);
  });

  it('accepts the Service-Signature header alone', async () => {
    payment.status = 'completed';
    const body = makeEvent('payment.completed', payment);
    const timestamp = Math.floor(Date.now() / 1_000);
    const signed = signatureHeaders({ id: 'evt_1', timestamp, body }, [SECRET]);
    const own = Object.entries(signed).filter(([name]) => name.startsWith('Service-'));
    const headers = Object.fromEntries(own);
    const response = await fetch(`${stand.url}/webhooks`, { method: 'POST', body, headers });
    expect(response.status).toBe(200);
    expect(order().status).toBe('paid');
  });

  it('refuses more than 256 KiB', async () => {
    expect((await deliver(stand, 'x'.repeat(256 * 1024 + 1))).status).toBe(413);
  });

  it('refuses a signed body that is not JSON', async () => {
    expect((await deliver(stand, '{')).status).toBe(400);
    expect((await deliver(stand, '{"data":{}}')).status).toBe(400);
  });

  it('marks the order paid after retrieving the payment', async () => {
    payment.status = 'completed';
    expect((await deliver(stand, makeEvent('payment.completed', payment))).status).toBe(200);
    expect(order().status).toBe('paid');
    expect(stand.tollgate.calls).toMatchObject([{ path: `/v1/payments/${payment.id}` }]);
  });

  it('responds 200 to a repeated event without a second effect', async () => {
    payment.status = 'completed';
    const body = makeEvent('payment.completed', payment);
    await deliver(stand, body);
    expect((await deliver(stand, body)).status).toBe(200);
    const again = (id: string) => deliver(stand, makeEvent('payment.completed', payment, id));
    expect((await again('evt_2')).status).toBe(200);
    const atOnce = ['evt_3', 'evt_3', 'evt_4'].map(again);
    await Promise.all(atOnce);
    expect(timesPaid()).toBe(1);
  });

  it('responds 500 to an event that the retrieved payment contradicts', async () => {
    const claimed = { ...payment, status: 'completed' };
    expect((await deliver(stand, makeEvent('payment.completed', claimed))).status).toBe(500);
    expect(order().status).toBe('open');
  });

  it.each([
    ['amount', 12_400],
    ['currency', 'USD'],
    ['order_id', 'ord_other'],
  ])('marks the order for review if the payment has another %s', async (name, value) => {
    const id = payment.order_id;
    const body = makeEvent('payment.completed', { ...payment, status: 'completed' });
    Object.assign(payment, { status: 'completed', [name]: value });
    expect((await deliver(stand, body)).status).toBe(200);
    expect(stand.shop.orders.get(id)).toMatchObject({ status: 'open' });
    expect(stand.shop.orders.get(id)?.problem).not.toBeNull();
    const page = await (await fetch(`${stand.url}/orders/${id}`)).text();
    expect(page).toContain('We are looking into this');
  });

  it('responds 500 if the payment cannot be retrieved, and closes the order on the next delivery', async () => {
    payment.status = 'completed';
    const body = makeEvent('payment.completed', payment);
    stand.tollgate.faults = [503, 503];
    expect((await deliver(stand, body)).status).toBe(500);
    expect(order().status).toBe('open');
    expect((await deliver(stand, body)).status).toBe(200);
    expect(order().status).toBe('paid');
  });

  it.each(['failed', 'canceled', 'expired'])('closes the order as %s', async (status) => {
    payment.status = status;
    expect((await deliver(stand, makeEvent(`payment.${status}`, payment))).status).toBe(200);
    expect(order().status).toBe(status);
  });

  it('keeps an order paid if an older event arrives later', async () => {
    payment.status = 'completed';
    await deliver(stand, makeEvent('payment.completed', payment));
    const late = makeEvent('payment.expired', { ...payment, status: 'expired' }, 'evt_2');
    expect((await deliver(stand, late)).status).toBe(200);
    expect(order().status).toBe('paid');
  });

  it.each(['payment.attempt_failed', 'refund.completed', 'webhook_endpoint.ping', 'new.thing'])(
    'responds 200 to %s without retrieving the payment',
    async (type) => {
      expect((await deliver(stand, makeEvent(type, payment))).status).toBe(200);
      expect(stand.tollgate.calls).toHaveLength(0);
    },
  );

  it('responds 200 to events about payments that the shop did not create', async () => {
    const other = { ...payment, order_id: 'ord_elsewhere' };
    const second = { ...payment, id: 'pay_99999999999999999999999999' };
    expect((await deliver(stand, makeEvent('payment.completed', other))).status).toBe(200);
    const response = await deliver(stand, makeEvent('payment.completed', second, 'evt_2'));
    expect(response.status).toBe(200);
    expect(order().status).toBe('open');
  });
});
