/** The requests that Tollgate sends to a merchant's receivers, one entry for each type of event. */
import { EVENT_TYPES } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import { eventSchemaOf } from '../objects/event.ts';
import { EVENT_TEXTS, sampleEvent } from './events.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const SIGNATURE = '4de2498251bbe03504a34fe05806237886caa7adc14a8dafdeb35ec1de07cc52';

/** On every attempt, fresh. */
export const WEBHOOK_HEADERS = {
  ServiceTimestamp: header(
    'Service-Timestamp',
    'Unix seconds of this attempt. Refuse what is more than 300 s away from your clock.',
    '1767225600',
  ),
  ServiceSignature: header(
    'Service-Signature',
    '`v1=` and the hex HMAC-SHA256 of `<Service-Timestamp>.<raw body>`, keyed with the whole text of the secret (`whsec_...`). While a secret is being rotated there is one for each that is still valid, two or three, with commas between them.',
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
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the decoded base64 part of the secret; with spaces between them when there are several.',
    'v1,jkAjcECu1C+X4VJ3KA/N2THsJHubSuNSSDltXoEXU78=',
  ),
  ServiceDelivery: header(
    'Service-Delivery',
    'The id of the delivery: the same for all its attempts.',
    'dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
  ServiceAttempt: header('Service-Attempt', 'The number of the attempt, from 1.', '1'),
};

const ANSWERS = {
  '200': { description: 'Taken. Any 2xx says so; answer within 15 s, and work afterwards.' },
  '410': { description: 'Nobody lives here any more: the endpoint is disabled.' },
  default: {
    description:
      'Anything else, redirects too, is tried again: 12 attempts over three days, later if `Retry-After` asks for it.',
  },
};

function webhookOf(type: EventType) {
  return {
    post: {
      summary: EVENT_TEXTS[type],
      description:
        'The body is the event. Verify the signature over the raw bytes before you parse them. The same event may come twice and in any order: go by its `id`, and retrieve the resource.',
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
            schema: { $ref: `#/components/schemas/${eventSchemaOf(type)}` },
            examples: { event: { summary: type, value: sampleEvent(type) } },
          },
        },
      },
      responses: ANSWERS,
    },
  };
}

export const WEBHOOKS = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type)]));
