import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { CURRENCIES, MAX_AMOUNT, displayAmount, localAmount } from '../../domain/money.ts';
import {
  MAX_ORDER_TERMS,
  MAX_SEARCHED_PAIRS,
  matchesReading,
  readCheckoutToken,
  readId,
  readSearch,
  searchTerms,
} from '../../domain/search.ts';
import type { Payment } from '../../domain/payment.ts';
import { mintId, mintToken } from '../../store/mint.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';

/** Returns true if a reading of the text has a term of the payment, and matches it. */
function isFound(payment: Payment, text: string): boolean {
  const terms = searchTerms(payment);
  return readSearch(text).some((reading) => {
    if (reading.kind === 'order') return reading.orderId === payment.order_id;
    return terms.includes(reading.term) && matchesReading(reading, payment);
  });
}

const usd = makePayment({
  amount: 12_500,
  currency: 'USD',
  order_id: 'order-1',
  metadata: {
    Basket: 'B-77',
    note: 'two  words',
    empty: '',
    link: 'https://a.example:8/?b=c d',
    city: 'Գյումրի',
  },
  attempts: [
    makeAttempt({ card: { brand: 'visa', last4: '4242' } }),
    makeAttempt({ card: { brand: 'visa', last4: '0002' } }),
  ],
});
const ofOrder = (order_id: string | null): Payment =>
  makePayment({ order_id, amount: 1, attempts: [], metadata: {} });
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const UUID_TERM = '*550e8400e29b41d4a716446655440000';
const amd = makePayment({ amount: 12_500, currency: 'AMD', order_id: '4242' });

