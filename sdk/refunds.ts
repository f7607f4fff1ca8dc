/** Refunds: they give back all or a part of a completed payment. */
import type { ListParams } from './list.ts';
import type { Refund, RefundCreate, RefundStatus } from './objects.ts';
import type { RequestOptions } from './options.ts';
import { Resource } from './resource.ts';

export interface RefundListParams extends ListParams {
  payment_id?: string | undefined;
  /** One status or several. */
  status?: RefundStatus | readonly RefundStatus[] | undefined;
}

export class Refunds extends Resource<Refund, RefundListParams> {
  /**
   * Creates a refund, which is `pending` until a `refund.*` event reports its end. Without an
   * `amount`, it refunds the whole remaining amount. Give an `idempotencyKey` that belongs to the reason for
   * the refund, so that a second click does not give the money back twice.
   */
  create(params: RefundCreate, options?: RequestOptions): Promise<Refund> {
    return this.post(params, options);
  }
}
