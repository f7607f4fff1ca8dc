/** The options of a client and of a call, and their checks. */
import { TollgateUsageError } from './errors.ts';

/** Longer than the service takes for its slowest response, a decided test payment. */
const TIMEOUT_MS = 30_000;
/** The longest timer of the runtime. A longer one would fire at once. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Covers a dropped connection and a short overload, without a long wait for the caller. */
const RETRIES = 2;
/** Each wait can be a minute (`Retry-After`), so more retries would block the caller. */
const RETRIES_MAX = 20;
/** Long enough for a restart behind a load balancer. */
const RETRY_DELAY_MS = 500;
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;
const API_KEY = /^sk_(?:test|live)_[!-~]+$/;

export interface TollgateOptions {
  /**
   * A secret key, `sk_test_...` or `sk_live_...`. Keep it on the server. You can pass an
   * environment variable: the constructor throws if it is missing.
   */
  apiKey: string | undefined;
  /** The address of the API without `/v1`, such as `https://api.pay.example`. */
  baseUrl: string;
  /** Milliseconds for one try, from connecting to the response's last byte. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** Tries after the first one has failed. Default: 2. */
  maxRetries?: number | undefined;
  /** The longest wait before the first retry, in milliseconds. Later ones double. Default: 500. */
  retryDelayMs?: number | undefined;
  /** Replaces the global `fetch`. It must respect `signal`. */
  fetch?: typeof fetch | undefined;
}

/** The last argument of every call. */
export interface RequestOptions {
  /**
   * For a POST: requests with the same key and parameters have one effect and one response. 1 to
   * 255 visible ASCII characters, such as an order's number. Default: a random key for each call,
   * so the client's own retries are always safe.
   */
  idempotencyKey?: string | undefined;
  /** Stops the call, also while it waits to retry. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Replaces the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Replaces the client's `maxRetries`. */
  maxRetries?: number | undefined;
}

/** The options with their defaults. `baseUrl` has no slash at its end. */
export type Settings = {
  readonly [name in keyof TollgateOptions]-?: NonNullable<TollgateOptions[name]>;
};

/** Returns the settings of a client. Throws TollgateUsageError if an option is not usable. */
export function readOptions(options: TollgateOptions): Settings {
  // Plain JavaScript may pass nothing.
  const given: Partial<TollgateOptions> = options ?? {};
  return {
    apiKey: readKey(given.apiKey),
    baseUrl: readBaseUrl(given.baseUrl),
    timeoutMs: checkTimeout(given.timeoutMs ?? TIMEOUT_MS),
    maxRetries: readCount('maxRetries', given.maxRetries ?? RETRIES, RETRIES_MAX),
    retryDelayMs: readCount('retryDelayMs', given.retryDelayMs ?? RETRY_DELAY_MS, TIMEOUT_MAX_MS),
    fetch: readFetch(given.fetch),
  };
}

/** Returns the limits of one call. */
export function readLimits(
  settings: Settings,
  { timeoutMs, maxRetries }: RequestOptions,
): Pick<Settings, 'timeoutMs' | 'maxRetries'> {
  return {
    timeoutMs: checkTimeout(timeoutMs ?? settings.timeoutMs),
    maxRetries: readCount('maxRetries', maxRetries ?? settings.maxRetries, RETRIES_MAX),
  };
}

/** Returns the key. Throws TollgateUsageError for a key that the service would refuse. */
export function readIdempotencyKey(key: string): string {
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  refuse('idempotencyKey must be 1 to 255 visible ASCII characters.');
}

/** Returns the id, encoded for a path. Throws TollgateUsageError for an impossible id. */
export function pathOf(id: string): string {
  if (typeof id !== 'string' || id.trim() === '')
    refuse('The id is empty. Did an earlier step not store it?');
  // Encoding leaves dots as they are, and they would name another resource. A lone surrogate
  // cannot be encoded.
  if (/^\.\.?$|\p{Surrogate}/u.test(id)) refuse('The id is not a Tollgate id.');
  return encodeURIComponent(id);
}

function refuse(message: string): never {
  throw new TollgateUsageError(message);
}

/** Returns the key. No message contains it, because messages end up in logs. */
function readKey(key: string | undefined): string {
  if (typeof key !== 'string' || key.trim() === '')
    refuse('apiKey is missing. It was shown when the merchant was created (sk_test_...).');
  if (key.startsWith('pk_')) refuse('apiKey is a publishable key. A secret key begins with sk_.');
  if (key.startsWith('whsec_')) refuse('apiKey is a webhook secret. An API key begins with sk_.');
  if (!API_KEY.test(key)) refuse('apiKey must be sk_test_... or sk_live_..., without spaces.');
  return key;
}

function readBaseUrl(text: string | undefined): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    refuse('baseUrl must be the http or https address of the API, such as http://localhost:8080.');
  if (url.username || url.password || url.search || url.hash)
    refuse('baseUrl must not have a user, a query or a fragment.');
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/v1')) refuse('Leave /v1 out of baseUrl.');
  return url.origin + path;
}

function readFetch(given: typeof fetch | undefined): typeof fetch {
  if (given !== undefined && typeof given !== 'function') refuse('fetch must be a function.');
  // Looked up at each call, because a tracing library may replace the global one later.
  return given ?? ((...args) => globalThis.fetch(...args));
}

/** Returns the time. Throws TollgateUsageError if no timer can be that long. */
export function checkTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS) return timeoutMs;
  refuse(`timeoutMs must be above 0 and at most ${TIMEOUT_MAX_MS}.`);
}

function readCount(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  refuse(`${name} must be a whole number from 0 to ${max}.`);
}
