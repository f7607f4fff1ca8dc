/** The schema of a webhook endpoint. */
import { exactly, idOf, livemode, nullableTime, objectName, time } from './part.ts';

export const endpointObject = {
  type: 'object',
  title: 'WebhookEndpoint',
  description:
    'A receiver of your events. The operator of the service registers it. Its secret is shown only then.',
  ...exactly({
    id: idOf('endpoint'),
    object: objectName('webhook_endpoint'),
    url: { type: 'string', description: 'The URL that events are sent to by POST.' },
    description: { type: ['string', 'null'] },
    enabled_events: {
      type: 'array',
      items: { type: 'string' },
      description: 'Event types, families such as `payment.*`, or `*` for everything.',
    },
    status: {
      type: 'string',
      enum: ['enabled', 'disabled', 'deleted'],
      description: 'Events are sent only while it is `enabled`. Lists leave out deleted endpoints.',
    },
    disabled_reason: {
      type: ['string', 'null'],
      enum: ['gone', 'failing', 'merchant', null],
      description:
        '`gone`: it responded with 410. `failing`: every delivery failed for 5 days. `merchant`: you disabled it.',
    },
    livemode,
    secret_hint: { type: 'string', description: 'The last characters of its signing secret.' },
    created_at: time('When it was registered.'),
    updated_at: time('When it last changed.'),
    health: {
      type: 'object',
      ...exactly({
        last_success_at: nullableTime(
          'When a delivery last succeeded. Only deliveries whose records still exist count.',
        ),
        failing_since: nullableTime('When deliveries began to fail; null while they succeed.'),
      }),
    },
  }),
} as const;
