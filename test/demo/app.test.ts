import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buy, openStand, placeOrder, TOKEN, until, type Stand } from './harness.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

describe('GET /', () => {
  it('offers every product, each with its own form token', async () => {
    const response = await fetch(stand.url);
    const page = await response.text();
    const tokens = [...page.matchAll(/name="token" value="([0-9a-f]{32})"/g)].map((m) => m[1]);
    expect(response.status).toBe(200);
    expect(page).toContain('12,500 AMD');
    expect(page).toContain('$18.50');
    expect(page).toContain('no money moves');
    expect(tokens).toHaveLength(6);
    expect(new Set(tokens).size).toBe(6);
  });

  it('allows no inline style and loads nothing from other servers', async () => {
    const response = await fetch(stand.url);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).not.toMatch(/style=|<style|src="http|href="http/);
    const names = [...page.matchAll(/"\/assets\/([^"]+)"/g)].map((m) => m[1]);
    for (const name of names) {
      expect((await fetch(`${stand.url}/assets/${name}`)).status).toBe(200);
    }
    expect((await fetch(`${stand.url}/assets/..%2fapp.ts`)).status).toBe(404);
  });
});

describe('POST /orders', () => {
  it('refuses an unknown product, a malformed form and a long form, and creates nothing', async () => {
    expect((await buy(stand, { sku: 'moon' })).status).toBe(400);
    expect((await buy(stand, { token: 'short' })).status).toBe(400);
    const long = await buy(stand, { note: 'x'.repeat(5_000) });
    expect(long.status).toBe(413);
    expect(stand.shop.orders.list()).toHaveLength(0);
    expect(stand.tollgate.calls).toHaveLength(0);
  });

  it('creates the order, then its payment, and sends the customer to the checkout', async () => {
    const response = await buy(stand);
    const order = stand.shop.orders.list()[0]!;
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(order.checkout_url);
    const call = stand.tollgate.calls[0]!;
    expect(call).toMatchObject({ method: 'POST', path: '/v1/payments', key: order.id });
    expect(JSON.parse(call.body)).toEqual({
      amount: 12_500,
      currency: 'AMD',
      order_id: order.id,
      description: expect.stringContaining('Copper coffee pot'),
      return_url: `http://localhost:8083/orders/${order.id}?payment={PAYMENT_ID}`,
      cancel_url: `http://localhost:8083/orders/${order.id}`,
      metadata: { sku: 'coffee-pot' },
    });
  });

  it('creates one order and one payment if a form is sent several times', async () => {
    const responses = await Promise.all([buy(stand), buy(stand), buy(stand)]);
    responses.push(await buy(stand));
    expect(new Set(responses.map((response) => response.headers.get('location'))).size).toBe(1);
    expect(stand.shop.orders.list()).toHaveLength(1);
    expect(stand.tollgate.calls).toHaveLength(1);
  });

  it('creates another order for another form, and refuses a used form with another product', async () => {
    await buy(stand);
    await buy(stand, { token: 'cd'.repeat(16) });
    expect(stand.tollgate.payments.size).toBe(2);
    expect((await buy(stand, { sku: 'stone-mugs' })).status).toBe(400);
  });

  it.each([
    ['a fault of the service', [503, 500]],
    ['a broken connection', ['drop', 'drop', 'drop']],
    ['a lost response', ['lost']],
    ['a rate limit', [429]],
  ] as const)('retries with the same idempotency key after %s', async (_name, faults) => {
    stand.tollgate.faults = [...faults];
    expect((await buy(stand)).status).toBe(303);
    expect(stand.tollgate.calls).toHaveLength(faults.length + 1);
    expect(new Set(stand.tollgate.calls.map((call) => call.key)).size).toBe(1);
    expect(new Set(stand.tollgate.calls.map((call) => call.body)).size).toBe(1);
    expect(stand.tollgate.payments.size).toBe(1);
  });

  it('offers the form again if no payment could be created, and then uses the same key', async () => {
    stand.tollgate.faults = [503, 503, 503, 503];
    const failed = await buy(stand);
    const page = await failed.text();
    expect(failed.status).toBe(502);
    expect(page).toContain(`name="token" value="${TOKEN}"`);
    expect((await buy(stand)).status).toBe(303);
    expect(new Set(stand.tollgate.calls.map((call) => call.key)).size).toBe(1);
    expect(stand.shop.orders.list()).toHaveLength(1);
  });

  it('does not retry a refused request, and shows its error code', async () => {
    stand.tollgate.faults = [422];
    const failed = await buy(stand);
    expect(failed.status).toBe(502);
    expect(await failed.text()).toContain('made_up_fault');
    expect(stand.tollgate.calls).toHaveLength(1);
  });
});

describe('GET /orders/:id', () => {
  it('retrieves the payment when the customer returns, and updates the open page', async () => {
    const payment = await placeOrder(stand);
    const address = `${stand.url}/orders/${payment.order_id}`;
    const feed = await fetch(`${address}/events`);
    const reader = feed.body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    expect(feed.headers.get('content-type')).toContain('text/event-stream');

    payment.status = 'completed';
    const arrival = await fetch(`${address}?payment=${payment.id}`);
    expect(await arrival.text()).toContain('Checking your payment');
    expect((await reader.read()).value).toContain('data: ');
    expect(await (await fetch(address)).text()).toContain('Paid. Thank you!');
    await reader.cancel();
  });

  it('retrieves the payment once for several visits', async () => {
    const payment = await placeOrder(stand);
    const address = `${stand.url}/orders/${payment.order_id}`;
    await Promise.all([fetch(address), fetch(address), fetch(address)]);
    await until(() => stand.tollgate.calls.length > 1);
    await fetch(address);
    expect(stand.tollgate.calls.filter((call) => call.method === 'GET')).toHaveLength(1);
  });

  it('responds 404 for an unknown order, and no 5xx for a malformed id', async () => {
    expect((await fetch(`${stand.url}/orders/ord_unknown`)).status).toBe(404);
    expect((await fetch(`${stand.url}/orders/%E0%A4%A`)).status).toBeLessThan(500);
  });
});

describe('GET /orders and GET /healthz', () => {
  it('lists every order', async () => {
    expect(await (await fetch(`${stand.url}/orders`)).text()).toContain('None yet');
    const payment = await placeOrder(stand);
    expect(await (await fetch(`${stand.url}/orders`)).text()).toContain(payment.order_id);
  });

  it('updates the open list', async () => {
    const feed = await fetch(`${stand.url}/orders/events`);
    const reader = feed.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('data: 0');
    await placeOrder(stand);
    expect((await reader.read()).value).toContain('data: 1');
    await reader.cancel();
  });

  it('responds with the status ok', async () => {
    const response = await fetch(`${stand.url}/healthz`);
    expect(await response.json()).toEqual({ status: 'ok' });
  });
});
