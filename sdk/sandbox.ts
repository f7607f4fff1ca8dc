/** Test mode: decides in place of the customer and the bank. */
import type { Payment, TestAdvance, TestOutcome } from './objects.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

export class Sandbox {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Pays the payment with this outcome at the sandbox bank; `expire` ends its lifetime. Returns the
   * payment with its outcome, or still `processing` if the outcome is delayed. Needs a test key.
   */
  async outcome(
    paymentId: string,
    outcome: TestOutcome,
    options?: RequestOptions,
  ): Promise<Payment> {
    const path = `/v1/test/payments/${pathOf(paymentId)}/outcome`;
    const call = { method: 'POST', path, body: { outcome }, expects: 'payment' } as const;
    return this.#transport.send(call, options);
  }

  /**
   * Makes the next step of the payment due now: its expiry, the bank's answer, or the next attempt
   * of its webhooks. Returns the payment after the step. Needs a test key.
   */
  async advance(paymentId: string, to: TestAdvance, options?: RequestOptions): Promise<Payment> {
    const path = `/v1/test/payments/${pathOf(paymentId)}/advance`;
    const call = { method: 'POST', path, body: { to }, expects: 'payment' } as const;
    return this.#transport.send(call, options);
  }
}
