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

describe('mop-up', () => {
  it('finds a payment whose webhook and customer never came', async () => {
    const payment = await placeOrder(stand);
    payment.status = 'completed';
    await stand.shop.reconcile();
    expect(stand.shop.orders.get(payment.order_id)?.status).toBe('paid');
  });

  it('runs at start, for what happened while the shop was away', async () => {
    const payment = await placeOrder(stand);
    await stand.shop.close();
    payment.status = 'completed';
    await stand.restart();
    await stand.shop.reconcile();
    const order = stand.shop.orders.get(payment.order_id)!;
    expect(order.status).toBe('paid');
    // A webhook that comes after all changes nothing.
    await deliver(stand, makeEvent('payment.completed', payment));
    expect(order.history.filter((step) => step.text.startsWith('Payment completed'))).toHaveLength(
      1,
    );
  });

  it('leaves alone what is still open, and what a person has to look at', async () => {
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

  it('goes on with the others when one cannot be asked about', async () => {
    const first = await placeOrder(stand);
    await buy(stand, { token: 'cd'.repeat(16) });
    const second = [...stand.tollgate.payments.values()][1]!;
    stand.tollgate.payments.delete(first.id);
    second.status = 'completed';
    await stand.shop.reconcile();
    expect(stand.shop.orders.get(first.order_id)?.status).toBe('open');
    expect(stand.shop.orders.get(second.order_id)?.status).toBe('paid');
  });

  it('makes a payment that was cut off again, with the same key', async () => {
    stand.tollgate.faults = ['lost', 'drop', 'drop', 'drop'];
    expect((await buy(stand)).status).toBe(502);
    await stand.shop.reconcile();
    const order = stand.shop.orders.list()[0]!;
    expect(order.payment_id).toBe(stand.tollgate.byKey.get(order.id)?.id);
    expect(stand.tollgate.payments.size).toBe(1);
  });

  it('gives an order up when no payment could be made for a quarter of an hour', async () => {
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
