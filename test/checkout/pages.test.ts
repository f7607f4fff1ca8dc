import { describe, expect, it } from 'vitest';
import { EN } from '../../checkout/text.en.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { FAILURE_MESSAGES, HARD_CODES, isHardDecline } from '../../domain/bank.ts';
import { LOCALES } from '../../domain/merchant.ts';
import { MAX_ATTEMPTS, MAX_VISITS } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { openBench, paymentIn } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const checkoutPath = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const SOFT_CODES = (Object.keys(FAILURE_MESSAGES) as FailureCode[]).filter(
  (code) => !isHardDecline(code),
);
const declined = (code: FailureCode, count: number) =>
  makePayment({
    attempts: Array.from({ length: count }, (_, index) =>
      makeAttempt({ number: index + 1, status: 'declined', failure_code: code }),
    ),
  });

const readTries = async (tries: number, locale: string) => {
  const payment = await bench.put(declined('card_declined', MAX_ATTEMPTS - tries));
  return (await bench.call(checkoutPath(payment, `?lang=${locale}`))).text;
};

const href = (text: string) =>
  /id="return"/.test(text) && /<a class="main-button" href="([^"]*)"/.exec(text)?.[1];

const paid = (overrides: Partial<Payment> = {}) =>
  bench.put(paymentIn('completed', { updated_at: new Date(), ...overrides }));

/** What the customer can do after a decline for good. */
const NEXT = {
  en: 'Contact your bank or choose another way to pay.',
  ru: 'Обратитесь в свой банк или выберите другой способ оплаты.',
  hy: 'Դիմեք ձեր բանկին կամ ընտրեք վճարման այլ եղանակ։',
};

const bench = closeAfterTests(await openBench('pages'));

describe('the checkout page after a decline', () => {
  it.each(SOFT_CODES)(
    'shows the reason (%s), that nothing was charged, and the form',
    async (code) => {
      const payment = await bench.put(declined(code, 1));
      const { text } = await bench.call(checkoutPath(payment));
      expect(text).toContain(`<p id="decline-reason">${EN[`failure.${code}`]}</p>`);
      expect(text).toContain('<p>Nothing was charged.</p>');
      expect(text).toContain('id="card-form"');
    },
  );

  it('says how many attempts are left from three on', async () => {
    expect(await readTries(4, 'en')).not.toContain('id="attempts-left"');
    expect(await readTries(3, 'en')).toContain('You have 3 attempts left.');
  });

  it('counts visits that were turned back if they run out first', async () => {
    const attempts = Array.from({ length: MAX_VISITS - 2 }, (_, index) =>
      makeAttempt({ number: index + 1, status: 'turned_back' }),
    );
    const payment = await bench.put(makePayment({ attempts }));
    const { text } = await bench.call(checkoutPath(payment));
    expect(text).toContain('id="turned-back"');
    expect(text).toContain('You have 2 attempts left.');
  });

  it('uses the plural forms of the language', async () => {
    expect(await readTries(1, 'ru')).toContain('Осталась 1 попытка.');
    expect(await readTries(2, 'ru')).toContain('Осталось 2 попытки.');
    expect(await readTries(1, 'en')).toContain('You have 1 attempt left.');
    expect(await readTries(3, 'hy')).toContain('Մնացել է 3 փորձ։');
  });

  it.each(HARD_CODES)('does not mention fraud or theft after %s', async (code) => {
    const attempts = [makeAttempt({ status: 'declined', failure_code: code })];
    const payment = await bench.put(
      makePayment({ status: 'failed', failure_code: code, attempts }),
    );
    for (const lang of LOCALES) {
      const { text } = await bench.call(checkoutPath(payment, `?lang=${lang}`));
      expect(text).toContain('data-view="failed"');
      expect(text).toContain(NEXT[lang]);
      expect(text).not.toMatch(/fraud|stolen|lost|мошен|украд|խարդախ|գողաց/i);
    }
  });
});

describe('the page after the last attempt', () => {
  it('says that nothing was charged and where to go, but not to try another card', async () => {
    const { attempts } = declined('card_declined', MAX_ATTEMPTS);
    const failed = { status: 'failed', failure_code: 'card_declined', attempts } as const;
    const { text } = await bench.call(checkoutPath(await bench.put(makePayment(failed))));
    expect(text).toContain('There are no attempts left for this payment.');
    expect(text).toContain('<p>Nothing was charged.</p>');
    expect(text).not.toContain('another card');
  });
});

