/** What the reference says of each type of event, with the example that the story has of it. */
import type { EventType } from '../../domain/event.ts';
import { API_VERSION } from '../../domain/event.ts';
import { SAMPLE_OBJECTS, SAMPLE_REQUEST_ID } from '../../domain/samples.ts';

/** When it is sent, and what to do then. */
export const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  'payment.completed': 'The payment is paid. Retrieve it, then deliver.',
  'payment.attempt_failed':
    'The bank declined an attempt. The customer may try again: the payment is `created`.',
  'payment.failed': 'The bank declined for good, or for the fifth time. The payment is over.',
  'payment.canceled': 'You or the customer canceled the payment.',
  'payment.expired': 'The lifetime of the payment ended before it was paid.',
  'payment.refunded': 'A refund of the payment completed: its refunded amount has grown.',
  'refund.created': 'A refund was made and its amount reserved; the bank is asked.',
  'refund.completed': 'The bank gave the money back.',
  'refund.failed': 'The bank refused the refund; its amount is refundable again.',
  'refund.canceled': 'The bank called the refund off; its amount is refundable again.',
  'webhook_endpoint.disabled': 'One of your endpoints was disabled; this comes to the others.',
  'webhook_endpoint.ping': 'A test event was asked for.',
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
    data: { object: SAMPLE_OBJECTS[type] },
    request: isAsked ? { id: SAMPLE_REQUEST_ID, idempotency_key: 'order-1001' } : null,
  };
}
