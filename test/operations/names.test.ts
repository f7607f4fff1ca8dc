import { describe, expect, it } from 'vitest';
import { EVENT_SELECTORS } from '../../domain/event.ts';
import { nearest, shownName, suggestion } from '../../operations/names.ts';

const FIELDS = ['amount', 'currency', 'return_url', 'order_id', 'cancel_url', 'metadata'];

describe('nearest', () => {
  it.each([
    ['orderId', 'order_id'],
    ['Order-ID', 'order_id'],
    ['orderid', 'order_id'],
    ['retrun_url', 'return_url'],
    ['retunrUrl', 'return_url'],
    ['curency', 'currency'],
    ['ammount', 'amount'],
    ['order', 'order_id'],
    ['meta', 'metadata'],
    ['amount_cents', 'amount'],
    ['metadata[color]', 'metadata'],
  ])('of %s is %s', (given, name) => {
    expect(nearest(given, FIELDS)).toBe(name);
  });

  it.each([
    ['payment.complete', 'payment.completed'],
    ['payment_completed', 'payment.completed'],
    ['PaymentRefunded', 'payment.refunded'],
    ['payment', 'payment.*'],
  ])('of the event %s is %s', (given, name) => {
    expect(nearest(given, EVENT_SELECTORS)).toBe(name);
  });

  it.each(['', '_', '*', 'url', 'cur', 'colour', 'reason', 'status', 'toString', '__proto__'])(
    'of %j is none',
    (given) => {
      expect(nearest(given, FIELDS)).toBeUndefined();
    },
  );

  it('is none for a beginning that several names share, and for a long text', () => {
    expect(nearest('payment.c', ['payment.created', 'payment.canceled'])).toBeUndefined();
    expect(nearest(`amount${' '.repeat(40)}`, FIELDS)).toBeUndefined();
  });
});

describe('suggestion', () => {
  it('is a question after a space, and empty without a near name', () => {
    expect(suggestion('amd', ['USD', 'AMD'])).toBe(' Did you mean AMD?');
    expect(suggestion('xyz', ['USD', 'AMD'])).toBe('');
    expect(suggestion(51, ['USD', 'AMD'])).toBe('');
  });
});

describe('shownName', () => {
  it.each(['4242424242424242', 'card_4242 4242 4242 4242', 'sk_test_abc', 'my-whsec_abc'])(
    'hides %s',
    (name) => {
      expect(shownName(name)).toBeUndefined();
    },
  );

  it('shows other names, shortened', () => {
    expect(shownName('task_id')).toBe('task_id');
    expect(shownName('k'.repeat(100))).toBe('k'.repeat(64));
  });
});
