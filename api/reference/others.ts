/** The reference of the calls that read: events, webhook endpoints, currencies. */
import { ENDPOINT_LIST } from '../endpoints.ts';
import { EVENT_LIST } from '../events.ts';
import { sampleEvent } from './events.ts';
import type { Operation } from './operation.ts';
import { listSample } from './payments.ts';
import * as samples from '../../domain/samples.ts';

export const EVENT_OPERATIONS = {
  listEvents: {
    tag: 'Events',
    summary: 'List events',
    description:
      'What happened, newest first: each event as the very bytes that were delivered. At most one of `type` and `payment_id` at a time; `payment.*` means all types that begin so. Readers that may have missed webhooks come back here.',
    list: EVENT_LIST,
    answer: {
      status: 200,
      description: 'A page of events.',
      schema: 'EventList',
      examples: {
        page: {
          summary: 'The only page',
          value: listSample('/v1/events', [sampleEvent('payment.completed')]),
        },
      },
      links: [
        {
          operationId: 'retrieveEvent',
          description: 'One of the events.',
          name: 'event_id',
          from: '$response.body#/data/0/id',
        },
      ],
    },
    refusals: ['limit_out_of_range', 'cursor_invalid'],
  },
  retrieveEvent: {
    tag: 'Events',
    summary: 'Retrieve an event',
    description: 'The event, as the very bytes that were delivered.',
    id: 'event',
    answer: {
      status: 200,
      description: 'The event.',
      schema: 'Event',
      examples: {
        completed: { summary: 'A payment is paid', value: sampleEvent('payment.completed') },
      },
    },
    refusals: ['resource_missing', 'route_missing'],
  },
} as const satisfies Record<string, Operation>;

export const ENDPOINT_OPERATIONS = {
  listWebhookEndpoints: {
    tag: 'Webhook endpoints',
    summary: 'List webhook endpoints',
    description: 'Your receivers, newest first, with how they are doing; never their secrets.',
    list: ENDPOINT_LIST,
    answer: {
      status: 200,
      description: 'A page of webhook endpoints.',
      schema: 'WebhookEndpointList',
      examples: {
        page: {
          summary: 'The only page',
          value: listSample('/v1/webhook-endpoints', [samples.ENDPOINT]),
        },
      },
      links: [
        {
          operationId: 'retrieveWebhookEndpoint',
          description: 'One of the endpoints.',
          name: 'webhook_endpoint_id',
          from: '$response.body#/data/0/id',
        },
      ],
    },
    refusals: ['limit_out_of_range', 'cursor_invalid'],
  },
  retrieveWebhookEndpoint: {
    tag: 'Webhook endpoints',
    summary: 'Retrieve a webhook endpoint',
    description: 'The receiver and how it is doing; never its secret.',
    id: 'endpoint',
    answer: {
      status: 200,
      description: 'The webhook endpoint.',
      schema: 'WebhookEndpoint',
      examples: {
        enabled: { summary: 'One that works', value: samples.ENDPOINT },
        disabled: { summary: 'One that failed for 5 days', value: samples.ENDPOINT_DISABLED },
      },
    },
    refusals: ['resource_missing', 'route_missing'],
  },
} as const satisfies Record<string, Operation>;

export const CURRENCY_OPERATIONS = {
  listCurrencies: {
    tag: 'Currencies',
    summary: 'List currencies',
    description:
      'All of them on one page, each with its number of decimals and its smallest amount. The unit of an amount is the smallest one there is: for AMD and JPY the whole dram or yen.',
    answer: {
      status: 200,
      description: 'All currencies.',
      schema: 'CurrencyList',
      examples: {
        all: {
          summary: 'The first of them',
          value: listSample('/v1/currencies', [samples.CURRENCY]),
        },
      },
    },
    refusals: [],
  },
} as const satisfies Record<string, Operation>;
