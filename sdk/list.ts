/** Lists: one page for whoever awaits it, every object of every page for whoever iterates. */
import { TollgateConnectionError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { queryOf } from './query.ts';
import type { Moment } from './query.ts';
import type { Transport } from './transport.ts';

export interface Page<T> {
  readonly object: 'list';
  /** Newest first. */
  readonly data: T[];
  /** Whether there are more in the direction of reading. */
  readonly has_more: boolean;
  /** The path of the list. */
  readonly url: string;
}

export interface ListParams {
  /** Objects in a page, 1 to 100; 20. */
  limit?: number | undefined;
  /** The id of an object: reads on with those created before it. */
  starting_after?: string | undefined;
  /** The id of an object: reads those created after it. Not together with `starting_after`. */
  ending_before?: string | undefined;
  /** Bounds on the time of creation. */
  created_at?:
    | {
        gt?: Moment | undefined;
        gte?: Moment | undefined;
        lt?: Moment | undefined;
        lte?: Moment | undefined;
      }
    | undefined;
}

type Cursor = Pick<ListParams, 'starting_after' | 'ending_before'>;

export interface ListSource {
  readonly transport: Transport;
  readonly path: string;
  readonly params: ListParams;
  readonly options: RequestOptions;
}

/**
 * A list that has not been asked for yet. `await` it for one page; `for await` gives every object
 * from there on, page after page in the direction of reading: newest to oldest, but oldest to
 * newest with `ending_before`. Either throws what every call throws.
 */
export class List<T extends { id: string }> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #source: ListSource;
  #first: Promise<Page<T>> | undefined;

  constructor(source: ListSource) {
    this.#source = source;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- being awaited is what this class is for.
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#readFirst().then(onPage, onError);
  }

  catch<B = never>(
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Page<T> | B> {
    return this.#readFirst().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page<T>> {
    return this.#readFirst().finally(onEnd);
  }

  /** Every object once. A service that leads in circles is a TollgateConnectionError. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const isForward = (this.#source.params.ending_before ?? null) !== null;
    const seen = new Set<string>();
    let page = await this.#readFirst();
    for (;;) {
      // oxlint-disable-next-line unicorn/no-array-reverse -- toReversed came with Node 20 only.
      const found = isForward ? [...page.data].reverse() : page.data;
      const fresh = found.filter(({ id }) => !seen.has(id) && seen.add(id));
      yield* fresh;
      if (!page.has_more) return;
      const cursor = fresh.at(-1)?.id;
      // With something new in every page, the walk ends at the latest with the objects there are.
      if (cursor === undefined) throw standstill();
      page = await this.#read(isForward ? { ending_before: cursor } : { starting_after: cursor });
    }
  }

  #readFirst(): Promise<Page<T>> {
    this.#first ??= this.#read({});
    return this.#first;
  }

  async #read(cursor: Cursor): Promise<Page<T>> {
    const { transport, path, params, options } = this.#source;
    const query = queryOf({ ...params, ...cursor });
    const call = { method: 'GET', path, query, expects: 'list' } as const;
    const page = await transport.send<Page<T>>(call, options);
    const data: unknown = page.data;
    if (!Array.isArray(data)) throw unusable('The answer is a list without data.');
    if (!data.every(hasId)) throw unusable('The answer is a list of something without ids.');
    return page;
  }
}

function hasId(value: unknown): boolean {
  return typeof (value as { id?: unknown } | null)?.id === 'string';
}

function unusable(message: string): TollgateConnectionError {
  return new TollgateConnectionError(message, { reason: 'answer', idempotencyKey: null });
}

function standstill(): TollgateConnectionError {
  return unusable('The list does not go on: a page brings nothing that is new.');
}
