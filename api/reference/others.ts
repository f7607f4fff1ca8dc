/** The reference of the calls that only read: events, webhook endpoints, currencies. */
import * as samples from '../../domain/samples.ts';
import { ENDPOINT_LIST } from '../endpoints.ts';
import { EVENT_LIST } from '../events.ts';
import { listSample, pageOf } from './operation.ts';
import type { Operation } from './operation.ts';
import { sampleEvent } from './webhooks.ts';

export const OTHER_OPERATIONS = {
  listEvents: {
    tag: 'Events',
    summary: 'List events',
    description:
      'Your events, newest first, each in the same bytes that were delivered. `type` and `payment_id` can be combined. `payment.*` means all types that begin with `payment.`. Use this list to find events after your receiver may have missed webhooks.',
    list: EVENT_LIST,
    success: pageOf(EVENT_LIST, {
      schema: 'Event',
      names: 'events',
      sample: sampleEvent('payment.completed'),
    }),
  },
  retrieveEvent: {
    tag: 'Events',
    summary: 'Retrieve an event',
    description: 'The event, in the same bytes that were delivered.',
    id: 'event',
    success: {
      status: 200,
      description: 'The event.',
      schema: 'Event',
      examples: {
        completed: { summary: 'A payment is paid', value: sampleEvent('payment.completed') },
      },
    },
  },
  listWebhookEndpoints: {
    tag: 'Webhook endpoints',
    summary: 'List webhook endpoints',
    description: 'Your receivers and their health, newest first. Never includes secrets.',
    list: ENDPOINT_LIST,
    success: pageOf(ENDPOINT_LIST, {
      schema: 'WebhookEndpoint',
      names: 'webhook endpoints',
      sample: samples.ENDPOINT,
    }),
  },
  retrieveWebhookEndpoint: {
    tag: 'Webhook endpoints',
    summary: 'Retrieve a webhook endpoint',
    description: 'The receiver and its health. Never includes the secret.',
    id: 'endpoint',
    success: {
      status: 200,
      description: 'The webhook endpoint.',
      schema: 'WebhookEndpoint',
      examples: {
        enabled: { summary: 'A working endpoint', value: samples.ENDPOINT },
        disabled: {
          summary: 'Disabled after 5 days of failures',
          value: samples.ENDPOINT_DISABLED,
        },
      },
    },
  },
  listCurrencies: {
    tag: 'Currencies',
    summary: 'List currencies',
    description:
      'All currencies on one page, each with its number of decimals and its smallest amount. Amounts are in the smallest unit of the currency. For AMD and JPY that is the whole dram or yen.',
    success: {
      status: 200,
      description: 'All currencies.',
      schema: 'CurrencyList',
      examples: {
        all: {
          summary: 'The first currency',
          value: listSample('/v1/currencies', [samples.CURRENCY]),
        },
      },
    },
  },
} as const satisfies Record<string, Operation>;
