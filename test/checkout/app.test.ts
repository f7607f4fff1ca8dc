import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { changeDetails } from '../../store/payments.ts';
import { makeEntry } from '../support/audit.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, openBench, paymentIn } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const askIn = async (languages: string) =>
  (await bench.call('/c/nobody', { headers: { 'Accept-Language': languages } })).text;
const sorted = (list: string) => list.split(', ').toSorted();

const bench = closeAfterTests(await openBench('app'));

describe('an unknown address', () => {
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
  ])('%s gets 404 and the same page as all others', async (address) => {
    const response = await bench.call(address);
    expect(response.status).toBe(404);
    expect(response.text).toBe((await bench.call('/c/somebody-else')).text);
  });

  it('gets 404 for forms too', async () => {
    for (const tail of ['pay', 'cancel', 'check']) {
      expect((await bench.post(`/c/nobody/${tail}`, CARD)).status).toBe(404);
    }
  });

  it('is shown in the language that the browser prefers', async () => {
    expect(await askIn('hy-AM,ru;q=0.5')).toContain('<html lang="hy">');
    expect(await askIn('ru')).toContain('<html lang="ru">');
    expect(await askIn('de')).toContain('<html lang="en">');
  });
});

describe('an unsupported method', () => {
  it.each([
    ['POST', '', 'GET, HEAD'],
    ['PUT', '', 'GET, HEAD'],
    ['DELETE', '/cancel', 'GET, HEAD, POST'],
    ['GET', '/pay', 'POST'],
    ['GET', '/check', 'POST'],
    ['POST', '/status', 'GET, HEAD'],
    ['PROPFIND', '', 'GET, HEAD'],
    ['OPTIONS', '/pay', 'POST'],
  ])('%s /c/:token%s gets 405 and the allowed methods', async (method, tail, allowed) => {
    const payment = await bench.put(makePayment());
    const before = await bench.bytes(payment);
    const response = await bench.call(path(payment, tail), { method });
    expect(response.status).toBe(405);
    expect(sorted(response.headers.get('allow')!)).toEqual(sorted(allowed));
    expect(response.text).toContain(`href="${path(payment)}" id="again"`);
    expect(await bench.bytes(payment)).toBe(before);
  });
});

