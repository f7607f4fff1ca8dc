/** Puts the shop together: its orders, payments, pages, and the regular reconciliation. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type Koa from 'koa';
import type { Logger } from 'pino';

import { Tollgate } from '../sdk/index.ts';
import { createApp } from './app.ts';
import { Orders } from './orders.ts';
import { Payments } from './payments.ts';
import { reconcile, reconcileRegularly } from './reconcile.ts';
import { Updates } from './updates.ts';
import { createReceiver } from './webhooks.ts';

/** The longest time that an order stays open after its payment, even if every webhook is lost. */
const RECONCILE_INTERVAL_MS = 30_000;
/** No request is larger than a webhook; a slower one only holds a socket. */
const REQUEST_TIMEOUT_MS = 15_000;
/** A customer waits for the response; a healthy service takes milliseconds. */
const API_TIMEOUT_MS = 5_000;
/** Doubled twice, it outlasts a restart of the service. A waiting customer hardly notices it. */
const RETRY_DELAY_MS = 1_000;
/** Time for open requests to finish when the shop closes, which takes less than two seconds. */
const DRAIN_MS = 1_000;
/** A browser may resolve `localhost` to either. */
const HOSTS = ['127.0.0.1', '::1'];
/** Codes of `listen` on a machine without IPv6. */
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

export interface ShopOptions {
  /** The port to listen on; 0 for any free one. */
  port: number;
  /** The addresses to listen on. By default, those that only this machine can reach. */
  hosts?: readonly string[];
  /** The shop's public address, for the links back from the checkout. */
  shopUrl: string;
  apiUrl: string;
  apiKey: string;
  webhookSecret: string;
  /** The JSON file that keeps orders and events. */
  ordersFile: string;
  log: Logger;
  now?: () => Date;
  reconcileIntervalMs?: number;
  /** The longest wait before the first retry of a call. */
  retryDelayMs?: number;
}

export interface Shop {
  port: number;
  orders: Orders;
  /** Reconciles now, in addition to the timer. */
  reconcile: () => Promise<void>;
  /** Stops listening, finishes open requests, and saves the orders. */
  close: () => Promise<void>;
}

/** Opens the shop. Throws if the port is taken, the orders file damaged or the secret malformed. */
export async function createShop(options: ShopOptions): Promise<Shop> {
  const { log, now = () => new Date() } = options;
  const tollgate = new Tollgate({
    baseUrl: options.apiUrl,
    apiKey: options.apiKey,
    timeoutMs: API_TIMEOUT_MS,
    retryDelayMs: options.retryDelayMs ?? RETRY_DELAY_MS,
  });
  const shopUrl = options.shopUrl.replace(/\/+$/, '');
  const orders = await Orders.open(options.ordersFile, now);
  const closing = new AbortController();
  const context = { orders, tollgate, signal: closing.signal, shopUrl, log, now };
  const payments = new Payments(context);
  const updates = new Updates(orders);
  const receive = createReceiver({ secret: options.webhookSecret, orders, payments, log });
  const app = createApp({ orders, payments, updates, receive, log });
  const { servers, port } = await listen(app.callback(), options);
  const all = { ...context, payments };
  const regular = reconcileRegularly(all, options.reconcileIntervalMs ?? RECONCILE_INTERVAL_MS);
  return {
    port,
    orders,
    reconcile: () => reconcile(all),
    close: async () => {
      updates.close();
      await Promise.all(servers.map(stopListening));
      closing.abort();
      await regular;
      await orders.save();
    },
  };
}

/** Listens on every address, on the same port. */
async function listen(
  handler: ReturnType<Koa['callback']>,
  { hosts = HOSTS, port: wantedPort }: Pick<ShopOptions, 'hosts' | 'port'>,
) {
  const servers: Server[] = [];
  let port = wantedPort;
  for (const host of hosts) {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      void handler(request, response);
    });
    server.listen({ host, port, ipv6Only: true });
    try {
      await once(server, 'listening');
      servers.push(server);
      ({ port } = server.address() as AddressInfo);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (servers.length > 0 && NO_IPV6.includes(code)) break;
      await Promise.all(servers.map(stopListening));
      throw error;
    }
  }
  return { servers, port };
}

async function stopListening(server: Server): Promise<void> {
  server.close();
  const drain = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await once(server, 'close');
  clearTimeout(drain);
}
