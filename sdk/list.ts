/** Lists: one page when awaited, every object of every page when iterated over. */
import { TollgateConnectionError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { queryOf } from './query.ts';
import type { Moment } from './query.ts';
import type { Transport } from './transport.ts';

export interface Page<T> {
  readonly object: 'list';
  /** Newest first. */
  readonly data: T[];
  /** True if there are more objects in the direction of reading. */
  readonly has_more: boolean;
  /** The path of the list. */
  readonly url: string;
}

export interface ListParams {
  /** Objects in a page, 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** The id of an object. The list continues with those created before it. */
  starting_after?: string | undefined;
  /** The id of an object. The list has those created after it. Excludes `starting_after`. */
  ending_before?: string | undefined;
  /** Bounds on the time of creation. */
  created_at?: { [bound in 'gt' | 'gte' | 'lt' | 'lte']?: Moment | undefined } | undefined;
}

type Cursor = Pick<ListParams, 'starting_after' | 'ending_before'>;

interface ListSource {
  readonly transport: Transport;
  readonly path: string;
  readonly params: ListParams;
  readonly options: RequestOptions;
}

/**
 * A list whose first page is requested when it is used. `await` returns one page. `for await`
 * yields every object of all pages: newest to oldest, or with `ending_before` oldest to newest.
 * Both throw the same errors as every call.
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

  /** Yields every object once. Throws TollgateConnectionError if a page has nothing new. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const isForward = (this.#source.params.ending_before ?? null) !== null;
    const seen = new Set<string>();
    let page = await this.#readFirst();
    for (;;) {
      // oxlint-disable-next-line unicorn/no-array-reverse -- Node 18 has no toReversed.
      const found = isForward ? [...page.data].reverse() : page.data;
      const fresh = found.filter(({ id }) => !seen.has(id) && seen.add(id));
      yield* fresh;
      if (!page.has_more) return;
      const cursor = fresh.at(-1)?.id;
      // Every page must have something new, so that the loop ends.
      if (cursor === undefined) throw unusable('The list does not end: a page has nothing new.');
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
    if (!Array.isArray(data)) throw unusable('The response is a list without data.');
    if (!data.every(hasId)) throw unusable('The response is a list of objects without ids.');
    return page;
  }
}

function hasId(value: unknown): boolean {
  return typeof (value as { id?: unknown } | null)?.id === 'string';
}

function unusable(message: string): TollgateConnectionError {
  return new TollgateConnectionError(message, { reason: 'answer', idempotencyKey: null });
}
