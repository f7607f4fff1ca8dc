import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, eventBody, typesOf } from '../../domain/event.ts';
import { at } from './situation.ts';

const PUBLISHED = [
  'payment.completed',
  'payment.attempt_failed',
  'payment.failed',
  'payment.canceled',
  'payment.expired',
  'payment.refunded',
  'refund.created',
  'refund.completed',
  'refund.failed',
  'refund.canceled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.ping',
];

describe('typesOf', () => {
  it.each([
    '',
    '.*',
    '**',
    '*.*',
    'payment',
    'payment*',
    'pay.*',
    'payment.created',
    'payment.processing',
    'Payment.completed',
    'payment.completed ',
    'payment.completed.*',
  ])('returns undefined for "%s"', (selector) => expect(typesOf(selector)).toBeUndefined());

  it.each(EVENT_TYPES)('returns the type itself for its name: %s', (type) => {
    expect(typesOf(type)).toEqual([type]);
  });

  it.each([
    ['payment.*', PUBLISHED.slice(0, 6)],
    ['refund.*', PUBLISHED.slice(6, 10)],
    ['webhook_endpoint.*', PUBLISHED.slice(10)],
    ['*', PUBLISHED],
  ])('returns the whole family for %s', (selector, types) =>
    expect(typesOf(selector)).toEqual(types),
  );
});

describe('EVENT_TYPES', () => {
  it('are the published ones', () => expect(EVENT_TYPES).toEqual(PUBLISHED));
});

describe('eventBody', () => {
  const event = {
    id: 'evt_1',
    type: 'payment.canceled',
    createdAt: at(1),
    livemode: false,
    object: { id: 'pay_1', note: 'ք "quoted"' },
    request: { id: 'req_1', idempotency_key: null },
  } as const;

  it('has the published fields in their order', () => {
    expect(eventBody(event)).toBe(
      '{"id":"evt_1","object":"event","type":"payment.canceled","api_version":"v1",' +
        '"created_at":"2026-01-01T12:01:00.000Z","livemode":false,' +
        '"data":{"object":{"id":"pay_1","note":"ք \\"quoted\\""}},' +
        '"request":{"id":"req_1","idempotency_key":null}}',
    );
  });

  it('has null for an event without a request', () => {
    expect(JSON.parse(eventBody({ ...event, request: null }))).toHaveProperty('request', null);
  });
});
