import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, openBench } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const send = async (body: string | undefined, headers: Record<string, string>) => {
  const payment = await bench.put(makePayment({ locale: 'ru' }));
  const before = await bench.bytes(payment);
  const init = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
  const response = await bench.call(path(payment, '/pay'), init);
  expect(await bench.bytes(payment)).toBe(before);
  return response;
};

/** Returns the addresses of the language links of a page. */
const languagesOf = (page: string): string[] =>
  [...page.matchAll(/href="([^"]+)" lang="/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

const bench = closeAfterTests(await openBench('form'));

describe('the errors of a form', () => {
  const REAL = '4539 5787 6362 1486';

  it('are kept in another language, without anything that was typed', async () => {
    const payment = await bench.put(makePayment());
    const fields = { card_number: REAL, expiry: '12/20', cvc: '98765' };
    const { text } = await bench.post(path(payment, '/pay'), fields);
    const links = languagesOf(text);
    expect(links).toEqual(
      ['hy', 'en', 'ru'].map((lang) =>
        path(payment, `?lang=${lang}&errors=card_refused,expiry_past,cvc_3`),
      ),
    );
    const russian = await bench.call(links[2]!);
    expect(russian.text).toContain('<a href="#card_number">Это тестовый режим');
    expect(russian.text).toContain('<a href="#expiry">Этот срок уже истёк');
    expect(russian.text).toContain('<a href="#cvc">Введите код CVC/CVV: 3 цифры');
    expect(russian.text.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(languagesOf(russian.text)).toEqual(links);
    for (const page of [text, russian.text]) {
      expect(page).not.toMatch(/4539|5787|12\/20|98765/);
    }
  });

  it('in an address may be unknown, repeated or of another page', async () => {
    const payment = await bench.put(makePayment());
    const clean = await bench.call(path(payment));
    for (const query of [
      'errors=code_wrong,heading,x',
      'errors=cvc&errors=cvc',
      'errors=',
      'errors',
    ]) {
      const { status, text } = await bench.call(path(payment, `?${query}`));
      expect([status, languagesOf(text)]).toEqual([200, languagesOf(clean.text)]);
    }
  });
});

describe('an unexpected form', () => {
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

  it.each([
    ['JSON', JSON.stringify(CARD), { 'Content-Type': 'application/json' }],
    ['plain text', 'card_number=4242424242424242', { 'Content-Type': 'text/plain' }],
    ['a compressed form', 'x', { ...FORM, 'Content-Encoding': 'gzip' }],
  ])('gets 415 when it is %s', async (_, body, headers) => {
    const response = await send(body, headers);
    expect(response.status).toBe(415);
    expect(response.text).toContain('<html lang="ru">');
  });

  it('gets 413 only beyond 8 KiB', async () => {
    expect((await send(`cvc=${'1'.repeat(8 * 1024)}`, FORM)).status).toBe(413);
    expect((await send(`cvc=${'1'.repeat(8 * 1024 - 4)}`, FORM)).status).toBe(422);
  });

  it.each([
    ['no body', undefined, {}],
    ['an empty form', '', FORM],
    ['a field sent twice', 'card_number=4242424242424242&card_number=1', FORM],
    ['broken escapes', 'card_number=%E0%A4%A&expiry=%', FORM],
  ])('is shown again with errors when it is %s', async (_, body, headers) => {
    const response = await send(body, headers);
    expect(response.status).toBe(422);
    expect(response.text).toContain('data-view="form"');
  });
});
