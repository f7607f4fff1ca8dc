import { describe, expect, it } from 'vitest';
import { sandboxDecision } from '../../../domain/bank.ts';
import { tenantOf } from '../../../domain/merchant.ts';
import { ROLES } from '../../../domain/user.ts';
import { mintId } from '../../../store/mint.ts';
import { insertAll } from '../../support/insert.ts';
import { makeEndpoint } from '../../support/rows/endpoint.ts';
import { makeAttempt, makeTransfer } from '../../support/rows/payment.ts';
import { makeRefund } from '../../support/rows/refund.ts';
import { linesIn, listedIn, openPayments } from './ground.ts';

const UI = 'http://127.0.0.1:8233/namespaces/default/workflows';
const ground = await openPayments('dashboard-payment', { temporalUiUrl: UI });
const { mongo, tenant } = ground;
const owner = await ground.signIn('owner');
const endpoint = makeEndpoint({ m: tenant, url: 'https://shop.example/hooks?token=secret' });
await mongo.endpoints.insertOne(endpoint);

const pageOf = async (id: string) => (await owner.get(`/payments/${id}`)).html;

describe('GET /payments/:id', () => {
  it('shows the fields, the JSON of the API, the call and the workflow', async () => {
    const id = await ground.create({
      description: '<b>Two</b> mugs',
      order_id: 'order-7',
      cancel_url: 'https://shop.example/basket',
      metadata: { basket: 'b-77' },
    });
    const html = await pageOf(id);
    for (const text of [
      '&lt;b>Two&lt;/b> mugs',
      'order-7',
      'https://shop.example/return',
      'https://shop.example/basket',
      'b-77',
      'Waiting for the customer',
      `https://api.example/v1/payments/${id}`,
      '&quot;object&quot;: &quot;payment&quot;',
      `href="${UI}/${id}"`,
    ]) {
      expect(html).toContain(text);
    }
  });

  it('shows a bank transfer with its reference, by which the search finds it', async () => {
    const bank = sandboxDecision('wrong_amount', new Date());
    const declined = { status: 'declined', failure_code: 'processing_error', bank } as const;
    const dropped = { status: 'turned_back', turned_back_at: new Date() } as const;
    const attempts = [makeTransfer(declined), makeTransfer({ ...dropped, number: 2 })];
    const { _id: id } = await ground.put({ attempts });
    const html = await pageOf(id);
    expect(html).toContain('<dt>Payment method</dt><dd>Bank transfer</dd>');
    expect(html).toContain('<dt>Payment reference</dt><dd>TG-7K3M-9P2A</dd>');
    expect(html).not.toMatch(/undefined|••••/);
    const lines = linesIn(html, 'timeline');
    expect(lines).toContain('Attempt 1: the customer chose a bank transfer (TG-7K3M-9P2A)');
    expect(lines).toContain('Attempt 2: the customer decided not to pay by bank transfer');
    for (const text of ['TG-7K3M-9P2A', 'tg7k3m9p2a']) {
      const list = (await owner.get(`/payments?q=${text}`)).html;
      expect(listedIn(list)).toEqual([id]);
      expect(list).toContain('<td>Bank transfer</td>');
    }
  });

  it('says at its head what a customer asks, and offers the link while it can be paid', async () => {
    const headOf = async (id: string) => {
      const html = await pageOf(id);
      const [, now = ''] = /<p id="now">(.*?)<\/p>/.exec(html) ?? [];
      return [now.replaceAll(/<[^>]+>/g, '').trim(), html.includes('id="checkout"')];
    };
    const id = await ground.create({ locale: 'hy' });
    const { checkout_token: token } = await ground.read(id);
    const html = await pageOf(id);
    expect(html).toContain('<h1>Payment of 12,500\u00a0AMD</h1>');
    expect(html).toContain(`data-copy="https://pay.example/c/${token}"`);
    expect(html).toContain('<dd>Հայերեն</dd>');
    expect(html).toContain('<dt>Expires</dt>');
    expect(await headOf(id)).toEqual(['Waiting for the customer', true]);
    await ground.goToBank(id);
    expect(await headOf(id)).toEqual(['At the bank', false]);
    await ground.decide(id, 'insufficient_funds');
    const reason = 'The last attempt failed. There is not enough money on the card.';
    expect(await headOf(id)).toEqual([`Waiting for the customer ${reason}`, true]);
    await ground.goToBank(id);
    await ground.decide(id, 'lost_or_stolen');
    expect(await headOf(id)).toEqual(['Failed The card is reported lost or stolen', false]);
    const { _id: canceled } = await ground.put({
      status: 'canceled',
      canceled_at: new Date(),
      cancellation: { by: 'customer', reason: 'Wrong size' },
    });
    expect(await headOf(canceled)).toEqual([
      'Canceled Canceled by the customer: Wrong size',
      false,
    ]);
    const refunded = { amount_refunded: 2_000, refunds: { pending: 500, count: 2 } };
    const { _id: paid } = await ground.put({ status: 'completed', ...refunded });
    expect(await headOf(paid)).toEqual(['Partly refunded', false]);
    const facts = (await pageOf(paid)).replaceAll(/<\/?data[^>]*>/g, '');
    for (const [name, amount] of [
      ['Refunded', '2,000\u00a0AMD'],
      ['Being refunded', '500\u00a0AMD'],
      ['Left after refunds', '10,000\u00a0AMD'],
    ]) {
      expect(facts).toContain(`<dt>${name}</dt><dd>${amount}</dd>`);
    }
  });

  it('is 404 for another merchant, an unknown id and a malformed id, everywhere', async () => {
    const m = tenantOf(await ground.addMerchant(), 'test');
    const { _id: foreign } = await ground.put({ m, status: 'completed' });
    const { _id: open } = await ground.put({ m });
    for (const id of [foreign, open, mintId('payment'), 'pay_1', 'x']) {
      const pages = ['', '/refund', '/refund/check?amount=1&refundable=1'];
      for (const page of pages) {
        expect((await owner.get(`/payments/${id}${page}`)).status).toBe(404);
      }
      const draft = {
        minor: '1',
        refundable: '1',
        key: mintId('request').replace('req_', 'dashboard-'),
      };
      expect((await owner.post(`/payments/${id}/refund`, draft)).status).toBe(404);
      expect((await owner.post(`/payments/${id}/cancel`)).status).toBe(404);
    }
    expect((await ground.read(open)).status).toBe('created');
    expect(await mongo.refunds.countDocuments({ payment_id: foreign })).toBe(0);
  });

  it('does not prolong the session when it updates by itself', async () => {
    const browser = await ground.signIn('support');
    const { user } = browser;
    const seen_at = new Date(Date.now() - 10 * 60 * 1_000);
    await mongo.sessions.updateMany({ user_id: user._id }, { $set: { seen_at } });
    const seenAt = async () => (await mongo.sessions.findOne({ user_id: user._id }))?.seen_at;
    const id = await ground.create();
    expect((await browser.get(`/payments/${id}`, { 'X-Live': '1' })).status).toBe(200);
    expect(await seenAt()).toEqual(seen_at);
    await browser.get(`/payments/${id}`);
    expect((await seenAt())!.getTime()).toBeGreaterThan(seen_at.getTime());
  });

  it.each(ROLES)('shows a %s the actions and details of that role', async (role) => {
    const browser = await ground.signIn(role);
    const open = await ground.create();
    const paid = await ground.create();
    await ground.goToBank(paid);
    await ground.decide(paid, 'approve');
    const [unpaidPage, page] = [
      (await browser.get(`/payments/${open}`)).html,
      (await browser.get(`/payments/${paid}`)).html,
    ];
    const serves = role === 'owner' || role === 'support';
    expect([unpaidPage.includes('id="cancel"'), page.includes('id="refund"')]).toEqual([
      serves,
      serves,
    ]);
    expect(page.includes('id="workflow"')).toBe(role === 'owner' || role === 'developer');
    expect(page.includes('https://shop.example/hooks')).toBe(role !== 'read_only');
    const status = serves ? 303 : 403;
    expect((await browser.post(`/payments/${open}/cancel`)).status).toBe(status);
    expect((await browser.get(`/payments/${paid}/refund`)).status).toBe(serves ? 200 : 403);
  });

  it('shows the newest refunds, events and deliveries, in less than 60 KiB, and says so', async () => {
    const { _id: id } = await ground.put({
      status: 'completed',
      amount: 99_999_999,
      attempts: Array.from({ length: 10 }, (_, n) => makeAttempt({ number: n + 1 })),
      metadata: Object.fromEntries(
        Array.from({ length: 50 }, (_, n) => [`key-${n}`, 'ж'.repeat(500)]),
      ),
    });
    await insertAll(
      mongo.refunds,
      Array.from({ length: 22 }, () => makeRefund({ m: tenant, payment_id: id })),
    );
    const attempts = Array.from({ length: 12 }, (_, n) => ({
      number: n + 1,
      at: new Date(),
      duration_ms: 15_000,
      status: null,
      error: 'connection_reset' as const,
    }));
    for (let n = 0; n < 45; n += 1) {
      const created_at = new Date(Date.now() + n * 1_000);
      const event = { _id: mintId('event'), m: tenant, payment_id: id, created_at };
      const type = 'payment.refunded' as const;
      await mongo.events.insertOne({ ...event, type, cause: event._id, body: '{"request":null}' });
      await mongo.deliveries.insertMany(
        Array.from({ length: 2 }, () => ({
          _id: mintId('delivery'),
          m: tenant,
          endpoint_id: endpoint._id,
          event_id: event._id,
          state: 'failed' as const,
          attempts,
          next_attempt_at: null,
          created_at,
        })),
      );
    }
    const html = await pageOf(id);
    const lines = linesIn(html, 'timeline');
    expect(lines.filter((line) => line === 'Event payment.refunded')).toHaveLength(30);
    expect(lines.filter((line) => line.includes('Failed'))).toHaveLength(30);
    expect(lines.filter((line) => line === '10 earlier attempts are not shown.')).toHaveLength(30);
    expect(lines.slice(1, 3)).toEqual([
      'Only the newest 30 events are shown. All events of the payment',
      'Only the newest 10 refunds are shown. All refunds of the payment',
    ]);
    const cut = 'Not all deliveries of this event are shown here.';
    expect(lines.filter((line) => line === cut)).toHaveLength(15);
    expect(lines.filter((line) => line.startsWith('Refund of'))).toHaveLength(10);
    const all = [`/developers/events?payment=${id}`, `/payments/refunds?payment_id=${id}`];
    for (const to of all) expect((await owner.get(to)).html).toContain(`href="/payments/${id}`);
    const css = await owner.get('/assets/dashboard.css');
    const js = await owner.get('/assets/dashboard.js');
    const sent = [css, js].map(({ headers }) => Number(headers.get('content-length')));
    const bytes = sent.reduce((sum, each) => sum + each, Buffer.byteLength(html));
    expect(bytes).toBeLessThan(60 * 1024);
  });
});
