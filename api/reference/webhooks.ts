/** The requests that Tollgate sends to a merchant's receivers, one entry for each type of event. */
import { API_VERSION, EVENT_TYPES } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import { SAMPLE_OBJECTS, SAMPLE_REQUEST_ID } from '../../domain/samples.ts';
import { eventSchemaOf } from '../objects/event.ts';
import { refTo } from '../objects/part.ts';

/** When each event is sent, and what to do then. */
const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  'payment.completed': 'The payment is paid. Retrieve it, then deliver.',
  'payment.attempt_failed':
    'The bank declined an attempt. The customer may try again: the payment is `created`.',
  'payment.failed': 'The bank declined for good, or for the fifth time. The payment is over.',
  'payment.canceled': 'You or the customer canceled the payment.',
  'payment.expired': 'The lifetime of the payment ended before it was paid.',
  'payment.refunded': 'A refund completed: the refunded amount of the payment has grown.',
  'refund.created': 'A refund was created. Its amount is reserved while the bank decides.',
  'refund.completed': 'The bank returned the money.',
  'refund.failed': 'The bank refused the refund. Its amount is refundable again.',
  'refund.canceled': 'The bank canceled the refund. Its amount is refundable again.',
  'webhook_endpoint.disabled':
    'One of your endpoints was disabled. Your other endpoints get this event.',
  'webhook_endpoint.ping': 'Someone sent a test event.',
};

/** Returns an example of an event of that type. */
export function sampleEvent(type: EventType) {
  const isRequested = type === 'payment.canceled' || type === 'refund.created';
  return {
    id: 'evt_01KAK3Z2T8M1N2P3Q4R5S6T7V8',
    object: 'event',
    type,
    api_version: API_VERSION,
    created_at: '2025-11-21T12:03:17.000Z',
    livemode: false,
    data: { object: SAMPLE_OBJECTS[type] },
    request: isRequested ? { id: SAMPLE_REQUEST_ID, idempotency_key: 'order-1001' } : null,
  };
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const SIGNATURE = '4de2498251bbe03504a34fe05806237886caa7adc14a8dafdeb35ec1de07cc52';

/** The headers of every attempt. */
export const WEBHOOK_HEADERS = {
  ServiceTimestamp: header(
    'Service-Timestamp',
    'The time of this attempt in Unix seconds. Refuse it if it differs from your clock by more than 300 s.',
    '1767225600',
  ),
  ServiceSignature: header(
    'Service-Signature',
    '`v1=` and the hex HMAC-SHA256 of `<Service-Timestamp>.<raw body>`, keyed with the whole text of the secret (`whsec_...`). While a secret is being rotated, there is one signature for each valid secret (two or three), separated by commas.',
    `v1=${SIGNATURE}`,
  ),
  WebhookId: header(
    'webhook-id',
    'Standard Webhooks: the id of the event.',
    'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Standard Webhooks: the same as Service-Timestamp.',
    '1767225600',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the decoded base64 part of the secret. Several signatures are separated by spaces.',
    'v1,jkAjcECu1C+X4VJ3KA/N2THsJHubSuNSSDltXoEXU78=',
  ),
  ServiceDelivery: header(
    'Service-Delivery',
    'The id of the delivery: the same for all its attempts.',
    'dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
  ServiceAttempt: header('Service-Attempt', 'The number of the attempt, from 1.', '1'),
};

const RESPONSES = {
  '200': {
    description: 'Accepted, like any 2xx. Respond within 15 s, and do the work afterwards.',
  },
  '410': { description: 'The receiver is gone: the endpoint is disabled.' },
  default: {
    description:
      'Any other response, redirects included, is retried: 12 attempts over three days, later if `Retry-After` asks for it.',
  },
};

const webhookOf = (type: EventType) => ({
  post: {
    summary: EVENT_TEXTS[type],
    description:
      'The body is the event. Verify the signature over the raw bytes before you parse them. Events may come twice and in any order, so detect repeats by `id`, and retrieve the resource.',
    tags: ['Events'],
    // A receiver authenticates by the signature.
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refTo(eventSchemaOf(type)),
          examples: { event: { summary: type, value: sampleEvent(type) } },
        },
      },
    },
    responses: RESPONSES,
  },
});

export const WEBHOOKS = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type)]));
