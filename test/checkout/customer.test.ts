import { afterEach, describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, STATES, openBench, paymentIn } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const bench = closeAfterTests(await openBench('customer'));
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
      'a test card with a missing digit',
      { ...CARD, card_number: '424242424242424' },
      'card_number',
    ],
    ['no card number', { ...CARD, card_number: '' }, 'card_number'],
    ['an invalid expiry date', { ...CARD, expiry: '13/30' }, 'expiry'],
    ['an expiry date in the past', { ...CARD, expiry: '12/20' }, 'expiry'],
    ['no expiry', { ...CARD, expiry: ' ' }, 'expiry'],
    ['a security code with letters', { ...CARD, cvc: 'abc' }, 'cvc'],
    ['a real number in the wrong field', { ...CARD, cvc: REAL }, 'cvc'],
  ])('%s, stores nothing and shows the form again', async (_, fields, id) => {
    const payment = await bench.put(makePayment());
    const before = await bench.bytes(payment);
    const response = await bench.post(path(payment, '/pay'), fields);
    expect(response.status).toBe(422);
    expect(response.text).toContain('data-view="form"');
    expect(response.text).toContain(`<a href="#${id}">`);
    expect(response.text).toMatch(new RegExp(`id="${id}" aria-describedby="[^"]*${id}-error"`));
    expect(await bench.bytes(payment)).toBe(before);
    for (const digits of [REAL, '4539 5787']) {
      expect(response.text).not.toContain(digits);
      expect(bench.lines.join('')).not.toContain(digits);
    }
  });

  it('a real card in the language of the page', async () => {
    const payment = await bench.put(makePayment({ locale: 'ru' }));
    const fields = { ...CARD, card_number: REAL };
    const russian = await bench.post(path(payment, '/pay'), fields);
    expect(russian.text).toContain('настоящие карты не принимаются');
    const armenian = await bench.post(path(payment, '/pay?lang=hy'), fields);
    expect(armenian.text).toContain('իրական քարտեր չեն ընդունվում');
    expect(armenian.text).toContain(`action="${path(payment, '/pay?lang=hy')}"`);
  });
});

describe('POST /c/:token/pay', () => {
  it.each(TEST_CARDS)(
    'accepts the test card $number, and redirects to the bank',
    async ({ number, brand }) => {
      const payment = await bench.put(makePayment());
      const response = await bench.post(path(payment, '/pay?lang=hy'), {
        ...CARD,
        card_number: number,
        cvc: brand === 'amex' ? '1234' : '123',
      });
      const after = await bench.read(payment);
      expect(after.status).toBe('processing');
      const card = { brand, last4: number.slice(-4) };
      expect(after.attempts[0]).toMatchObject({ method: 'card', card });
      expect(JSON.stringify(after)).not.toContain(number);
      expect(response.status).toBe(303);
      expect(response.location).toBe(`${bench.bankPath(after)}?lang=hy`);
    },
  );

  it('opens one attempt for twenty concurrent requests, and redirects each to the bank', async () => {
    const payment = await bench.put(makePayment());
    const presses = Array.from({ length: 20 }, async () => bench.post(path(payment, '/pay'), CARD));
    const responses = await Promise.all(presses);
    const after = await bench.read(payment);
    expect(after.attempts).toHaveLength(1);
    for (const response of responses) {
      expect([response.status, response.location]).toEqual([303, bench.bankPath(after)]);
    }
  });

  it.each(STATES.filter((each) => each !== 'open'))(
    'changes nothing when %s, even with a refused card',
    async (state) => {
      const payment = await bench.put(paymentIn(state));
      const before = await bench.bytes(payment);
      const target = state === 'at_bank' ? bench.bankPath(payment) : path(payment);
      for (const fields of [CARD, { ...CARD, card_number: '1' }]) {
        const response = await bench.post(path(payment, '/pay'), fields);
        expect([response.status, response.location]).toEqual([303, target]);
      }
      expect(await bench.bytes(payment)).toBe(before);
    },
  );

  it('opens an attempt with the new card after an attempt that was turned back', async () => {
    const payment = await bench.put(paymentIn('open'));
    await bench.post(path(payment, '/pay'), { ...CARD, card_number: '5555555555554444' });
    const after = await bench.read(payment);
    expect(after.attempts).toMatchObject([
      { id: payment.attempts[0]!.id, status: 'turned_back', card: { last4: '4242' } },
      { status: 'pending', card: { brand: 'mastercard', last4: '4444' } },
    ]);
  });
});

describe('POST /c/:token/cancel', () => {
  it('asks the workflow once on behalf of the customer, and redirects to the checkout', async () => {
    const payment = await bench.put(makePayment());
    bench.temporal.onAsk = async () => 'canceled';
    const response = await bench.post(path(payment, '/cancel?lang=ru'));
    expect([response.status, response.location]).toEqual([303, path(payment, '?lang=ru')]);
    const [ask] = bench.temporal.asks;
    expect(bench.temporal.asks).toHaveLength(1);
    expect(ask!.id).toMatch(/^req_/);
    expect(ask!.message).toEqual({ kind: 'cancel', by: 'customer', request_id: ask!.id });
  });

  it.each(['at_bank', 'waiting', 'leaving', 'silent'] as const)(
    'responds with 409 when %s, and does not ask the workflow',
    async (state) => {
      const payment = await bench.put(paymentIn(state));
      const before = await bench.bytes(payment);
      const response = await bench.post(path(payment, '/cancel'));
      expect(response.status).toBe(409);
      expect(response.text).toContain('data-view="refused"');
      expect(await bench.bytes(payment)).toBe(before);
      expect(bench.temporal.asks).toEqual([]);
    },
  );

  it('responds with 409 if another tab has gone to the bank', async () => {
    const payment = await bench.put(makePayment());
    bench.temporal.onAsk = async () => 'processing';
    expect((await bench.post(path(payment, '/cancel'))).status).toBe(409);
  });

  it.each(['over', 'completed', 'failed', 'canceled', 'expired'] as const)(
    'redirects to the checkout when %s, and does not ask the workflow',
    async (state) => {
      const payment = await bench.put(paymentIn(state));
      const response = await bench.post(path(payment, '/cancel'));
      expect([response.status, response.location]).toEqual([303, path(payment)]);
      expect(bench.temporal.asks).toEqual([]);
    },
  );

  it('responds with 503 and a link to try again while Temporal is unavailable', async () => {
    const payment = await bench.put(makePayment({ locale: 'hy' }));
    bench.temporal.onAsk = async () => {
      throw new TemporalUnavailable('away');
    };
    const response = await bench.post(path(payment, '/cancel'));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.text).toContain('<html lang="hy">');
    expect(response.text).toContain(`href="${path(payment)}" id="again"`);
  });
});

describe('POST /c/:token/check', () => {
  it('makes the workflow look after the bank has timed out', async () => {
    const payment = await bench.put(paymentIn('silent'));
    const response = await bench.post(path(payment, '/check'));
    expect([response.status, response.location]).toEqual([303, path(payment)]);
    expect(bench.temporal.asks.map(({ message }) => message)).toEqual([{ kind: 'look' }]);
  });

  it.each(STATES.filter((each) => each !== 'silent'))(
    'does not ask the workflow when %s',
    async (state) => {
      const payment = await bench.put(paymentIn(state));
      const response = await bench.post(path(payment, '/check'));
      expect([response.status, response.location]).toEqual([303, path(payment)]);
      expect(bench.temporal.asks).toEqual([]);
    },
  );
});
