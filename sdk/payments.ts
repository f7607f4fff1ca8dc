/** Payments: your server creates them, and customers pay them. */
import type { ListParams } from './list.ts';
import type {
  Payment,
  PaymentCancel,
  PaymentCreate,
  PaymentStatus,
  PaymentUpdate,
} from './objects.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import { reconcile } from './reconcile.ts';
import type { Ids, Reconciled, ReconcileOptions } from './reconcile.ts';
import { Resource } from './resource.ts';

export interface PaymentListParams extends ListParams {
  /** One status or several. */
  status?: PaymentStatus | readonly PaymentStatus[] | undefined;
  /** The merchant's own reference. */
  order_id?: string | undefined;
  /** One key of the metadata with its value. Cannot be combined with `status` and `order_id`. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

export class Payments extends Resource<Payment, PaymentListParams> {
  /**
   * Creates a payment. Send the customer to its `checkout_url`. Give an `idempotencyKey` that
   * belongs to the order: the order then has one payment, however often you call this.
   */
  create(params: PaymentCreate, options?: RequestOptions): Promise<Payment> {
    return this.post(params, options);
  }

  /**
   * Changes the description and the metadata of a payment that is `created` or `processing`, and
   * returns it. `null` removes a key of the metadata, and keys that are left out stay. In any other
   * status it throws `payment_state_invalid`.
   */
  async update(id: string, params: PaymentUpdate, options?: RequestOptions): Promise<Payment> {
    return this.post(params, options, `/${pathOf(id)}`);
  }

  /**
   * Cancels a payment that the customer has not begun to pay, and returns it. A canceled payment is
   * returned unchanged. In any other status it throws `payment_state_invalid`.
   */
  async cancel(id: string, params: PaymentCancel = {}, options?: RequestOptions): Promise<Payment> {
    return this.post(params, options, `/${pathOf(id)}/cancel`);
  }

  /**
   * Retrieves the payments that are still open in your own records, and sorts them by status. Run
   * it on a timer: it finds payments whose webhook you missed. Each id is retrieved once, and one
   * that fails does not stop the others. Throws only if `signal` aborts or `openIds` throws.
   */
  reconcile(openIds: Ids, options: ReconcileOptions = {}): Promise<Reconciled> {
    return reconcile((id, each) => this.retrieve(id, each), openIds, options);
  }
}