describe('readSearch', () => {
  it.each([
    '125',
    '125.00',
    '125,00',
    '125.00 USD',
    'usd 125',
    '$125.00',
    '125 $',
    '4242',
    '0002',
    '•••• 4242',
    'basket:b-77',
    'Basket: B-77',
    'note:two words',
    'empty:',
    ' order-1 ',
    '#order-1',
    '№ order-1',
    'ORDER-1',
    'order',
    '１２５．００',
    '＄125',
    '4242 4242 4242 4242',
    'link:https://a.example:8/?b=c d',
    'city:ԳՅՈՒՄՐԻ',
  ])('finds a payment of 125.00 USD by %j', (text) => {
    expect(isFound(usd, text)).toBe(true);
  });

  it.each([
    '12500',
    '125 EUR',
    '€125',
    '125.01',
    '242',
    '4243',
    '4242 4242 4242 4243',
    'basket:b-7',
    'basket',
    'rder-1',
    '{"$gt":""}',
    '\u0000',
    '',
  ])('does not find it by %j', (text) => {
    expect(isFound(usd, text)).toBe(false);
  });

  it.each([
    '12500',
    '12 500',
    '12,500',
    '12\u202f500 ֏',
    '12500֏',
    '֏ 12500',
    '12.500',
    '12500 amd',
    '12,500.00',
    ' 12500.0 ',
    '4242',
  ])('finds a payment of 12,500 AMD by %j', (text) => {
    expect(isFound(amd, text)).toBe(true);
  });

  it.each([
    ['order-1042', '1042'],
    ['order-1042', ' #1042 '],
    ['order-1042', '１０４２'],
    ['ORD1042', '1042'],
    ['ORD1042', 'ord-1042'],
    ['ord-1042', 'ORD1042'],
    ['INV-2024-001042', '001042'],
    ['INV-2024-001042', '2024-001042'],
    ['INV-2024-001042', 'inv 2024'],
    ['shop:1042', 'SHOP:1042'],
    ['x-ab12-y', 'AB12'],
    ['x-ab12-y', '12'],
    ['Պատվեր 1042', 'ՊԱՏՎԵՐ-1042'],
    [UUID, '446655440000'],
    [UUID, UUID_TERM.slice(1).toUpperCase()],
    ['a'.repeat(100), 'A'.repeat(100)],
  ])('finds the order %j by %j', (order_id, text) => {
    expect(isFound(ofOrder(order_id), text)).toBe(true);
  });

  it.each([
    ['order-1042', '104'],
    ['order-1042', 'orders 1042'],
    ['order-1042', '042'],
    ['order-1042', '10 42'],
    ['order-1042', '1042-order'],
    ['order-1042', '•••• 1042'],
    ['order-12500', '125.00'],
    ['order-4242', '4242 4242 4242 4242'],
    ['INV-2024-001042', 'inv-001042'],
    ['shop-1-1042', '11-042'],
    ['a'.repeat(100), 'A'.repeat(99)],
    ['', '-'],
  ])('does not find the order %j by %j', (order_id, text) => {
    expect(isFound(ofOrder(order_id), text)).toBe(false);
  });

  it('finds every amount as pages write it, in all languages', () => {
    const codes = fc.constantFrom(...CURRENCIES.map(({ code }) => code));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), codes, (amount, currency) => {
        const payment = makePayment({ amount, currency });
        const texts = ['en', 'hy', 'ru'].map((locale) => localAmount(amount, currency, locale));
        for (const text of [...texts, displayAmount(amount, currency)]) {
          expect([text, isFound(payment, text)]).toEqual([text, true]);
        }
      }),
    );
  });

  it('compares long values to the end', () => {
    const value = 'x'.repeat(200);
    const payment = makePayment({ metadata: { ref: `${value}1` } });
    expect(isFound(payment, `ref:${value}1`)).toBe(true);
    expect(isFound(payment, `ref:${value}2`)).toBe(false);
  });

  it('reads any text as an order id, and needs little time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 541 }), (text) => {
        const readings = readSearch(text);
        expect(readings[0]).toEqual({ kind: 'order', orderId: text.trim() });
        expect(readings.length).toBeLessThanOrEqual(3);
      }),
    );
    const start = performance.now();
    readSearch(`1${' '.repeat(540)}!`);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('searchTerms', () => {
  it.each([
    [null, []],
    ['1042', ['*1042']],
    ['--', []],
    ['order-1042', ['*order1042', '*order', '*1042']],
    ['INV-2024-001042', ['*inv2024001042', '*001042', '*2024', '*inv']],
    ['ab12/x', ['*ab12x', '*ab12', '*12', '*ab']],
    [UUID, [UUID_TERM, '*446655440000', '*550e8400', '*8400', '*a716', '*41d4']],
  ])('has the order id %j and its longest parts', (order_id, expected) => {
    expect(searchTerms(ofOrder(order_id)).slice(1)).toEqual(expected);
  });

  it('has six terms of an order id at most, each of 80 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 255 }), (order_id) => {
        const terms = searchTerms(ofOrder(order_id)).slice(1);
        expect(terms.length).toBeLessThanOrEqual(MAX_ORDER_TERMS);
        expect(terms.every((term) => Array.from(term).length <= 80)).toBe(true);
      }),
    );
  });

  it('has the amount, each card once, and a bounded number of pairs', () => {
    const pairs = Array.from({ length: 50 }, (_, n) => [`key${n}`, 'v'.repeat(500)]);
    const card = { brand: 'visa', last4: '4242' };
    const attempts = [makeAttempt({ card }), makeAttempt({ card })];
    const payment = makePayment({ attempts, metadata: Object.fromEntries(pairs) });
    const terms = searchTerms(payment);
    expect(terms.slice(0, 2)).toEqual(['=12500', '*4242']);
    // Three are of the order id.
    expect(terms).toHaveLength(2 + 2 + MAX_SEARCHED_PAIRS);
    expect(Math.max(...terms.map(({ length }) => length))).toBe(80);
  });
});

describe('readId', () => {
  it('reads an id of that kind in any case, and nothing else', () => {
    const id = mintId('payment');
    expect(readId('payment', ` ${id.toLowerCase()} `)).toBe(id);
    for (const other of [mintId('refund'), `${id}X`, `${id}_1`, 'pay_1', '']) {
      expect(readId('payment', other)).toBeUndefined();
    }
    for (const rest of ['', '/refund', '?done=1', '#ref_1']) {
      const address = `https://dashboard.example/payments/${id}${rest}`;
      expect([address, readId('payment', address)]).toEqual([address, id]);
      expect(readId('refund', address)).toBeUndefined();
    }
    for (const other of [`ref:${id}`, `https://a.example/?q=${id}`, `https://${id}`]) {
      expect(readId('payment', other)).toBeUndefined();
    }
    const refund = mintId('refund');
    expect(readId('refund', refund.toUpperCase())).toBe(refund);
  });
});

describe('readCheckoutToken', () => {
  it('reads the token of the address that a customer sends', () => {
    const token = mintToken();
    for (const end of ['', '/', '?lang=hy', '#top', '.']) {
      expect(readCheckoutToken(`https://pay.example/c/${token}${end}`)).toBe(token);
    }
    for (const other of [token, `https://pay.example/c/${token}x`, 'https://pay.example/c/x']) {
      expect(readCheckoutToken(other)).toBeUndefined();
    }
  });
});
