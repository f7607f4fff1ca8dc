import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, openBench, paymentIn } from './harness.ts';
import { forFile } from '../support/file.ts';

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const askIn = async (languages: string) =>
  (await bench.call('/c/nobody', { headers: { 'Accept-Language': languages } })).text;
const sorted = (list: string) => list.split(', ').toSorted();

const bench = forFile(await openBench('app'));

describe('an address that leads nowhere', () => {
  it.each([
    '/',
    '/c',
    '/c/nobody',
    '/c/nobody/status',
    '/c/nobody/cancel',
    '/c/%E0%A4',
    '/c/nobody/',
    '/C/nobody',
    '/bank/pay_1/att_1/signature',
    '/bank/pay_1/att_1/signature/code',
    '/assets/nothing.css',
    '/assets/..%2Fapp.ts',
    '/favicon.ico',
  ])('answers 404 at %s, and every such page is the same', async (address) => {
    const answer = await bench.call(address);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe((await bench.call('/c/somebody-else')).text);
  });

  it('answers 404 to forms as well', async () => {
    for (const tail of ['pay', 'cancel', 'check']) {
      expect((await bench.post(`/c/nobody/${tail}`, CARD)).status).toBe(404);
    }
  });

  it('speaks the language that the browser asks for', async () => {
    expect(await askIn('hy-AM,ru;q=0.5')).toContain('<html lang="hy">');
    expect(await askIn('ru')).toContain('<html lang="ru">');
    expect(await askIn('de')).toContain('<html lang="en">');
  });
});

describe('a method that an address does not know', () => {
  it.each([
    ['POST', '', 'GET, HEAD'],
    ['PUT', '', 'GET, HEAD'],
    ['DELETE', '/cancel', 'GET, HEAD, POST'],
    ['GET', '/pay', 'POST'],
    ['GET', '/check', 'POST'],
    ['POST', '/status', 'GET, HEAD'],
    ['PROPFIND', '', 'GET, HEAD'],
    ['OPTIONS', '/pay', 'POST'],
  ])('%s /c/:token%s is answered 405 with what is allowed', async (method, tail, allowed) => {
    const payment = await bench.put(makePayment());
    const before = await bench.bytes(payment);
    const answer = await bench.call(path(payment, tail), { method });
    expect(answer.status).toBe(405);
    expect(sorted(answer.headers.get('allow')!)).toEqual(sorted(allowed));
    expect(answer.text).toContain(`href="${path(payment)}" id="again"`);
    expect(await bench.bytes(payment)).toBe(before);
  });
});

describe('every page', () => {
  it.each(['open', 'at_bank', 'waiting', 'completed'] as const)(
    'has strict headers and no cookie when %s',
    async (situation) => {
      const payment = await bench.put(paymentIn(situation));
      const address = situation === 'at_bank' ? bench.bankPath(payment) : path(payment);
      const { headers, text } = await bench.call(address);
      const policy = headers.get('content-security-policy')!.split(';').toSorted();
      expect(policy).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('set-cookie')).toBeNull();
      expect(text).not.toMatch(/<style|style="|<script(?! src)|\son\w+=/);
      expect(text).toContain('id="test-banner"');
    },
  );

  it('shows what the merchant wrote as text', async () => {
    const description = '<img src=x onerror=alert(1)> "&amp;" {count}';
    const payment = await bench.put(makePayment({ description, order_id: '</dd><script>' }));
    const { text } = await bench.call(path(payment));
    expect(text).toContain('&lt;img src=x onerror=alert(1)> &quot;&amp;amp;&quot; {count}');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('</dd><script>');
  });

  it('keeps the chosen language in addresses, and nothing else', async () => {
    const payment = await bench.put(makePayment({ locale: 'hy' }));
    const own = await bench.call(path(payment));
    expect(own.text).toContain('<html lang="hy">');
    expect(own.text).toContain(`action="${path(payment, '/pay')}"`);
    for (const lang of ['en', 'ru', 'hy']) {
      const { text } = await bench.call(path(payment, `?lang=${lang}&x=1`));
      expect(text).toContain(`<html lang="${lang}">`);
      expect(text).toContain(`action="${path(payment, `/pay?lang=${lang}`)}"`);
      expect(text).toContain(`href="${path(payment, '?lang=en')}" lang="en"`);
      expect(text).not.toContain('x=1');
    }
    const odd = await bench.call(path(payment, '?lang=de&lang=en'));
    expect(odd.text).toContain('<html lang="hy">');
  });

  it('never takes an address from the request', async () => {
    const payment = await bench.put(paymentIn('at_bank'));
    const headers = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
    const answer = await bench.call(path(payment), { headers });
    expect(answer.location).toBe(bench.bankPath(payment));
    const page = await bench.call(bench.bankPath(payment), { headers });
    expect(page.text).not.toContain('evil');
  });

  it('waits without a script by a refresh', async () => {
    const payment = await bench.put(paymentIn('waiting'));
    const { text } = await bench.call(path(payment));
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="3"');
    expect(text).toMatch(/<script src="\/assets\/wait\.js\?v=[\w-]+" defer/);
  });
});

