/** The webhook endpoint as its merchant sees it, as a JSON Schema. */
import { idOf, livemode, nullableTime, objectName, time } from './part.ts';

export const endpointObject = {
  type: 'object',
  title: 'WebhookEndpoint',
  description:
    'A receiver of your events. It is registered by whoever runs the service; its secret is shown once, then.',
  additionalProperties: false,
  required: [
    'id',
    'object',
    'url',
    'description',
    'enabled_events',
    'status',
    'disabled_reason',
    'livemode',
    'secret_hint',
    'created_at',
    'updated_at',
    'health',
  ],
  properties: {
    id: idOf('endpoint'),
    object: objectName('webhook_endpoint'),
    url: { type: 'string', description: 'Where events are POSTed to.' },
    description: { type: ['string', 'null'] },
    enabled_events: {
      type: 'array',
      items: { type: 'string' },
      description: 'Event types, families such as `payment.*`, or `*` for everything.',
    },
    status: {
      type: 'string',
      enum: ['enabled', 'disabled', 'deleted'],
      description: 'Only an `enabled` endpoint is sent anything. Lists leave out deleted ones.',
    },
    disabled_reason: {
      type: ['string', 'null'],
      enum: ['gone', 'failing', 'merchant', null],
      description:
        '`gone`: it answered 410. `failing`: nothing but failures for 5 days. `merchant`: you did.',
    },
    livemode,
    secret_hint: { type: 'string', description: 'The last characters of its signing secret.' },
    created_at: time('When it was registered.'),
    updated_at: time('When it last changed.'),
    health: {
      type: 'object',
      additionalProperties: false,
      required: ['last_success_at', 'failing_since'],
      properties: {
        last_success_at: nullableTime(
          'When a delivery last succeeded, of those whose record is still kept.',
        ),
        failing_since: nullableTime('Since when deliveries fail; null while they succeed.'),
      },
    },
  },
} as const;
