/** Events, as JSON Schemas: one for each kind of resource they are about. */
import { API_VERSION, EVENT_TYPES } from '../../domain/event.ts';
import type { EventType } from '../../domain/event.ts';
import { idPattern } from '../../domain/id.ts';
import { idOf, livemode, objectName, time } from './part.ts';

/** The schema of the events about each kind of resource. */
const FAMILIES = {
  payment: { schema: 'PaymentEvent', about: 'Payment' },
  refund: { schema: 'RefundEvent', about: 'Refund' },
  webhook_endpoint: { schema: 'WebhookEndpointEvent', about: 'WebhookEndpoint' },
} as const;

type Family = keyof typeof FAMILIES;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const familyOf = (type: EventType): Family => type.slice(0, type.indexOf('.')) as Family;

/** The name of the schema of events of that type. */
export const eventSchemaOf = (type: EventType): string => FAMILIES[familyOf(type)].schema;

function eventOf(family: Family) {
  const { schema, about } = FAMILIES[family];
  return {
    type: 'object',
    title: schema,
    additionalProperties: false,
    required: ['id', 'object', 'type', 'api_version', 'created_at', 'livemode', 'data', 'request'],
    properties: {
      id: { ...idOf('event'), description: 'The same for every delivery of it: go by this.' },
      object: objectName('event'),
      type: { type: 'string', enum: EVENT_TYPES.filter((type) => familyOf(type) === family) },
      api_version: { type: 'string', const: API_VERSION },
      created_at: time('When it happened.'),
      livemode,
      data: {
        type: 'object',
        additionalProperties: false,
        required: ['object'],
        properties: {
          object: refTo(about),
        },
        description: '`object` is the resource as it was at that moment; it may have moved on.',
      },
      request: {
        type: ['object', 'null'],
        description: 'The API request that caused it; null when no request did.',
        additionalProperties: false,
        required: ['id', 'idempotency_key'],
        properties: {
          id: { type: 'string', pattern: idPattern('request') },
          idempotency_key: { type: ['string', 'null'] },
        },
      },
    },
  };
}

export const paymentEvent = eventOf('payment');
export const refundEvent = eventOf('refund');
export const endpointEvent = eventOf('webhook_endpoint');

export const eventObject = {
  title: 'Event',
  description: 'Something happened. Its bytes never change: lists answer what was delivered.',
  oneOf: Object.values(FAMILIES).map(({ schema }) => refTo(schema)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      EVENT_TYPES.map((type) => [type, `#/components/schemas/${eventSchemaOf(type)}`]),
    ),
  },
};
