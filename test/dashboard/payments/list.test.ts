import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../../domain/id.ts';
import { tenantOf } from '../../../domain/merchant.ts';
import type { Payment } from '../../../domain/payment.ts';
import type { Refund } from '../../../domain/refund.ts';
import { mintId, mintToken } from '../../../store/mint.ts';
import { makeEvent } from '../../support/rows/endpoint.ts';
import { makeAttempt } from '../../support/rows/payment.ts';
import { makeRefund } from '../../support/rows/refund.ts';
import { listedIn, openPayments } from './ground.ts';

const ground = await openPayments('dashboard-payments');
const other = tenantOf(await ground.addMerchant(), 'test');
const owner = await ground.signIn('owner');

const listed = async (query = '') => listedIn((await owner.get(`/payments${query}`)).html);
const linkIn = (html: string, rel: string): string =>
  new RegExp(`href="([^"]+)" rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

const refundsIn = (html: string) => [...html.matchAll(/#(ref_\w+)"/g)].map(([, id = '']) => id);

describe('GET /payments', () => {
  it('finds a payment by each kind of text, and nothing of another merchant', async () => {
    const about = {
      order_id: 'tea/7',
      amount: 777_700,
      currency: 'USD',
      metadata: { basket: 'B-77' },
      attempts: [makeAttempt({ card: { brand: 'visa', last4: '0119' } })],
    };
    const { _id: id } = await ground.put(about);
    await ground.put({ ...about, m: other });
    await ground.put();
    for (const text of [
      'tea/7',
      ' TEA 7 ',
      '0119',
      '7777',
      '7,777.00 USD',
      '$7 777',
      'Basket:b-77',
    ]) {
      expect([text, await listed(`?q=${encodeURIComponent(text)}`)]).toEqual([text, [id]]);
    }
  });

  it('leads to the payment of an id and of a checkout link, but to none of others', async () => {
    const own = await ground.put({ checkout_token: mintToken() });
    const foreign = await ground.put({ m: other, checkout_token: mintToken() });
    const leads = async ({ _id, m, checkout_token: token }: Payment) => {
      const refund = makeRefund({ m, payment_id: _id });
      const event = makeEvent({ m, payment_id: _id });
      await ground.mongo.refunds.insertOne(refund);
      await ground.mongo.events.insertOne(event);
      const link = `https://pay.example/c/${token}?lang=ru`;
      const address = `${ground.url}/payments/${_id}?done=refund`;
      const texts = [_id, ` ${_id.toLowerCase()} `, address, link, refund._id, event._id];
      const to = async (q: string) =>
        (await owner.get(`/payments?${new URLSearchParams({ q }).toString()}`)).to;
      const { to: direct } = await owner.get(`/payments/refunds/${refund._id}`);
      return { all: [...(await Promise.all(texts.map(to))), direct], refund, event };
    };
    const { all, refund, event } = await leads(own);
    const page = `/payments/${own._id}`;
    const ofRefund = `${page}#${refund._id}`;
    expect(all).toEqual([page, page, page, page, ofRefund, `${page}#${event._id}`, ofRefund]);
    expect((await leads(foreign)).all).toEqual([null, null, null, null, null, null, null]);
  });

  it.each([
    '{"$gt":""}',
    "'; DROP TABLE payments; --",
    '\u0000',
    'a:\u0000b',
    '.*',
    '$where:1',
    'key:a:b: c',
    'քաղաք:Երևան',
    '🐘'.repeat(300),
    'x'.repeat(1_000),
    '\ud800',
  ])('finds nothing by %j, and says what was searched', async (q) => {
    const { status, html } = await owner.get(`/payments?${new URLSearchParams({ q }).toString()}`);
    expect([status, listedIn(html)]).toEqual([200, []]);
    expect(html).toContain('These were searched for:');
  });

  it('says what an empty search has meant, and how to widen it', async () => {
    const { html } = await owner.get('/payments?q=%230911&status=failed&from=2025-03-01');
    const text = html.replaceAll(/<[^>]+>/g, ' ');
    for (const said of ['Order: #0911', 'Order: 0911', 'Status: Failed, From (UTC): 2025-03-01']) {
      expect(text).toContain(said);
    }
    expect(html).toContain('<a href="/payments?q=%230911">Search all payments</a>');
    const amount = await owner.get('/payments?q=%EF%BC%99%EF%BC%98%EF%BC%97%EF%BC%96');
    expect(amount.html).toContain('<li>Part of an order id: 9876</li>');
    expect(amount.html).toContain('<li>Card: •••• 9876</li>');
    expect(amount.html).toContain('<li>Amount: 9876 </li>');
  });

  it('leads to the export of the same days and status', async () => {
    await ground.put({ status: 'canceled' });
    const day = new Date().toISOString().slice(0, 10);
    const { html } = await owner.get(`/payments?status=canceled&from=${day}`);
    const [, to = ''] = /href="(\/exports[^"]+)"/.exec(html) ?? [];
    expect(to).toBe(`/exports?kind=payments&amp;status=canceled&amp;from=${day}#export-payments`);
    const rows = await owner.get(to.replaceAll('&amp;', '&'));
    expect(rows.html).toMatch(/>\s*1 row\s*</);
  });

  it('finds payments that the API created and customers paid', async () => {
    const order_id = 'order-77042';
    const id = await ground.create({ amount: 31_337, order_id, metadata: { till: '5' } });
    expect(await listed('?q=31337')).toEqual([id]);
    expect(await listed('?q=77042')).toEqual([id]);
    await ground.goToBank(id);
    expect(await listed('?q=4242')).toContain(id);
    expect(await listed('?q=till:5')).toEqual([id]);
  });

  it('filters by status and by days, both in the address', async () => {
    const at = Date.parse('2025-03-09T23:59:59Z');
    const _id = firstIdAt('payment', at);
    await ground.put({ _id, status: 'failed', created_at: new Date(at) });
    expect(await listed('?from=2025-03-09&to=2025-03-09&status=failed')).toEqual([_id]);
    expect(await listed('?q=12500&from=2025-03-09&to=2025-03-09')).toEqual([_id]);
    for (const query of [
      'from=2025-03-10&to=2025-03-20',
      'to=2025-03-08',
      'from=2025-03-09&to=2025-03-09&status=completed',
    ]) {
      expect([query, await listed(`?${query}`)]).toEqual([query, []]);
    }
    const { html } = await owner.get('/payments?status=failed&from=2025-03-01&q=a%26b');
    expect(html).toContain('<option value="failed" selected>');
    expect(html).toContain('value="2025-03-01"');
    expect(html).toContain('value="a&amp;b"');
    expect(html).toContain('id="no-payments"');
  });

  it('pages by 50 in both directions, and misses and repeats nothing while more arrive', async () => {
    const order = `pages-${mintId('event')}`;
    for (const query of [`?q=${order}`, '?status=expired']) {
      const add = async () => (await ground.put({ order_id: order, status: 'expired' }))._id;
      const ids: string[] = [];
      for (let n = 0; n < 120; n += 1) ids.unshift(await add());
      const first = await owner.get(`/payments${query}`);
      expect(listedIn(first.html)).toEqual(ids.slice(0, 50));
      expect(linkIn(first.html, 'prev')).toBe('');
      const late = [await add(), await add()].toReversed();
      const second = await owner.get(linkIn(first.html, 'next'));
      expect(listedIn(second.html)).toEqual(ids.slice(50, 100));
      const third = await owner.get(linkIn(second.html, 'next'));
      expect(listedIn(third.html).slice(0, 20)).toEqual(ids.slice(100));
      const back = await owner.get(linkIn(second.html, 'prev'));
      expect(listedIn(back.html)).toEqual(ids.slice(0, 50));
      const newest = await owner.get(linkIn(back.html, 'prev'));
      expect(listedIn(newest.html)).toEqual(late);
      expect(linkIn(newest.html, 'prev')).toBe('');
      await ground.mongo.payments.deleteMany({ order_id: order });
    }
  });

  it.each([
    ['an unknown cursor', `?after=${mintId('payment')}`],
    ['a malformed cursor', '?before=pay_1'],
    ['an unknown status', '?status=paid'],
    ['a day that is none', '?from=2025-13-40'],
    ['another form of day', '?to=yesterday'],
    ['a day that February does not have', '?to=2025-02-30'],
  ])('responds with 404 to %s', async (_, query) => {
    expect((await owner.get(`/payments${query}`)).status).toBe(404);
  });

  it('responds with 404 to a cursor of another merchant, and does not lead to its payment', async () => {
    const { _id } = await ground.put({ m: other });
    expect((await owner.get(`/payments?after=${_id}`)).status).toBe(404);
    const search = await owner.get(`/payments?q=${_id}`);
    expect([search.status, listedIn(search.html)]).toEqual([200, []]);
  });

  it('shows a full page with long texts in less than 60 KiB, styles and script included', async () => {
    const merchant = await ground.addMerchant();
    const m = tenantOf(merchant, 'test');
    for (let n = 0; n < 51; n += 1) {
      await ground.put({ m, order_id: 'ж'.repeat(128), attempts: [makeAttempt()] });
    }
    const browser = await ground.signIn('owner', merchant);
    const { html } = await browser.get('/payments');
    expect(listedIn(html)).toHaveLength(50);
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    const sent = await Promise.all(files.map(async ([, file = '']) => browser.get(file)));
    const bytes = sent.map(({ headers }) => Number(headers.get('content-length')));
    const all = bytes.reduce((sum, each) => sum + each, Buffer.byteLength(html));
    expect(all).toBeLessThan(60 * 1024);
  });
});

