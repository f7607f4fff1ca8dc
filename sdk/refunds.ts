/** Refunds: giving back all or a part of a completed payment. */
import { List } from './list.ts';
import type { ListParams } from './list.ts';
import type { Refund, RefundCreate, RefundStatus } from './objects.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

const PATH = '/v1/refunds';

/** `payment_id` and `status` may not be given together. */
export interface RefundListParams extends ListParams {
  payment_id?: string | undefined;
  /** One status or several. */
  status?: RefundStatus | readonly RefundStatus[] | undefined;
}

export class Refunds {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Begins a refund; it is `pending`, and a `refund.*` event tells what became of it. Without an
   * `amount`, all that is refundable. Give an `idempotencyKey` that belongs to the reason for the
   * refund, so that a repeated click does not give the money back twice.
   */
  create(params: RefundCreate, options?: RequestOptions): Promise<Refund> {
    const call = { method: 'POST', path: PATH, body: params, expects: 'refund' } as const;
    return this.#transport.send(call, options);
  }

  /** The refund as it is now. */
  async retrieve(id: string, options?: RequestOptions): Promise<Refund> {
    const path = `${PATH}/${pathOf(id)}`;
    return this.#transport.send({ method: 'GET', path, expects: 'refund' }, options);
  }

  /** Refunds, newest first: await it for a page, iterate over it for all. */
  list(params: RefundListParams = {}, options: RequestOptions = {}): List<Refund> {
    return new List({ transport: this.#transport, path: PATH, params, options });
  }
}
