import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../../domain/id.ts';
import { tenantOf } from '../../../domain/merchant.ts';
import { mintId } from '../../../store/mint.ts';
import { makeAttempt } from '../../support/rows/payment.ts';
import { listedIn, openPayments } from './ground.ts';

const ground = await openPayments('dashboard-payments');
const other = tenantOf(await ground.addMerchant(), 'test');
const owner = await ground.signIn('owner');

const listed = async (query = '') => listedIn((await owner.get(`/payments${query}`)).html);
const linkIn = (html: string, rel: string): string =>
  new RegExp(`href="([^"]+)" rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

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
    for (const text of ['tea/7', '0119', '7777', '7,777.00 USD', '$7 777', 'Basket:b-77']) {
      expect([text, await listed(`?q=${encodeURIComponent(text)}`)]).toEqual([text, [id]]);
    }
    expect((await owner.get(`/payments?q=${id}`)).to).toBe(`/payments/${id}`);
    expect((await owner.get(`/payments?q=${id.toLowerCase()}`)).to).toBe(`/payments/${id}`);
  });

  it('finds payments that the API created and customers paid', async () => {
    const id = await ground.create({ amount: 31_337, metadata: { till: '5' } });
    expect(await listed('?q=31337')).toEqual([id]);
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
