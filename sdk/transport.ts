/** One call to the service: the same request, tried until there is an answer to hand on. */
import { randomUUID } from 'node:crypto';
import { readAnswer } from './answer.ts';
import type { Asked } from './answer.ts';
import { pause, retryDelay } from './backoff.ts';
import { TollgateConnectionError, TollgateError, TollgateUsageError } from './errors.ts';
import { readIdempotencyKey, readLimits } from './options.ts';
import type { RequestOptions, Settings } from './options.ts';
import { VERSION } from './version.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** From `/v1` on; ids in it are encoded already. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: object;
  /** What `object` the answer must have. */
  readonly expects: string;
}

/** What every try sends; the body became text once, so that all tries are the same request. */
interface Prepared extends Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Carries the calls of one client. Its settings, and the key among them, cannot be looked at. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The object that the service answers, after as many tries as the options allow. */
  async send<T>(call: Call, options: RequestOptions = {}): Promise<T> {
    const { maxRetries, timeoutMs } = readLimits(this.#settings, options);
    const { signal } = options;
    const prepared: Prepared = { ...this.#prepare(call, options), timeoutMs, signal };
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt<T>(prepared);
      } catch (error) {
        if (retries >= maxRetries) throw error;
        const { retryDelayMs } = this.#settings;
        const waitMs = retryDelay({ error, retries, retryDelayMs });
        if (waitMs === undefined) throw error;
        await pause(waitMs, signal);
      }
    }
  }

  #prepare({ method, path, query, body, expects }: Call, options: RequestOptions) {
    const { apiKey, baseUrl } = this.#settings;
    const search = query?.toString() ?? '';
    const isPost = method === 'POST';
    const idempotencyKey = isPost
      ? readIdempotencyKey(options.idempotencyKey ?? randomUUID())
      : null;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'user-agent': `tollgate-sdk/${VERSION}`,
      ...(isPost ? { 'content-type': 'application/json' } : {}),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    };
    const url = baseUrl + path + (search === '' ? '' : `?${search}`);
    return { url, method, headers, body: textOf(body), expects, idempotencyKey };
  }

  async #attempt<T>(prepared: Prepared): Promise<T> {
    const { url, method, headers, body, signal, timeoutMs, idempotencyKey } = prepared;
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
      const response = await this.#settings.fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // The key belongs to this address and to no other that an answer may name.
        redirect: 'manual',
        signal: limit.signal,
      });
      return await readAnswer<T>(response, prepared);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TollgateError) throw error;
      if (isLate) {
        const message = `No answer within ${timeoutMs} ms.`;
        throw new TollgateConnectionError(message, { reason: 'timeout', idempotencyKey });
      }
      const details = { reason: 'network', idempotencyKey, cause: error } as const;
      throw new TollgateConnectionError('The service could not be reached.', details);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

function textOf(body: object | undefined): string | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new TollgateUsageError('The parameters cannot be written as JSON.', { cause });
  }
}
