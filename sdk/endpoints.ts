/** Webhook endpoints: the receivers that are registered for the merchant. */
import { List } from './list.ts';
import type { ListParams } from './list.ts';
import type { WebhookEndpoint } from './objects.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

const PATH = '/v1/webhook-endpoints';

export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The endpoint and its health; its secret was shown when it was made, and is not answered again. */
  async retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    const path = `${PATH}/${pathOf(id)}`;
    return this.#transport.send({ method: 'GET', path, expects: 'webhook_endpoint' }, options);
  }

  /** Endpoints, newest first: await it for a page, iterate over it for all. */
  list(params: ListParams = {}, options: RequestOptions = {}): List<WebhookEndpoint> {
    return new List({ transport: this.#transport, path: PATH, params, options });
  }
}
