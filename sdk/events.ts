/** Events: what happened, as it was delivered to the webhook endpoints. */
import { List } from './list.ts';
import type { ListParams } from './list.ts';
import type { Event, EventType } from './objects.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

const PATH = '/v1/events';

/** A type, or a family of types such as `payment.*`. */
export type EventSelector = EventType | 'payment.*' | 'refund.*' | 'webhook_endpoint.*';

/** `type` and `payment_id` may not be given together. */
export interface EventListParams extends ListParams {
  /** One selector or several. */
  type?: EventSelector | readonly EventSelector[] | undefined;
  /** Everything that happened to this payment. */
  payment_id?: string | undefined;
}

export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The event, with its object as it was at that moment. */
  async retrieve(id: string, options?: RequestOptions): Promise<Event> {
    const path = `${PATH}/${pathOf(id)}`;
    return this.#transport.send({ method: 'GET', path, expects: 'event' }, options);
  }

  /** Events, newest first: await it for a page, iterate over it for all. */
  list(params: EventListParams = {}, options: RequestOptions = {}): List<Event> {
    return new List({ transport: this.#transport, path: PATH, params, options });
  }
}
