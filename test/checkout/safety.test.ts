/** Requests that must change nothing: every GET and HEAD, and the forms of foreign pages. */
import { describe, expect, it } from 'vitest';
import { makeRoutes } from '../../checkout/routes.ts';
import type { Services } from '../../checkout/request.ts';
import type { Payment } from '../../domain/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, STATES, openBench, paymentIn } from './harness.ts';

const bench = closeAfterTests(await openBench('safety'));
const checkout = ({ checkout_token }: Payment) => `/c/${checkout_token}`;
const withoutTime = (page: string) => page.replace(/data-left-ms="\d+"/g, '');

/** The address of every route that can be read, for a payment. */
const PLACES: Readonly<Record<string, (payment: Payment) => string>> = {
  '/c/:token': checkout,
  '/c/:token/status': (payment) => `${checkout(payment)}/status`,
  '/c/:token/receipt': (payment) => `${checkout(payment)}/receipt`,
  '/c/:token/cancel': (payment) => `${checkout(payment)}/cancel`,
  '/bank/:paymentId/:attemptId/:signature': (payment) => bench.bankPath(payment),
  '/bank/:paymentId/:attemptId/:signature/code': (payment) => bench.bankPath(payment, '/code'),
};
/** Routes without a payment. */
const STATIC = ['/logos/:id', '/colours/:colour', '/assets/:file', '/healthz'];

/** Requests that nobody has made by hand. They are no opening of the page either. */
const PREVIEWS: [string, RequestInit][] = [
  ['HEAD', { method: 'HEAD' }],
  ['a prefetch', { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
  ['a prefetch of Firefox', { headers: { 'X-Moz': 'prefetch' } }],
  ['Telegram', { headers: { 'User-Agent': 'TelegramBot (like TwitterBot)' } }],
  ['WhatsApp', { headers: { 'User-Agent': 'WhatsApp/2.23.20.0' } }],
  ['Facebook', { headers: { 'User-Agent': 'facebookexternalhit/1.1' } }],
  ['a crawler', { headers: { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
];

describe('reading', () => {
  it('is what all these routes are for', () => {
    const { stack } = makeRoutes({} as Services);
    const read = stack.filter(({ methods }) => methods.includes('GET')).map(({ path }) => path);
    expect(new Set(read)).toEqual(new Set([...Object.keys(PLACES), ...STATIC]));
  });

  it.each(STATES)('changes nothing when %s, however often and by whom', async (state) => {
    const payment = await bench.put(paymentIn(state));
    const before = await bench.bytes(payment);
    // Only the open form records its opening, so the other states need no list of programs.
    const early = state === 'open' ? PREVIEWS : PREVIEWS.slice(0, 2);
    for (const place of Object.values(PLACES)) {
      for (const [, init] of early) await bench.call(place(payment), init);
    }
    expect(await bench.bytes(payment)).toBe(before);
    await bench.call(checkout(payment));
    const opened = await bench.bytes(payment);
    for (const place of Object.values(PLACES)) {
      // The back button may send the request again. Fields in a query are no form.
      const query = `?outcome=approve&code=123456&${new URLSearchParams(CARD)}`;
      for (const path of [place(payment), place(payment) + query]) await bench.call(path);
    }
    expect(await bench.bytes(payment)).toBe(opened);
    expect([bench.temporal.asks, bench.temporal.wakes]).toEqual([[], []]);
    expect(await bench.mongo.events.countDocuments()).toBe(0);
  });

  it('counts as an opening by a customer, also with a phone called Cubot', async () => {
    const payment = await bench.put(makePayment());
    const agent = 'Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) Chrome/142.0.0.0';
    await bench.call(checkout(payment), { headers: { 'User-Agent': agent } });
    expect((await bench.read(payment)).checkout_opened_at).toBeInstanceOf(Date);
  });

  it('takes no address for the return from the request', async () => {
    for (const state of ['open', 'completed', 'canceled', 'failed'] as const) {
      const payment = await bench.put(paymentIn(state));
      const names = ['return_url', 'cancel_url', 'url', 'next', 'redirect', 'return_to'];
      const query = names.map((name) => `${name}=https://evil.example/`).join('&');
      const headers = { Referer: 'https://evil.example/', Origin: 'https://evil.example' };
      const plain = await bench.call(checkout(payment));
      const asked = await bench.call(`${checkout(payment)}?${query}`, { headers });
      expect(withoutTime(asked.text)).toBe(withoutTime(plain.text));
    }
  });
});

const OWN = 'http://pay.example';

describe('a form', () => {
  it.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['another site that claims ours', { 'Sec-Fetch-Site': 'cross-site', Origin: OWN }],
    ['a sandboxed frame', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }],
    ['a foreign origin', { Origin: 'https://evil.example' }],
    ['our host by another protocol', { Origin: 'https://pay.example' }],
    ['our host at another port', { Origin: `${OWN}:81` }],
    ['a host that begins with ours', { Origin: `${OWN}.evil.example` }],
    ['a foreign page without Origin', { Referer: 'https://evil.example/http://pay.example/' }],
    ['a foreign page and Origin: null', { Origin: 'null', Referer: 'https://evil.example/' }],
    ['a page without an address', { Referer: 'nonsense' }],
  ])('from %s is refused, and changes nothing', async (_, headers) => {
    const payment = await bench.put(makePayment());
    const atBank = await bench.put(paymentIn('at_bank'));
    const before = [await bench.bytes(payment), await bench.bytes(atBank)];
    const paths = ['pay', 'cancel', 'check'].map((tail) => `${checkout(payment)}/${tail}`);
    for (const path of [...paths, bench.bankPath(atBank)]) {
      const body = new URLSearchParams({ ...CARD, outcome: 'approve' });
      const { status, text } = await bench.call(path, { method: 'POST', headers, body });
      expect(status).toBe(403);
      expect(text).toContain('<h1>');
    }
    expect([await bench.bytes(payment), await bench.bytes(atBank)]).toEqual(before);
    expect([bench.temporal.asks, bench.temporal.wakes]).toEqual([[], []]);
  });

  it.each<[string, Record<string, string>]>([
    ['our page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
    ['our page in a browser without Sec-Fetch-Site', { Origin: 'null' }],
    ['our page with its origin', { Origin: OWN }],
    ['our page with its address', { Referer: `${OWN}/c/x` }],
    ['a restored tab', { 'Sec-Fetch-Site': 'none' }],
    ['a program', {}],
  ])('from %s is served', async (_, headers) => {
    const payment = await bench.put(makePayment());
    const body = new URLSearchParams(CARD);
    const path = `${checkout(payment)}/pay`;
    const { status, location } = await bench.call(path, { method: 'POST', headers, body });
    expect([status, location]).toEqual([303, bench.bankPath(await bench.read(payment))]);
  });
});
