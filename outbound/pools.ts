/** Connections to receivers: kept for a while, and only to addresses that were checked. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket, isIPv6 } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Pool, buildConnector } from 'undici';
import type { DeliveryTimings } from '../domain/delivery.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The most receivers with open connections. The one that was unused for longest is closed. */
const MAX_POOLS = 500;
/**
 * The time that an idle connection is kept, even if the receiver asks for longer. Many servers
 * close theirs after 5 s, and a request that is sent at that moment fails.
 */
const KEEP_ALIVE_MS = 4_000;

interface Place {
  readonly url: URL;
  readonly addresses: readonly string[];
  /** The times of a new connection are recorded here. */
  readonly timings: DeliveryTimings;
}

/** Creates pools whose exchanges take at most `timeoutMs`. */
export function makePools(timeoutMs: number) {
  const timingsOfRequest = new AsyncLocalStorage<DeliveryTimings>();
  const pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    dispose: (pool) => void pool.close().catch(() => undefined),
  });

  function poolFor(url: URL, addresses: readonly string[]): Pool {
    // Sorted, because name servers often rotate the same addresses.
    const key = [url.origin, ...addresses.toSorted()].join(' ');
    const known = pools.get(key);
    if (known) return known;
    const pool = new Pool(url.origin, {
      // No limit: endpoints that share a host must not wait for each other. The gate limits each.
      connections: null,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: connectorTo(addresses, timingsOfRequest),
    });
    pools.set(key, pool);
    return pool;
  }

  return {
    async with<T>({ url, addresses, timings }: Place, use: (pool: Pool) => Promise<T>) {
      // Lets Node read what idle connections have received: an end, or a response to nothing. Such
      // a connection is then closed, and its bytes are not taken for the response to this request.
      await nextTurn();
      await nextTurn();
      return timingsOfRequest.run(timings, async () => use(poolFor(url, addresses)));
    },
    async close() {
      await Promise.all([...pools.values()].map(async (pool) => pool.destroy()));
    },
  };
}

/** Connects to the checked addresses, without a second lookup of the name. */
function connectorTo(
  addresses: readonly string[],
  timingsOfRequest: AsyncLocalStorage<DeliveryTimings>,
): buildConnector.connector {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: (_host, _how, done) => done(null, checked),
    autoSelectFamily: true,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED=0.
    rejectUnauthorized: true,
  });
  return (options, done) => {
    const timings = timingsOfRequest.getStore();
    const startedMs = performance.now();
    let connected: number | undefined;
    const socket: unknown = connect(options, (...outcome) => {
      const now = performance.now();
      if (timings && outcome[0] === null) {
        timings.connect = Math.round((connected ?? now) - startedMs);
        timings.tls = options.protocol === 'https:' ? Math.round(now - (connected ?? now)) : null;
      }
      done(...outcome);
    });
    if (socket instanceof Socket) {
      socket.once('connect', () => {
        connected = performance.now();
      });
    }
  };
}
