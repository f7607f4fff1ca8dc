/** Sends one call to the service, and retries it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelay } from './backoff.ts';
import { TollgateConnectionError, TollgateError, TollgateUsageError } from './errors.ts';
import { readIdempotencyKey, readLimits } from './options.ts';
import type { RequestOptions, Settings } from './options.ts';
import { readResponse } from './response.ts';
import type { Expectation } from './response.ts';
import { explainFailure } from './unreachable.ts';
import { VERSION } from './version.ts';

export interface Call extends Pick<Expectation, 'expects'> {
  readonly method: 'GET' | 'POST';
  /** The path from `/v1` on, with encoded ids. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: object;
}

/** The request of every try. The body is serialized once, so all tries send the same. */
interface Prepared extends Expectation {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends the calls of one client. Its settings are private, because they include the key. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns the object that the service responds with, after retries if needed. */
  async send<T>(call: Call, options: RequestOptions = {}): Promise<T> {
    const { retryDelayMs } = this.#settings;
    const { maxRetries, timeoutMs } = readLimits(this.#settings, options);
    const { signal } = options;
    const prepared: Prepared = { ...this.#prepare(call, options), timeoutMs, signal };
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt<T>(prepared);
      } catch (error) {
        const waitMs = retryDelay({ error, retries, retryDelayMs });
        if (retries >= maxRetries || waitMs === undefined) throw error;
        await sleep(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  #prepare({ method, path, query, body, expects }: Call, options: RequestOptions) {
    const { apiKey, baseUrl } = this.#settings;
    const search = query?.toString() ?? '';
    const idempotencyKey =
      method === 'POST' ? readIdempotencyKey(options.idempotencyKey ?? randomUUID()) : null;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'user-agent': `tollgate-sdk/${VERSION}`,
      ...(idempotencyKey === null
        ? {}
        : { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
    };
    const text = body === undefined ? {} : { body: textOf(body) };
    const url = baseUrl + path + (search === '' ? '' : `?${search}`);
    // A redirect would take the key to another address.
    const init: RequestInit = { method, headers, ...text, redirect: 'manual' };
    return { url, init, expects, idempotencyKey };
  }

  async #attempt<T>(prepared: Prepared): Promise<T> {
    const { url, init, signal, timeoutMs, idempotencyKey } = prepared;
    const { baseUrl } = this.#settings;
    signal?.throwIfAborted();
    const limit = new AbortController();
    const stop = (): void => limit.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      limit.abort();
    }, timeoutMs);
    try {
      const response = await this.#settings.fetch(url, { ...init, signal: limit.signal });
      return await readResponse<T>(response, prepared);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof TollgateError) throw cause;
      if (isLate) {
        const message = `${baseUrl} sent no response within ${timeoutMs} ms. Check baseUrl and timeoutMs.`;
        throw new TollgateConnectionError(message, { reason: 'timeout', idempotencyKey });
      }
      const details = { reason: 'network', idempotencyKey, cause } as const;
      throw new TollgateConnectionError(explainFailure(baseUrl, cause), details);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

function textOf(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new TollgateUsageError('The parameters cannot be written as JSON.', { cause });
  }
}
