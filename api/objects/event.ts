/** The schemas of events: one for each kind of resource. */
import { API_VERSION, EVENT_TYPES } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import { idPattern } from '../../domain/id.ts';
import { exactly, idOf, livemode, objectName, refTo, time } from './part.ts';

/** The names of the schemas, by the beginning of the event type. */
const FAMILIES = {
  payment: { schema: 'PaymentEvent', about: 'Payment' },
  refund: { schema: 'RefundEvent', about: 'Refund' },
  webhook_endpoint: { schema: 'WebhookEndpointEvent', about: 'WebhookEndpoint' },
} as const;

type Family = keyof typeof FAMILIES;

const familyOf = (type: EventType): Family => type.slice(0, type.indexOf('.')) as Family;

/** Returns the name of the schema of events of that type. */
export const eventSchemaOf = (type: EventType): string => FAMILIES[familyOf(type)].schema;

function eventOf(family: Family) {
  const { schema, about } = FAMILIES[family];
  return {
    type: 'object',
    title: schema,
    ...exactly({
      id: {
        ...idOf('event'),
        description: 'The same for every delivery of the event. Use it to detect repeats.',
      },
      object: objectName('event'),
      type: { type: 'string', enum: EVENT_TYPES.filter((type) => familyOf(type) === family) },
      api_version: { type: 'string', const: API_VERSION },
      created_at: time('When it happened.'),
      livemode,
      data: {
        type: 'object',
        ...exactly({ object: refTo(about) }),
        description: '`object` is the resource at that moment. It may have changed since.',
      },
      request: {
        type: ['object', 'null'],
        description: 'The API request that caused it; null if no request did.',
        ...exactly({
          id: { type: 'string', pattern: idPattern('request') },
          idempotency_key: { type: ['string', 'null'] },
        }),
      },
    }),
  };
}

export const paymentEvent = eventOf('payment');
export const refundEvent = eventOf('refund');
export const endpointEvent = eventOf('webhook_endpoint');

export const eventObject = {
  title: 'Event',
  description:
    'Something that happened. Its bytes never change: lists return the bytes that were delivered.',
  oneOf: Object.values(FAMILIES).map(({ schema }) => refTo(schema)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      EVENT_TYPES.map((type) => [type, `#/components/schemas/${eventSchemaOf(type)}`]),
    ),
  },
};