describe('GET /payments/refunds', () => {
  it('lists, filters and pages refunds with their orders, and exports the same', async () => {
    const { _id } = await ground.put({ order_id: 'tea/12', status: 'completed' });
    const merchant = await ground.addMerchant();
    const { _id: foreign } = await ground.put({ m: tenantOf(merchant, 'test') });
    const add = async (of: Partial<Refund>) => {
      const refund = makeRefund({ m: ground.tenant, payment_id: _id, ...of });
      await ground.mongo.refunds.insertOne(refund);
      return refund._id;
    };
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.unshift(await add({ reason: 'duplicate' }));
    const failed = await add({ status: 'failed', payment_id: mintId('payment') });
    const hidden = await add({ m: tenantOf(merchant, 'test'), payment_id: foreign });
    const first = await owner.get(`/payments/refunds?payment_id=${_id}`);
    expect(refundsIn(first.html)).toEqual(ids.slice(0, 50));
    for (const text of [
      'tea/12',
      'Paid twice',
      'At the bank',
      `kind=refunds&amp;payment_id=${_id}`,
    ]) {
      expect(first.html).toContain(text);
    }
    const second = await owner.get(linkIn(first.html, 'next'));
    expect(refundsIn(second.html)).toEqual(ids.slice(50));
    const back = await owner.get(linkIn(second.html, 'prev'));
    expect(refundsIn(back.html)).toEqual(ids.slice(0, 50));
    const { html } = await owner.get('/payments/refunds?status=failed');
    expect(refundsIn(html)).toEqual([failed]);
    const none = await owner.get('/payments/refunds?to=2025-01-01');
    expect(none.html).toContain('id="no-refunds"');
    for (const query of [`after=${hidden}`, 'payment_id=x', 'status=paid', `after=${_id}`]) {
      expect((await owner.get(`/payments/refunds?${query}`)).status).toBe(404);
    }
    const theirs = await owner.get(`/payments/refunds?payment_id=${foreign}`);
    expect(refundsIn(theirs.html)).toEqual([]);
  });
});
