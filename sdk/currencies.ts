/** The currencies of payments. */
import { List } from './list.ts';
import type { Currency } from './objects.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

export class Currencies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists all currencies, in one page. */
  list(options: RequestOptions = {}): List<Currency> {
    return new List({ transport: this.#transport, path: '/v1/currencies', params: {}, options });
  }
}
