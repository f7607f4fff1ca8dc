/** What a client and a call can be told, and the refusal of what is obviously wrong in it. */
import { TollgateUsageError } from './errors.ts';

/** Longer than the service takes for its slowest answer, a decided test payment. */
const TIMEOUT_MS = 30_000;
/** The longest a timer of the runtime can be; a longer one would fire at once. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Covers a dropped connection and a short overload without holding up whoever waits. */
const RETRIES = 2;
/** With doubling waits, more than these would take hours. */
const RETRIES_MAX = 20;
/** Up to half a second before the first retry: enough for a restart behind a load balancer. */
const RETRY_DELAY_MS = 500;
/** What the API accepts as a key: 1 to 255 visible ASCII characters. */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;
const API_KEY = /^sk_(?:test|live)_[!-~]+$/;

export interface TollgateOptions {
  /**
   * A secret key, `sk_test_...` or `sk_live_...`. Keep it on the server. A variable of the
   * environment can be passed as it is: a missing one is refused when the client is made.
   */
  apiKey: string | undefined;
  /** Where the API is, as in `https://api.pay.example`: without `/v1`. */
  baseUrl: string;
  /** Milliseconds for one try, from connecting to the last byte of the answer; 30,000. */
  timeoutMs?: number | undefined;
  /** Further tries after the first one failed; 2. */
  maxRetries?: number | undefined;
  /** The longest wait before the first retry, in milliseconds; it doubles with each one; 500. */
  retryDelayMs?: number | undefined;
  /** Sends requests in place of the global `fetch`. It has to honour `signal`. */
  fetch?: typeof fetch | undefined;
}

/** The last argument of every call. */
export interface RequestOptions {
  /**
   * For a POST: the same key and parameters have one effect and one answer, however often they are
   * sent. 1 to 255 visible ASCII characters, such as an order's number. Made up for each call when
   * it is left out, so that the retries of this client are safe in any case. A GET needs none.
   */
  idempotencyKey?: string | undefined;
  /** Stops the call, also in the middle of a wait; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** In place of the client's own. */
  timeoutMs?: number | undefined;
  /** In place of the client's own. */
  maxRetries?: number | undefined;
}

export interface Settings {
  readonly apiKey: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly fetch: typeof fetch;
}

/** The settings that these options mean. Throws TollgateUsageError when they cannot work. */
export function readOptions(options: TollgateOptions): Settings {
  // Plain JavaScript may well hand over nothing at all.
  const given: Partial<TollgateOptions> = options ?? {};
  return {
    apiKey: readKey(given.apiKey),
    baseUrl: readBaseUrl(given.baseUrl),
    timeoutMs: readTimeout(given.timeoutMs ?? TIMEOUT_MS),
    maxRetries: readCount('maxRetries', given.maxRetries ?? RETRIES, RETRIES_MAX),
    retryDelayMs: readCount('retryDelayMs', given.retryDelayMs ?? RETRY_DELAY_MS, TIMEOUT_MAX_MS),
    fetch: readFetch(given.fetch),
  };
}

/** The limits of one call, where its options differ from the client's. */
export function readLimits(
  settings: Settings,
  { timeoutMs, maxRetries }: RequestOptions,
): Pick<Settings, 'timeoutMs' | 'maxRetries'> {
  return {
    timeoutMs: readTimeout(timeoutMs ?? settings.timeoutMs),
    maxRetries: readCount('maxRetries', maxRetries ?? settings.maxRetries, RETRIES_MAX),
  };
}

/** The idempotency key if it can be sent; the service would refuse it otherwise. */
export function readIdempotencyKey(key: string): string {
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new TollgateUsageError('idempotencyKey must be 1 to 255 visible ASCII characters.');
}

/** An id as a part of a path. An empty one is refused: it would name the list. */
export function pathOf(id: string): string {
  if (typeof id !== 'string' || id.trim() === '') {
    throw new TollgateUsageError('The id is empty; did an earlier step not store it?');
  }
  // A path with one of these names another resource, and encoding leaves dots alone. Half a
  // surrogate pair cannot be encoded at all.
  if (/^\.\.?$|\p{Surrogate}/u.test(id)) {
    throw new TollgateUsageError('The id is not one of Tollgate.');
  }
  return encodeURIComponent(id);
}

/** Never shows the key: messages end up in logs. */
function readKey(key: string | undefined): string {
  if (typeof key !== 'string' || key.trim() === '') {
    throw new TollgateUsageError(
      'apiKey is missing; it was shown when the merchant was made (sk_test_...).',
    );
  }
  if (key.startsWith('pk_')) {
    throw new TollgateUsageError('apiKey is a publishable key; a secret one begins with sk_.');
  }
  if (key.startsWith('whsec_')) {
    throw new TollgateUsageError('apiKey is a webhook secret; an API key begins with sk_.');
  }
  if (!API_KEY.test(key)) {
    throw new TollgateUsageError('apiKey must be sk_test_... or sk_live_..., without spaces.');
  }
  return key;
}

function readBaseUrl(text: string | undefined): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TollgateUsageError('baseUrl must be an http or https address of the API.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TollgateUsageError('baseUrl must not have a user, a query or a fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/v1')) throw new TollgateUsageError('Leave /v1 out of baseUrl.');
  return url.origin + path;
}

function readFetch(given: typeof fetch | undefined): typeof fetch {
  if (given !== undefined && typeof given !== 'function') {
    throw new TollgateUsageError('fetch must be a function.');
  }
  // The global one is looked up at each call, as it may be instrumented later.
  return given ?? ((...args) => globalThis.fetch(...args));
}

function readTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS) return timeoutMs;
  throw new TollgateUsageError(`timeoutMs must be above 0 and at most ${TIMEOUT_MAX_MS}.`);
}

function readCount(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new TollgateUsageError(`${name} must be a whole number from 0 to ${max}.`);
}
