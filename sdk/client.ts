/** The client of one merchant's API key. */
import { Currencies } from './currencies.ts';
import { Events, WebhookEndpoints } from './events.ts';
import { readOptions } from './options.ts';
import type { TollgateOptions } from './options.ts';
import { Payments } from './payments.ts';
import { Refunds } from './refunds.ts';
import { Sandbox } from './sandbox.ts';
import { Transport } from './transport.ts';

/**
 * A client for one API key. Create one for the whole program. Its calls retry safely. They throw
 * TollgateApiError for an error response, TollgateConnectionError without a usable response, and
 * TollgateUsageError for a mistake in the call.
 */
export class Tollgate {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly currencies: Currencies;
  /** Calls that exist in test mode only. */
  readonly test: Sandbox;

  /** Throws TollgateUsageError if an option is not usable. Sends no request. */
  constructor(options: TollgateOptions) {
    const transport = new Transport(readOptions(options));
    this.payments = new Payments(transport, '/v1/payments', 'payment');
    this.refunds = new Refunds(transport, '/v1/refunds', 'refund');
    this.events = new Events(transport, '/v1/events', 'event');
    const endpoint = ['/v1/webhook-endpoints', 'webhook_endpoint'] as const;
    this.webhookEndpoints = new WebhookEndpoints(transport, ...endpoint);
    this.currencies = new Currencies(transport);
    this.test = new Sandbox(transport);
  }
}