describe('the receipt', () => {
  it('has payee, amount, order, date with zone, card and payment id, and stays', async () => {
    const payment = await paid({ order_id: 'ORDER-7', locale: 'en' });
    for (const [tail, view] of [
      ['', 'completed'],
      ['/receipt', 'receipt'],
    ] as const) {
      const { text } = await bench.call(checkoutPath(payment, tail));
      expect(text).toContain(`data-view="${view}"`);
      expect(text).toContain('12,500\u00a0AMD');
      expect(text).toContain('<dd id="order" dir="auto">ORDER-7</dd>');
      expect(text).toContain('<dd id="paid-with" dir="auto">Visa •••• 4242</dd>');
      expect(text).toContain(`<dd id="payment-id" dir="auto">${payment._id}</dd>`);
      const at = payment.completed_at!.toISOString();
      expect(text).toMatch(new RegExp(`<time datetime="${at}" id="paid-at"[^>]*>[^<]+ UTC</time>`));
      expect(text.includes('http-equiv="refresh"')).toBe(tail === '');
      expect(text.includes(`href="${checkoutPath(payment, '/receipt')}" id="stay"`)).toBe(
        tail === '',
      );
      expect(text).not.toContain('id="refunded"');
    }
  });

  it('says what was refunded since', async () => {
    const { text } = await bench.call(
      checkoutPath(await paid({ amount_refunded: 2_500 }), '/receipt'),
    );
    expect(text).toContain('<dd id="refunded" dir="auto">2,500\u00a0AMD</dd>');
  });

  it.each(['failed', 'canceled', 'expired'] as const)('is not shown when %s', async (state) => {
    const { text } = await bench.call(checkoutPath(await bench.put(paymentIn(state))));
    expect(text).not.toMatch(/id="receipt"|id="stay"/);
  });
});

describe('the page of an ended payment, a day later', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const secrets = {
    order_id: 'ORDER-77',
    description: 'A ring for Anahit',
    return_url: 'https://shop.example/back/ORDER-77?order={ORDER_ID}&payment={PAYMENT_ID}',
    cancel_url: 'https://shop.example/cart/ORDER-77',
  };
  const endings = ['completed', 'failed', 'canceled', 'expired'] as const;
  const HEADINGS = {
    completed: ['Payment completed', 'Платёж выполнен', 'Վճարումը կատարված է'],
    failed: ['Payment not completed', 'Платёж не выполнен', 'Վճարումը չի կատարվել'],
    canceled: ['Payment canceled', 'Платёж отменён', 'Վճարումը չեղարկված է'],
    expired: [
      'The time to pay has run out',
      'Время на оплату истекло',
      'Վճարման ժամանակը սպառվել է',
    ],
  };
  /** Stores a payment that ended `agoMs` milliseconds ago. */
  const ended = async (ending: (typeof endings)[number], agoMs: number) => {
    const updatedAt = new Date(Date.now() - agoMs);
    const created = { created_at: new Date(updatedAt.getTime() - 1_000), updated_at: updatedAt };
    return bench.put(paymentIn(ending, { ...created, ...secrets }));
  };

  it.each(endings)('shows only that it is %s', async (ending) => {
    const payment = await ended(ending, DAY_MS);
    for (const [index, lang] of ['en', 'ru', 'hy'].entries()) {
      const { text } = await bench.call(checkoutPath(payment, `?lang=${lang}`));
      expect(text).toContain(`data-view="${ending}"`);
      expect(text).toContain(`<h1>${HEADINGS[ending][index]}</h1>`);
      expect(text).toContain('id="past"');
      expect(href(text)).toBe('https://shop.example');
      expect(text).not.toMatch(/ORDER-77|Anahit|12[.,\s\u00a0]?500|AMD|4242|visa|http-equiv/i);
      expect(text).not.toContain(payment._id);
    }
  });

  it.each(endings)('still shows details a minute earlier when %s', async (ending) => {
    const payment = await ended(ending, DAY_MS - 60_000);
    const { text } = await bench.call(checkoutPath(payment));
    expect(text).toContain('ORDER-77');
    expect(text).toContain('Anahit');
    expect(text).not.toContain('id="past"');
  });

  it('shows no details even if no workflow has expired the payment', async () => {
    const createdAt = new Date(Date.now() - 2 * DAY_MS);
    const payment = await bench.put(makePayment({ created_at: createdAt, ...secrets }));
    const { text } = await bench.call(checkoutPath(payment));
    expect(text).toContain('data-view="expired"');
    expect(text).not.toMatch(/ORDER-77|Anahit/);
  });
});

describe('the page of an ended payment', () => {
  it('returns a paid customer to the merchant, with the placeholders filled', async () => {
    const payment = await bench.put(
      paymentIn('completed', { return_url: 'https://shop.example/back?p={PAYMENT_ID}&s={STATUS}' }),
    );
    const { text } = await bench.call(checkoutPath(payment));
    const address = `https://shop.example/back?p=${payment._id}&amp;s=completed`;
    expect(href(text)).toBe(address);
    expect(text).toContain(`<noscript><meta http-equiv="refresh" content="20;url=${address}"`);
  });

  it('links to cancel_url after a cancel, or to return_url if there is none', async () => {
    const cancelUrl = 'https://shop.example/cart?o={ORDER_ID}';
    const payment = await bench.put(paymentIn('canceled', { cancel_url: cancelUrl }));
    expect(href((await bench.call(checkoutPath(payment))).text)).toBe(
      'https://shop.example/cart?o=order-1',
    );
    const other = await bench.put(paymentIn('canceled', { return_url: 'https://shop.example/' }));
    const { text } = await bench.call(checkoutPath(other));
    expect(href(text)).toBe('https://shop.example/');
    expect(text).not.toContain('http-equiv="refresh"');
  });
});
