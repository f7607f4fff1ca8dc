import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buy, deliver, makeEvent, openStand, placeOrder, type Stand } from './harness.ts';

let stand: Stand;
let now = new Date();
beforeEach(async () => {
  now = new Date();
  stand = await openStand({ now: () => now });
});
afterEach(() => stand.close());

const MINUTE_MS = 60_000;

describe('reconcile', () => {
  it('closes an order without a webhook or a visit', async () => {
    const payment = await placeOrder(stand);
    payment.status = 'completed';
    await stand.shop.reconcile();
    expect(stand.shop.orders.get(payment.order_id)?.status).toBe('paid');
  });

  it('closes an order whose payment completed while the shop was down', async () => {
    const payment = await placeOrder(stand);
    await stand.shop.close();
    payment.status = 'completed';
    await stand.restart();
    await stand.shop.reconcile();
    const order = stand.shop.orders.get(payment.order_id)!;
    expect(order.status).toBe('paid');
    // A late webhook changes nothing.
    await deliver(stand, makeEvent('payment.completed', payment));
    expect(order.history.filter((step) => step.text.startsWith('Payment completed'))).toHaveLength(
      1,
    );
  });

  it('keeps unpaid orders open, and skips orders that a person must check', async () => {
    const payment = await placeOrder(stand);
    payment.status = 'processing';
    await stand.shop.reconcile();
    expect(stand.shop.orders.get(payment.order_id)?.status).toBe('open');
    payment.amount = 1;
    await stand.shop.reconcile();
    const calls = stand.tollgate.calls.length;
    await stand.shop.reconcile();
    expect(stand.tollgate.calls).toHaveLength(calls);
  });

  it('continues with the other orders if one payment is missing', async () => {
    const first = await placeOrder(stand);
    await buy(stand, { token: 'cd'.repeat(16) });
    const second = [...stand.tollgate.payments.values()][1]!;
    stand.tollgate.payments.delete(first.id);
    second.status = 'completed';
    await stand.shop.reconcile();
    expect(stand.shop.orders.get(first.order_id)?.status).toBe('open');
    expect(stand.shop.orders.get(second.order_id)?.status).toBe('paid');
  });

  it('creates a payment again with the same key if its creation was interrupted', async () => {
    stand.tollgate.faults = ['lost', 'drop', 'drop', 'drop'];
    expect((await buy(stand)).status).toBe(502);
    await stand.shop.reconcile();
    const order = stand.shop.orders.list()[0]!;
    expect(order.payment_id).toBe(stand.tollgate.byKey.get(order.id)?.id);
    expect(stand.tollgate.payments.size).toBe(1);
  });

  it('fails an order if no payment could be created for 15 minutes', async () => {
    stand.tollgate.faults = [503, 503, 503, 503];
    await buy(stand);
    now = new Date(now.getTime() + 16 * MINUTE_MS);
    await stand.shop.reconcile();
    const order = stand.shop.orders.list()[0]!;
    expect(order.status).toBe('failed');
    const again = await buy(stand);
    expect(again.headers.get('location')).toBe(`/orders/${order.id}`);
    expect(stand.tollgate.payments.size).toBe(0);
  });
});
