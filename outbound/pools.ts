/** Connections to receivers: kept for a while, and only ever to addresses that were checked. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket, isIPv6 } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Pool, buildConnector } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Receivers with open connections at a time; the one unused for longest is closed. */
const MAX_POOLS = 500;
/**
 * Shorter than the 5 s after which many servers hang up: a request that crosses with that has
 * failed. Whatever longer time a receiver asks for, its connection is ours to close.
 */
const KEEP_ALIVE_MS = 4_000;

/** How long connecting took, in milliseconds; null where an open connection was used again. */
export interface ConnectTimes {
  connectMs: number | null;
  tlsMs: number | null;
}

interface Pools {
  /**
   * Runs `use` with the pool of that origin at these addresses. A connection that it opens notes
   * its times in `times`.
   */
  with<T>(
    at: { url: URL; addresses: readonly string[]; times: ConnectTimes },
    use: (pool: Pool) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** Pools whose exchanges take `timeoutMs` at most. */
export function makePools(timeoutMs: number): Pools {
  const noted = new AsyncLocalStorage<ConnectTimes>();
  const pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    dispose: (pool) => void pool.close().catch(() => undefined),
  });

  function poolFor(url: URL, addresses: readonly string[]): Pool {
    // Sorted: name servers that take turns give the same addresses in another order each time.
    const key = [url.origin, ...addresses.toSorted()].join(' ');
    const known = pools.get(key);
    if (known) return known;
    const pool = new Pool(url.origin, {
      // As many as there are requests: endpoints that share a host must not wait for each other,
      // and each of them is held back by the gate.
      connections: null,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: connectorTo(addresses, noted),
    });
    pools.set(key, pool);
    return pool;
  }

  return {
    async with({ url, addresses, times }, use) {
      // What an idle connection has received meanwhile, an end or an answer to nothing, is read
      // first: it closes the connection instead of being taken for the answer to this request.
      // Sockets are looked at between two turns.
      await nextTurn();
      await nextTurn();
      return noted.run(times, async () => use(poolFor(url, addresses)));
    },
    async close() {
      await Promise.all([...pools.values()].map(async (pool) => pool.destroy()));
    },
  };
}

/** The name was resolved and checked before: it is not asked for a second time. */
function connectorTo(
  addresses: readonly string[],
  noted: AsyncLocalStorage<ConnectTimes>,
): buildConnector.connector {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: (_host, _how, done) => done(null, checked),
    autoSelectFamily: true,
    // Said here, because NODE_TLS_REJECT_UNAUTHORIZED=0 would have its way otherwise.
    rejectUnauthorized: true,
  });
  return (options, done) => {
    const times = noted.getStore();
    const begun = performance.now();
    let connected: number | undefined;
    const socket: unknown = connect(options, (...outcome) => {
      const now = performance.now();
      if (times && outcome[0] === null) {
        times.connectMs = Math.round((connected ?? now) - begun);
        times.tlsMs = options.protocol === 'https:' ? Math.round(now - (connected ?? now)) : null;
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
