import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HARD_CODES, SOFT_CODES, TEST_CARDS } from '../../domain/bank.ts';
import { MAX_ATTEMPTS } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { SITUATIONS } from '../../checkout/table.ts';
import { TemporalUnavailable } from '../../temporal.ts';
import { makeAttempt, makePayment } from '../support/payment.ts';
import { CARD, openBench, paymentIn } from './harness.ts';
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
  bench = await openBench('customer');
});
afterAll(async () => bench.close());
afterEach(() => {
  bench.temporal.wakes = [];
  bench.temporal.asks = [];
  bench.temporal.onAsk = async ({ status }) => status;
});

describe('POST /c/:token/pay refuses', () => {
  const REAL = '4539578763621486';

  it.each([
    ['a card that is not a test card', { ...CARD, card_number: REAL }, 'card_number'],
    [
      'a real card typed with blanks',
      { ...CARD, card_number: '4539 5787 6362 1486' },
      'card_number',
    ],
    [
      'a test card with a digit missing',
      { ...CARD, card_number: '424242424242424' },
      'card_number',
    ],
    ['no card number', { ...CARD, card_number: '' }, 'card_number'],
    ['an expiry that is no date', { ...CARD, expiry: '13/30' }, 'expiry'],
    ['no expiry', { ...CARD, expiry: ' ' }, 'expiry'],
    ['a security code of letters', { ...CARD, cvc: 'abc' }, 'cvc'],
    ['a real number in the wrong field', { ...CARD, cvc: REAL }, 'cvc'],
  ])('%s, shows the form again and stores nothing', async (_, fields, id) => {
    const payment = await bench.put(makePayment());
    const before = await bench.bytes(payment);
    const answer = await bench.post(path(payment, '/pay'), fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('data-view="form"');
    expect(answer.text).toContain(`<a href="#${id}">`);
    expect(answer.text).toMatch(new RegExp(`id="${id}" aria-describedby="[^"]*${id}-error"`));
    expect(await bench.bytes(payment)).toBe(before);
    for (const digits of [REAL, '4539 5787']) {
      expect(answer.text).not.toContain(digits);
      expect(bench.lines.join('')).not.toContain(digits);
    }
  });

  it('and says so in the language of the page', async () => {
    const payment = await bench.put(makePayment({ locale: 'ru' }));
    const fields = { ...CARD, card_number: REAL };
    const russian = await bench.post(path(payment, '/pay'), fields);
    expect(russian.text).toContain('Принимаются только тестовые карты');
    const armenian = await bench.post(path(payment, '/pay?lang=hy'), fields);
    expect(armenian.text).toContain('Ընդունվում են միայն');
    expect(armenian.text).toContain(`action="${path(payment, '/pay?lang=hy')}"`);
  });
});

describe('POST /c/:token/pay', () => {
  it.each(TEST_CARDS)('takes the test card $number to the bank', async ({ number, brand }) => {
    const payment = await bench.put(makePayment());
    const answer = await bench.post(path(payment, '/pay?lang=hy'), {
      ...CARD,
      card_number: number,
    });
    const after = await bench.read(payment);
    expect(after.status).toBe('processing');
    expect(after.attempts[0]!.card).toEqual({ brand, last4: number.slice(-4) });
    expect(JSON.stringify(after)).not.toContain(number);
    expect(answer.status).toBe(303);
    expect(answer.location).toBe(`${bench.bankPath(after)}?lang=hy`);
  });

  it('pressed twenty times at once opens one attempt, and each press ends at the bank', async () => {
    const payment = await bench.put(makePayment());
    const presses = Array.from({ length: 20 }, async () => bench.post(path(payment, '/pay'), CARD));
    const answers = await Promise.all(presses);
    const after = await bench.read(payment);
    expect(after.attempts).toHaveLength(1);
    for (const answer of answers) {
      expect([answer.status, answer.location]).toEqual([303, bench.bankPath(after)]);
    }
  });

  it.each(SITUATIONS.filter((each) => each !== 'open'))(
    'changes nothing when %s, even with a refused card',
    async (situation) => {
      const payment = await bench.put(paymentIn(situation));
      const before = await bench.bytes(payment);
      const target = situation === 'at_bank' ? bench.bankPath(payment) : path(payment);
      for (const fields of [CARD, { ...CARD, card_number: '1' }]) {
        const answer = await bench.post(path(payment, '/pay'), fields);
        expect([answer.status, answer.location]).toEqual([303, target]);
      }
      expect(await bench.bytes(payment)).toBe(before);
    },
  );

  it('uses a turned-back attempt again, with the new card', async () => {
    const payment = await bench.put(paymentIn('open'));
    await bench.post(path(payment, '/pay'), { ...CARD, card_number: '5555555555554444' });
    const after = await bench.read(payment);
    expect(after.attempts).toHaveLength(1);
    expect(after.attempts[0]).toMatchObject({
      id: payment.attempts[0]!.id,
      status: 'pending',
      card: { brand: 'mastercard', last4: '4444' },
    });
  });
});

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

describe('POST /c/:token/cancel', () => {
  it('asks the workflow once, as the customer, and leads back', async () => {
    const payment = await bench.put(makePayment());
    bench.temporal.onAsk = async () => 'canceled';
    const answer = await bench.post(path(payment, '/cancel?lang=ru'));
    expect([answer.status, answer.location]).toEqual([303, path(payment, '?lang=ru')]);
    const [ask] = bench.temporal.asks;
    expect(bench.temporal.asks).toHaveLength(1);
    expect(ask!.id).toMatch(/^req_/);
    expect(ask!.message).toEqual({ kind: 'cancel', by: 'customer', request_id: ask!.id });
  });

  it.each(['at_bank', 'waiting', 'silent'] as const)(
    'is refused politely when %s, and asks nothing',
    async (situation) => {
      const payment = await bench.put(paymentIn(situation));
      const before = await bench.bytes(payment);
      const answer = await bench.post(path(payment, '/cancel'));
      expect(answer.status).toBe(409);
      expect(answer.text).toContain('data-view="refused"');
      expect(await bench.bytes(payment)).toBe(before);
      expect(bench.temporal.asks).toEqual([]);
    },
  );

  it('is refused politely when another tab went to the bank meanwhile', async () => {
    const payment = await bench.put(makePayment());
    bench.temporal.onAsk = async () => 'processing';
    expect((await bench.post(path(payment, '/cancel'))).status).toBe(409);
  });

  it.each(['over', 'completed', 'failed', 'canceled', 'expired'] as const)(
    'leads to the checkout page when %s, and asks nothing',
    async (situation) => {
      const payment = await bench.put(paymentIn(situation));
      const answer = await bench.post(path(payment, '/cancel'));
      expect([answer.status, answer.location]).toEqual([303, path(payment)]);
      expect(bench.temporal.asks).toEqual([]);
    },
  );

  it('answers 503 with a way to try again when Temporal is away', async () => {
    const payment = await bench.put(makePayment({ locale: 'hy' }));
    bench.temporal.onAsk = async () => {
      throw new TemporalUnavailable('away');
    };
    const answer = await bench.post(path(payment, '/cancel'));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.text).toContain('<html lang="hy">');
    expect(answer.text).toContain(`href="${path(payment)}" id="again"`);
  });
});

describe('POST /c/:token/check', () => {
  it('lets the workflow look once the silence is over', async () => {
    const payment = await bench.put(paymentIn('silent'));
    const answer = await bench.post(path(payment, '/check'));
    expect([answer.status, answer.location]).toEqual([303, path(payment)]);
    expect(bench.temporal.asks.map(({ message }) => message)).toEqual([{ kind: 'look' }]);
  });

  it.each(SITUATIONS.filter((each) => each !== 'silent'))(
    'asks nothing when %s',
    async (situation) => {
      const payment = await bench.put(paymentIn(situation));
      const answer = await bench.post(path(payment, '/check'));
      expect([answer.status, answer.location]).toEqual([303, path(payment)]);
      expect(bench.temporal.asks).toEqual([]);
    },
  );
});
