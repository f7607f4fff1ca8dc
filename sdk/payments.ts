/** Payments: made by the merchant's server, paid by the customer, believed after retrieving. */
import { List } from './list.ts';
import type { ListParams } from './list.ts';
import type { Payment, PaymentCancel, PaymentCreate, PaymentStatus } from './objects.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import { reconcile } from './reconcile.ts';
import type { Ids, Reconciled, ReconcileOptions } from './reconcile.ts';
import type { Transport } from './transport.ts';

const PATH = '/v1/payments';

export interface PaymentListParams extends ListParams {
  /** One status or several. */
  status?: PaymentStatus | readonly PaymentStatus[] | undefined;
  /** The merchant's own reference. */
  order_id?: string | undefined;
}

export class Payments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a payment; send the customer to its `checkout_url`. Give an `idempotencyKey` that
   * belongs to the order, and an order has one payment however often this is called.
   */
  create(params: PaymentCreate, options?: RequestOptions): Promise<Payment> {
    const call = { method: 'POST', path: PATH, body: params, expects: 'payment' } as const;
    return this.#transport.send(call, options);
  }

  /** The payment as it is now: the proof of payment, which the customer's return is not. */
  async retrieve(id: string, options?: RequestOptions): Promise<Payment> {
    const path = `${PATH}/${pathOf(id)}`;
    return this.#transport.send({ method: 'GET', path, expects: 'payment' }, options);
  }

  /** Payments, newest first: await it for a page, iterate over it for all. */
  list(params: PaymentListParams = {}, options: RequestOptions = {}): List<Payment> {
    return new List({ transport: this.#transport, path: PATH, params, options });
  }

  /**
   * Cancels a payment that the customer has not begun to pay; answers it as it is then. Canceled
   * already, it is answered as it is; in any other state `payment_state_invalid` is thrown.
   */
  async cancel(id: string, params: PaymentCancel = {}, options?: RequestOptions): Promise<Payment> {
    const path = `${PATH}/${pathOf(id)}/cancel`;
    return this.#transport.send(
      { method: 'POST', path, body: params, expects: 'payment' },
      options,
    );
  }

  /**
   * Asks about payments that are still open in the merchant's own records, and sorts them by what
   * became of them. Run it on a timer: it finds what was paid while the customer did not come back
   * and the webhook was missed. Every id is asked about once; one that fails does not hold up the
   * others. Throws only when `signal` aborts or `openIds` itself throws.
   */
  reconcile(openIds: Ids, options: ReconcileOptions = {}): Promise<Reconciled> {
    return reconcile((id, each) => this.retrieve(id, each), openIds, options);
  }
}
