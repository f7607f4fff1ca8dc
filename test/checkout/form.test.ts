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

const bench = closeAfterTests(await openBench('form'));

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
