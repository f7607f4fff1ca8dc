/** What the reference says of each type of event, and an example of it. */
import type { EventType } from '../../domain/event.ts';
import { API_VERSION } from '../../domain/event.ts';
import * as samples from './samples.ts';

interface EventText {
  readonly when: string;
  /** The resource as the event's example has it. */
  readonly object: object;
}

export const EVENT_TEXTS: Readonly<Record<EventType, EventText>> = {
  'payment.completed': {
    when: 'The payment is paid. Retrieve it, then deliver.',
    object: samples.COMPLETED,
  },
  'payment.attempt_failed': {
    when: 'The bank declined an attempt. The customer may try again: the payment is `created`.',
    object: samples.ATTEMPT_FAILED,
  },
  'payment.failed': {
    when: 'The bank declined for good, or for the fifth time. The payment is over.',
    object: samples.FAILED,
  },
  'payment.canceled': {
    when: 'You or the customer canceled the payment.',
    object: samples.CANCELED,
  },
  'payment.expired': {
    when: 'The lifetime of the payment ended before it was paid.',
    object: samples.EXPIRED,
  },
  'payment.refunded': {
    when: 'A refund of the payment completed: its refunded amount has grown.',
    object: samples.PARTLY_REFUNDED,
  },
  'refund.created': {
    when: 'A refund was made and its amount reserved; the bank is asked.',
    object: samples.REFUND,
  },
  'refund.completed': {
    when: 'The bank gave the money back.',
    object: samples.REFUND_COMPLETED,
  },
  'refund.failed': {
    when: 'The bank refused the refund; its amount is refundable again.',
    object: samples.REFUND_FAILED,
  },
  'refund.canceled': {
    when: 'The bank called the refund off; its amount is refundable again.',
    object: samples.REFUND_CANCELED,
  },
  'webhook_endpoint.disabled': {
    when: 'One of your endpoints was disabled; this comes to the others.',
    object: samples.ENDPOINT_DISABLED,
  },
  'webhook_endpoint.ping': {
    when: 'A test event was asked for.',
    object: samples.ENDPOINT,
  },
};

/** The event of that type in the story of the examples. */
export function sampleEvent(type: EventType) {
  const isAsked = type === 'payment.canceled' || type === 'refund.created';
  return {
    id: 'evt_01KAK3Z2T8M1N2P3Q4R5S6T7V8',
    object: 'event',
    type,
    api_version: API_VERSION,
    created_at: '2025-11-21T12:03:17.000Z',
    livemode: false,
    data: { object: EVENT_TEXTS[type].object },
    request: isAsked ? { id: samples.SAMPLE_REQUEST_ID, idempotency_key: 'order-1001' } : null,
  };
}
