import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../../domain/money.ts';
import {
  checkoutUrl,
  fillPlaceholders,
  publicCurrencies,
  publicEndpoint,
  publicPayment,
} from '../../domain/wire.ts';
import { makeTransfer } from '../support/rows/payment.ts';
import { at, decidedAttempt, declinedAttempts, paymentAtNoon } from './situation.ts';

const LINKS = { checkoutUrl: 'https://pay.example' };

const PAYMENT_FIELDS =
  'id object status amount currency amount_display amount_refunded amount_refundable order_id ' +
  'description checkout_url return_url cancel_url locale metadata livemode payment_method ' +
  'attempts_count last_attempt failure_code failure_message cancellation created_at updated_at ' +
  'expires_at completed_at failed_at canceled_at expired_at';

const ENDPOINT = {
  _id: 'we_1',
  m: 'mer_1:test',
  url: 'https://shop.example/webhooks',
  description: null,
  enabled_events: ['*'],
  status: 'enabled',
  disabled_reason: null,
  secret: 'the sealed secret',
  secret_hint: 'hB8=',
  created_at: at(0),
  updated_at: at(1),
  failing_since: null,
} as const;

describe('publicPayment', () => {
  it('has the published fields in their order, in every state', () => {
    for (const status of ['created', 'processing', 'completed', 'failed', 'canceled'] as const) {
      const shown = publicPayment(paymentAtNoon({ status }), LINKS);
      expect(Object.keys(shown).join(' ')).toBe(PAYMENT_FIELDS);
    }
  });

  it('hides the tenant, the token and the due time', () => {
    const row = { ...paymentAtNoon(), idem: { k: 'k', request: '{}', response: '{}' } };
    const shown = publicPayment(row, LINKS);
    for (const field of ['m', '_id', 'merchant_id', 'checkout_token', 'open', 'due_at', 'idem']) {
      expect(shown).not.toHaveProperty(field);
    }
  });

  it('has null for missing values', () => {
    const shown = publicPayment(paymentAtNoon({ order_id: null, description: null }), LINKS);
    expect(shown).toMatchObject({
      order_id: null,
      description: null,
      payment_method: null,
      last_attempt: null,
      failure_code: null,
      failure_message: null,
      cancellation: null,
      completed_at: null,
    });
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  });

  it('shows only the public fields of the last attempt', () => {
    const last = decidedAttempt('card_declined', {
      id: 'att_2',
      number: 2,
      status: 'declined',
      failure_code: 'card_declined',
    });
    const shown = publicPayment(paymentAtNoon({ attempts: [...declinedAttempts(1), last] }), LINKS);
    expect(shown.attempts_count).toBe(2);
    expect(shown.payment_method).toEqual({ type: 'card', card: { brand: 'visa', last4: '4242' } });
    expect(Object.entries(shown.last_attempt ?? {})).toEqual([
      ['id', 'att_2'],
      ['status', 'declined'],
      ['failure_code', 'card_declined'],
      ['failure_message', 'The bank declined the card.'],
      ['created_at', '2026-01-01T12:01:00.000Z'],
    ]);
  });

  it('shows a transfer by its reference, without a card', () => {
    const shown = publicPayment(paymentAtNoon({ attempts: [makeTransfer()] }), LINKS);
    const reference = { reference: 'TG-7K3M-9P2A' };
    expect(shown.payment_method).toEqual({ type: 'bank_transfer', bank_transfer: reference });
  });

  it.each([
    ['created', 0],
    ['processing', 0],
    ['completed', 12_000],
    ['failed', 0],
    ['canceled', 0],
    ['expired', 0],
  ] as const)('has the refundable amount of a %s payment: %i', (status, refundable) => {
    const payment = paymentAtNoon({ status, amount_refunded: 500 });
    expect(publicPayment(payment, LINKS).amount_refundable).toBe(refundable);
  });

  it('explains the failure of a failed payment', () => {
    const payment = paymentAtNoon({ status: 'failed', failure_code: 'suspected_fraud' });
    const shown = publicPayment(payment, LINKS);
    expect(shown.failure_message).toBe('The bank suspects fraud.');
    expect(shown.failed_at).toBe('2026-01-01T12:00:00.000Z');
  });
});