describe('the files of the pages', () => {
  it.each(['base.css', 'checkout.css', 'bank.css', 'wait.js', 'icon.svg'])('%s', async (name) => {
    const plain = await bench.call(`/assets/${name}`);
    expect(plain.status).toBe(200);
    expect(plain.headers.get('cache-control')).toBe('no-cache');
    const etag = plain.headers.get('etag')!;
    // Without a word on caching fetch would ask for a fresh copy.
    const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    const again = await bench.call(`/assets/${name}`, { headers });
    expect(again.status).toBe(304);
    const versioned = await bench.call(`/assets/${name}?v=${etag.replaceAll('"', '')}`);
    expect(versioned.headers.get('cache-control')).toContain('immutable');
    expect((await bench.call(`/assets/${name}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('every address in a page is one of them', async () => {
    const payment = await bench.put(paymentIn('waiting'));
    const { text } = await bench.call(path(payment));
    const addresses = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, at]) => at!);
    expect(addresses).toHaveLength(4);
    for (const address of addresses) {
      const answer = await bench.call(address);
      expect(answer.headers.get('cache-control')).toContain('immutable');
    }
  });
});

describe('the service', () => {
  it('says that it is alive', async () => {
    const answer = await bench.call('/healthz');
    expect([answer.status, answer.text]).toEqual([200, 'ok\n']);
  });

  it('logs routes, never a token, a signature or a card', async () => {
    const payment = await bench.put(paymentIn('at_bank'));
    const bank = bench.bankPath(payment);
    await bench.call(path(payment, '?lang=ru'));
    await bench.post(path(payment, '/pay'), CARD);
    await bench.call(bank);
    await bench.post(bank, { outcome: 'approve' });
    const log = bench.lines.join('');
    expect(log).toContain('"method":"POST","route":"/c/:token/pay","status":303');
    expect(log).toContain('"route":"/bank/:paymentId/:attemptId/:signature"');
    expect(log).not.toContain(payment.checkout_token);
    expect(log).not.toContain(bank.split('/').at(-1));
    expect(log).not.toContain('4242 4242');
  });

  it.each([
    ['not what anybody wrote', 0, '127.0.0.1'],
    ['as our proxy saw it', 1, '192.0.2.1'],
  ])('logs where a request came from: %s', async (_, trustedHops, from) => {
    const behind = await openBench(`hops${trustedHops}`, { limits: { trustedHops } });
    await behind.call('/c/nobody', { headers: { 'X-Forwarded-For': '6.6.6.6, 192.0.2.1' } });
    await behind.close();
    const logged = behind.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.filter(({ msg }) => msg === 'request')).toMatchObject([{ from, status: 404 }]);
  });
});
