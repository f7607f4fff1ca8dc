import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../../domain/merchant.ts';
import { ROLES } from '../../../domain/user.ts';
import { mintId } from '../../../store/mint.ts';
import { makeEndpoint } from '../../support/rows/endpoint.ts';
import { openPayments } from './ground.ts';

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
});