describe('checkoutUrl', () => {
  it('is built from the configured address', () => {
    expect(checkoutUrl({ checkout_token: 'abc' }, LINKS)).toBe('https://pay.example/c/abc');
  });
});

describe('fillPlaceholders', () => {
  const payment = { _id: 'pay_1', order_id: 'A 1/ü&x=#', status: 'completed' } as const;
  const value = 'A%201%2F%C3%BC%26x%3D%23';

  it.each([
    ['an unknown name', 'https://a.example/{AMOUNT}'],
    ['a name in lower case', 'https://a.example/{status}%7Bstatus%7D'],
    ['a brace that is not closed', 'https://a.example/{STATUS'],
    ['a URL without placeholders', 'https://a.example/?q=STATUS'],
  ])('does not change %s', (_, url) => expect(fillPlaceholders(url, payment)).toBe(url));

  it.each([
    ['in the query', 'https://a.example/?p={PAYMENT_ID}&s={STATUS}', '?p=pay_1&s=completed'],
    ['twice', 'https://a.example/?{STATUS}{STATUS}', '?completedcompleted'],
    ['in the path', new URL('https://a.example/{STATUS}/x').href, 'completed/x'],
    ['in the fragment', new URL('https://a.example/#{STATUS}').href, '#completed'],
    ['encoded in lower case', 'https://a.example/%7bSTATUS%7d', 'completed'],
    ['with an unsafe value', 'https://a.example/?o={ORDER_ID}', `?o=${value}`],
    ['with an unsafe value in the path', 'https://a.example/%7BORDER_ID%7D', value],
  ])('replaces them %s', (_, url, filled) => {
    expect(fillPlaceholders(url, payment)).toBe(`https://a.example/${filled}`);
  });

  it('encodes an order id reversibly', () => {
    const url = new URL(fillPlaceholders('https://a.example/?o={ORDER_ID}', payment));
    expect(url.searchParams.get('o')).toBe(payment.order_id);
  });

  it('replaces a missing order id with an empty text', () => {
    const url = 'https://a.example/?o={ORDER_ID}';
    expect(fillPlaceholders(url, { ...payment, order_id: null })).toBe('https://a.example/?o=');
  });

  it('does not replace placeholders in values', () => {
    const tricky = { ...payment, order_id: '{STATUS}%7BSTATUS%7D' };
    const filled = fillPlaceholders('https://a.example/?o={ORDER_ID}', tricky);
    expect(new URL(filled).searchParams.get('o')).toBe(tricky.order_id);
  });
});

describe('publicEndpoint', () => {
  it('has the published fields in their order, without the secret', () => {
    const shown = publicEndpoint({ ...ENDPOINT, enabled_events: ['*'] }, at(2));
    expect(JSON.stringify(shown)).toBe(
      '{"id":"we_1","object":"webhook_endpoint","url":"https://shop.example/webhooks",' +
        '"description":null,"enabled_events":["*"],"status":"enabled","disabled_reason":null,' +
        '"livemode":false,"secret_hint":"hB8=","created_at":"2026-01-01T12:00:00.000Z",' +
        '"updated_at":"2026-01-01T12:01:00.000Z","health":' +
        '{"last_success_at":"2026-01-01T12:02:00.000Z","failing_since":null}}',
    );
  });

  it('shows its mode', () => {
    const live = { ...ENDPOINT, enabled_events: ['*'], m: 'mer_1:live' };
    expect(publicEndpoint(live, null)).toMatchObject({
      livemode: true,
      health: { last_success_at: null },
    });
  });
});

describe('publicCurrencies', () => {
  it('lists the table of currencies', () => {
    expect(publicCurrencies()).toHaveLength(CURRENCIES.length);
    expect(JSON.stringify(publicCurrencies()[0])).toBe(
      '{"id":"AMD","object":"currency","code":"AMD","decimals":0,"min_amount":10}',
    );
  });
});
