import { afterEach, describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { makePayment } from '../support/rows/payment.ts';
import { CARD, STATES, openBench, paymentIn } from './harness.ts';
import { forFile } from '../support/file.ts';

const path = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;

const bench = forFile(await openBench('customer'));
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

  it.each(STATES.filter((each) => each !== 'open'))(
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

  it('opens an attempt with the new card after one that was turned back', async () => {
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

  it.each(['at_bank', 'waiting', 'leaving', 'silent'] as const)(
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

  it.each(STATES.filter((each) => each !== 'silent'))('asks nothing when %s', async (situation) => {
    const payment = await bench.put(paymentIn(situation));
    const answer = await bench.post(path(payment, '/check'));
    expect([answer.status, answer.location]).toEqual([303, path(payment)]);
    expect(bench.temporal.asks).toEqual([]);
  });
});
