/**
 * The guarded POST: the only way out to an address that a merchant gave. It connects to the very
 * addresses that were checked, follows no redirect, knows no proxy, and has a limit on everything.
 */
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { DeliveryError } from '../domain/delivery.ts';
import { OutboundRefused, parseReceiver, resolveReceiver } from './address.ts';
import type { Range } from './address.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** As much of an answer as is of use to people; the rest is not read. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Receivers with open connections at a time; the one unused for longest is closed. */
const MAX_POOLS = 500;
const CONNECTIONS_PER_RECEIVER = 20;
const KEEP_ALIVE_MS = 10_000;

export interface PostResult {
  /** The HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** Why there was no acknowledgement; null for 2xx. */
  readonly error: DeliveryError | null;
  readonly retryAfter: string | undefined;
  readonly durationMs: number;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Outbound {
  /** Sends one POST and judges the answer. Never throws. */
  post(request: PostRequest): Promise<PostResult>;
  close(): Promise<void>;
}

/** `opened` are ranges besides the public ones; `timeoutMs` is for the whole exchange. */
export function makeOutbound(options: { opened: readonly Range[]; timeoutMs: number }): Outbound {
  const pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    dispose: (pool) => void pool.close().catch(() => undefined),
  });

  function poolFor(url: URL, addresses: readonly string[]): Pool {
    const key = [url.origin, ...addresses].join(' ');
    const known = pools.get(key);
    if (known) return known;
    const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const pool = new Pool(url.origin, {
      connections: CONNECTIONS_PER_RECEIVER,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        // The name was resolved and checked before: it is not asked for a second time.
        lookup: (_host, _how, done) => done(null, checked),
        autoSelectFamily: true,
      },
    });
    pools.set(key, pool);
    return pool;
  }

  async function send(request: PostRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const url = parseReceiver(request.url);
    const addresses = await resolveReceiver(url, options.opened);
    const { headers, body } = request;
    return poolFor(url, addresses).request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: { ...headers },
      body,
      signal,
    });
  }

  return {
    async post(request) {
      const started = performance.now();
      const signal = AbortSignal.timeout(options.timeoutMs);
      const took = (): number => Math.round(performance.now() - started);
      try {
        const answer = await untilAborted(send(request, signal), signal);
        const status = answer.statusCode;
        await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
        const retryAfter = [answer.headers['retry-after']].flat()[0];
        return { status, error: judgeStatus(status), retryAfter, durationMs: took() };
      } catch (error) {
        const kind = classify(error, signal);
        return { status: null, error: kind, retryAfter: undefined, durationMs: took() };
      }
    },
    async close() {
      const open = [...pools.values()];
      await Promise.all(open.map(async (pool) => pool.destroy()));
    },
  };
}

/** Name resolution cannot be aborted; the exchange ends on time all the same. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}

function judgeStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

const ERRORS: Readonly<Record<string, DeliveryError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  ETIMEDOUT: 'connect_timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'response_invalid',
};

function classify(error: unknown, signal: AbortSignal): DeliveryError {
  if (error instanceof OutboundRefused) return error.code;
  if (signal.aborted) return 'timeout';
  const { code = '', name } = error as { code?: string; name?: string };
  if (name === 'HTTPParserError') return 'response_invalid';
  if (code.includes('CERT') || code.includes('TLS') || code.includes('SSL')) return 'tls_failed';
  if (code.startsWith('DEPTH_ZERO') || code.startsWith('UNABLE_TO_')) return 'tls_failed';
  return ERRORS[code] ?? 'connect_failed';
}
