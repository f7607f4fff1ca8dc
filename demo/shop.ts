/** The shop put together: a book, a till, pages, and a regular check that misses nothing. */

import { createServer, type Server } from 'node:http';

import { pino, type Logger } from 'pino';

import { Tollgate } from '../sdk/index.ts';
import { createApp } from './app.ts';
import { textMember } from './json.ts';
import { Live } from './live.ts';
import { Orders } from './orders.ts';
import { Till } from './till.ts';
import { createReceiver } from './webhooks.ts';

/** What a customer waits for at most when every webhook is lost. */
const MOP_UP_INTERVAL_MS = 30_000;
/** No request of the shop carries more than a webhook; slower ones only hold a socket. */
const REQUEST_TIMEOUT_MS = 15_000;
/** A customer waits for the answer; a healthy service takes milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Doubled twice, it outlasts a restart of the service, and is short for somebody who watches. */
const RETRY_DELAY_MS = 1_000;
/** Answers under way get this long at closing time; all in all it takes less than two seconds. */
const DRAIN_MS = 1_000;
/** Browsers look up `localhost` as either; a listener for each leaves no wrong guess. */
const LOOPBACK_4 = '127.0.0.1';
const LOOPBACK_6 = '::1';

export interface ShopOptions {
  /** 0 takes a free one. */
  port: number;
  /** Where customers reach the shop; links for the checkout are built from it. */
  shopUrl: string;
  apiUrl: string;
  apiKey: string;
  webhookSecret: string;
  /** The JSON file that keeps orders and events. */
  ordersFile: string;
  log?: Logger;
  now?: () => Date;
  mopUpIntervalMs?: number;
  /** The longest wait before the first retry of a call; tests shorten it. */
  retryDelayMs?: number;
}

export interface Shop {
  /** The port it listens on. */
  port: number;
  orders: Orders;
  /** Does now what is otherwise done at start and every half minute. */
  mopUp: () => Promise<void>;
  /** Stops listening, ends what is open, and leaves the book on the disk. */
  close: () => Promise<void>;
}

/** Opens the shop. Throws when the port is taken, the book damaged or the secret unusable. */
export async function createShop(options: ShopOptions): Promise<Shop> {
  const { log = pino({ name: 'demo-shop' }), now = () => new Date() } = options;
  const shopUrl = options.shopUrl.replace(/\/+$/, '');
  const orders = await Orders.open(options.ordersFile, now);
  const closing = new AbortController();
  const { signal } = closing;
  const till = new Till({ orders, tollgate: connect(options), signal, shopUrl, log, now });
  const live = new Live();
  const receive = createReceiver({ secret: options.webhookSecret, orders, till, log });
  const handler = createApp({ orders, till, live, receive, log }).callback();
  const servers = await listenTwice(handler, options.port);
  const port = portOf(servers[0]);
  const checks = startChecks(till, options.mopUpIntervalMs ?? MOP_UP_INTERVAL_MS);
  return {
    port,
    orders,
    mopUp: () => till.mopUp(),
    close: async () => {
      live.close();
      checks.stop();
      await Promise.all(servers.map(stopListening));
      closing.abort();
      await checks.done();
      await orders.save();
    },
  };
}

function connect({ apiUrl, apiKey, retryDelayMs }: ShopOptions): Tollgate {
  return new Tollgate({
    baseUrl: apiUrl,
    apiKey,
    timeoutMs: ANSWER_TIMEOUT_MS,
    retryDelayMs: retryDelayMs ?? RETRY_DELAY_MS,
  });
}

type Handler = ReturnType<ReturnType<typeof createApp>['callback']>;

async function listenTwice(handler: Handler, port: number): Promise<[Server, ...Server[]]> {
  const first = await listen(handler, { host: LOOPBACK_4, port });
  try {
    return [first, await listen(handler, { host: LOOPBACK_6, port: portOf(first) })];
  } catch (error) {
    const code = textMember(error, 'code');
    // A machine without IPv6 has no second address; on any other machine the port is taken.
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return [first];
    await stopListening(first);
    throw error;
  }
}

async function listen(handler: Handler, at: { host: string; port: number }): Promise<Server> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    // Koa answers its own errors; nothing is left to handle here.
    void handler(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...at, ipv6Only: true }, resolve);
  });
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

async function stopListening(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const drain = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(drain);
}

/** Checks at once and then `intervalMs` after the end of the last check, never two at a time. */
function startChecks(till: Till, intervalMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const check = async (): Promise<void> => {
    await till.mopUp();
    if (stopped) return;
    timer = setTimeout(() => {
      latest = check();
    }, intervalMs);
  };
  let latest = check();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
    done: () => latest,
  };
}