describe('every page', () => {
  it.each(['open', 'at_bank', 'waiting', 'completed'] as const)(
    'has strict headers and sets no cookie when %s',
    async (state) => {
      const payment = await bench.put(paymentIn(state));
      const address = state === 'at_bank' ? bench.bankPath(payment) : path(payment);
      const { headers, text } = await bench.call(address);
      const policy = headers.get('content-security-policy')!.split(';').toSorted();
      expect(policy).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "object-src 'none'",
        'report-to csp',
        'report-uri /csp-reports',
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
        "trusted-types 'none'",
      ]);
      expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"');
      expect(headers.get('permissions-policy')).toMatch(/^accelerometer=\(\), .*payment=\(\)/);
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('set-cookie')).toBeNull();
      expect(text).not.toMatch(/<style|style="|<script(?! src)|\son\w+=/);
      expect(text).toContain('id="test-banner"');
    },
  );

  it('escapes the texts of the merchant', async () => {
    const description = '<img src=x onerror=alert(1)> "&amp;" {count}';
    const payment = await bench.put(makePayment({ description, order_id: '</dd><script>' }));
    const { text } = await bench.call(path(payment));
    expect(text).toContain('&lt;img src=x onerror=alert(1)> &quot;&amp;amp;&quot; {count}');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('</dd><script>');
  });

  it('shows a description that the merchant has changed', async () => {
    const payment = await bench.put(makePayment({ description: 'Two mugs' }));
    expect((await bench.call(path(payment))).text).toContain('Two mugs');
    const after = { ...payment, description: 'Three mugs', updated_at: new Date() };
    const change = { before: payment, after, entry: makeEntry(), response: undefined };
    expect(await changeDetails(bench.mongo, change)).toBe(true);
    const { text } = await bench.call(path(payment));
    expect(text).toContain('Three mugs');
    expect(text).not.toContain('Two mugs');
  });

  it('has only the chosen language in its URLs', async () => {
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

  it('remembers the chosen language in a cookie, before that of the payment', async () => {
    const payment = await bench.put(makePayment({ locale: 'hy' }));
    const chosen = await bench.call(path(payment, '?lang=ru'));
    const cookie = chosen.headers.get('set-cookie')!;
    expect(cookie).toMatch(
      /^tollgate-language=ru; path=\/; expires=[^;]+; samesite=lax; httponly$/i,
    );
    const headers = { Cookie: cookie.split(';')[0]! };
    const later = await bench.call(path(payment), { headers });
    expect(later.text).toContain('<html lang="ru">');
    const again = await bench.call(path(payment, '?lang=ru'), { headers });
    const other = await bench.call(path(payment, '?lang=en'), { headers });
    expect([later, again].map((page) => page.headers.get('set-cookie'))).toEqual([null, null]);
    expect(other.headers.get('set-cookie')).toMatch(/^tollgate-language=en;/);
    for (const odd of ['tollgate-language=de', 'tollgate-language=', 'tollgate-language=%E0']) {
      const { text } = await bench.call(path(payment), { headers: { Cookie: odd } });
      expect(text).toContain('<html lang="hy">');
    }
  });

  it('does not use the Host of the request', async () => {
    const payment = await bench.put(paymentIn('at_bank'));
    const headers = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
    const response = await bench.call(path(payment), { headers });
    expect(response.location).toBe(bench.bankPath(payment));
    const page = await bench.call(bench.bankPath(payment), { headers });
    expect(page.text).not.toContain('evil');
  });

  it('reloads while waiting, even without scripts', async () => {
    const payment = await bench.put(paymentIn('waiting'));
    const { text } = await bench.call(path(payment));
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="3"');
    expect(text).toMatch(/<script src="\/assets\/wait\.js\?v=[\w-]+" defer/);
  });
});

describe('GET /assets/:file', () => {
  const NAMES = ['checkout.css', 'bank.css', 'form.js', 'finished.js', 'wait.js', 'icon.svg'];

  it.each([...NAMES, 'dram.woff2'])('lets browsers cache %s', async (name) => {
    const plain = await bench.call(`/assets/${name}`);
    expect(plain.status).toBe(200);
    expect(plain.headers.get('cache-control')).toBe('no-cache');
    const etag = plain.headers.get('etag')!;
    // By default, fetch would demand a fresh copy.
    const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    const again = await bench.call(`/assets/${name}`, { headers });
    expect(again.status).toBe(304);
    const versioned = await bench.call(`/assets/${name}?v=${etag.replaceAll('"', '')}`);
    expect(versioned.headers.get('cache-control')).toContain('immutable');
    expect((await bench.call(`/assets/${name}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('serves every asset that a page uses', async () => {
    const payment = await bench.put(paymentIn('waiting'));
    const { text } = await bench.call(path(payment));
    const addresses = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, at]) => at!);
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      const response = await bench.call(address);
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
  });
});

describe('the service', () => {
  it('reports that it is alive', async () => {
    const response = await bench.call('/healthz');
    expect([response.status, response.text]).toEqual([200, 'ok\n']);
  });

  it('logs routes, but no token, signature or card', async () => {
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
    ['its own address, without our proxies', 0, '127.0.0.1'],
    ['the address that our proxy received it from', 1, '192.0.2.1'],
  ])('logs the sender of a request: %s', async (_, trustedHops, from) => {
    const behind = await openBench(`hops${trustedHops}`, { limits: { trustedHops } });
    await behind.call('/c/nobody', { headers: { 'X-Forwarded-For': '6.6.6.6, 192.0.2.1' } });
    await behind.close();
    const logged = behind.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.filter(({ msg }) => msg === 'request')).toMatchObject([{ from, status: 404 }]);
  });
});
