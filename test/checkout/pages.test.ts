import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HARD_CODES, SOFT_CODES } from '../../domain/bank.ts';
import { MAX_ATTEMPTS } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { makeAttempt, makePayment } from '../support/payment.ts';
import { openBench, paymentIn } from './harness.ts';
import type { Bench } from './harness.ts';

let bench: Bench;
const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const declined = (code: (typeof SOFT_CODES)[number], count: number) =>
  makePayment({
    attempts: Array.from({ length: count }, (_, index) =>
      makeAttempt({ number: index + 1, status: 'declined', failure_code: code }),
    ),
  });

const readTries = async (tries: number, locale: string) => {
  const payment = await bench.put(declined('card_declined', MAX_ATTEMPTS - tries));
  return (await bench.call(path(payment, `?lang=${locale}`))).text;
};

const href = (text: string) =>
  /id="return"/.test(text) && /<a class="main-button" href="([^"]*)"/.exec(text)?.[1];

beforeAll(async () => {
  bench = await openBench('pages');
});
afterAll(async () => bench.close());

describe('the checkout page after a decline', () => {
  it.each(SOFT_CODES)(
    'says why (%s), how many tries are left, and offers the form',
    async (code) => {
      const payment = await bench.put(declined(code, 1));
      const { text } = await bench.call(path(payment));
      expect(text).toContain('id="decline-reason"');
      expect(text).toContain(`You have ${MAX_ATTEMPTS - 1} tries left.`);
      expect(text).toContain('id="card-form"');
    },
  );

  it('counts in the plural forms of the language', async () => {
    expect(await readTries(1, 'ru')).toContain('Осталась 1 попытка.');
    expect(await readTries(2, 'ru')).toContain('Осталось 2 попытки.');
    expect(await readTries(1, 'en')).toContain('You have 1 try left.');
    expect(await readTries(3, 'hy')).toContain('Մնացել է 3 փորձ։');
  });

  it.each(HARD_CODES)('a payment that ended by %s reads a neutral sentence', async (code) => {
    const attempts = [makeAttempt({ status: 'declined', failure_code: code })];
    const payment = await bench.put(
      makePayment({ status: 'failed', failure_code: code, attempts }),
    );
    for (const lang of ['en', 'ru', 'hy']) {
      const { text } = await bench.call(path(payment, `?lang=${lang}`));
      expect(text).toContain('data-view="failed"');
      expect(text).not.toMatch(/fraud|stolen|lost|мошен|украд|խարդախ|գողաց/i);
    }
  });
});

describe('finished pages', () => {
  it('lead back to the merchant with the placeholders filled, after a success by themselves', async () => {
    const payment = await bench.put(
      paymentIn('completed', { return_url: 'https://shop.example/back?p={PAYMENT_ID}&s={STATUS}' }),
    );
    const { text } = await bench.call(path(payment));
    const address = `https://shop.example/back?p=${payment._id}&amp;s=completed`;
    expect(href(text)).toBe(address);
    expect(text).toContain(`<meta http-equiv="refresh" content="5;url=${address}"`);
  });

  it('lead to cancel_url after a cancel, and to return_url when there is none', async () => {
    const cancelUrl = 'https://shop.example/cart?o={ORDER_ID}';
    const payment = await bench.put(paymentIn('canceled', { cancel_url: cancelUrl }));
    expect(href((await bench.call(path(payment))).text)).toBe(
      'https://shop.example/cart?o=order-1',
    );
    const other = await bench.put(paymentIn('canceled', { return_url: 'https://shop.example/' }));
    const { text } = await bench.call(path(other));
    expect(href(text)).toBe('https://shop.example/');
    expect(text).not.toContain('http-equiv="refresh"');
  });
});
