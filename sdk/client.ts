/** The client: one key, one address, and everything a merchant's server can ask. */
import { Currencies } from './currencies.ts';
import { WebhookEndpoints } from './endpoints.ts';
import { Events } from './events.ts';
import { readOptions } from './options.ts';
import type { TollgateOptions } from './options.ts';
import { Payments } from './payments.ts';
import { Refunds } from './refunds.ts';
import { Sandbox } from './sandbox.ts';
import { Transport } from './transport.ts';

/**
 * A client for one API key. Its calls retry by themselves, safely, and throw TollgateApiError when
 * the service said no, TollgateConnectionError when there was no answer, TollgateUsageError when
 * the call makes no sense. One client serves a whole program.
 */
export class Tollgate {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly currencies: Currencies;
  /** Calls that exist in test mode only. */
  readonly test: Sandbox;

  /** Throws TollgateUsageError when the options cannot work; makes no request. */
  constructor(options: TollgateOptions) {
    const transport = new Transport(readOptions(options));
    this.payments = new Payments(transport);
    this.refunds = new Refunds(transport);
    this.events = new Events(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
    this.currencies = new Currencies(transport);
    this.test = new Sandbox(transport);
  }
}
