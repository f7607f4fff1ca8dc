/** The calls that most kinds of objects share. */
import { List } from './list.ts';
import type { ListParams } from './list.ts';
import { pathOf } from './options.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** Objects of one kind, such as those of `object: 'refund'` at `/v1/refunds`. */
export class Resource<T extends { id: string }, Params extends ListParams = ListParams> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #object: string;

  constructor(transport: Transport, path: string, object: string) {
    this.#transport = transport;
    this.#path = path;
    this.#object = object;
  }

  /** Returns the object as it is now; an event as it was sent. */
  async retrieve(id: string, options?: RequestOptions): Promise<T> {
    const path = `${this.#path}/${pathOf(id)}`;
    return this.#transport.send({ method: 'GET', path, expects: this.#object }, options);
  }

  /** Lists the objects, newest first. Await it for one page, or iterate over it for all. */
  list(params?: Params, options: RequestOptions = {}): List<T> {
    const source = { transport: this.#transport, path: this.#path, options };
    return new List({ ...source, params: params ?? {} });
  }

  protected async post(body: object, options?: RequestOptions, action = ''): Promise<T> {
    const call = {
      method: 'POST',
      path: this.#path + action,
      body,
      expects: this.#object,
    } as const;
    return this.#transport.send(call, options);
  }
}
