/** A fake of the API with the published formats, and a shop that uses it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';

import { createShop, type Shop, type ShopOptions } from '../../demo/shop.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const API_KEY = 'sk_test_shop';
/** The limit of `until`. A process takes seconds to start on a busy machine. */
const PATIENCE_MS = 60_000;

export interface FakePayment {
  id: string;
  object: 'payment';
  status: string;
  amount: number;
  currency: string;
  order_id: string;
  checkout_url: string;
  return_url: string;
  cancel_url: string;
}

export interface SeenCall {
  method: string;
  path: string;
  key: string | undefined;
  body: string;
}

function refuse(status: number, code: string): [number, unknown] {
  const error = { type: 'api', code, message: `refused: ${code}`, request_id: 'req_1' };
  return [status, { error }];
}

/** Keeps payments by idempotency key. Each call first takes one of `faults`. */
export class FakeTollgate {
  readonly payments = new Map<string, FakePayment>();
  readonly byKey = new Map<string, FakePayment>();
  readonly calls: SeenCall[] = [];
  readonly #server: Server;
  /** A status, a connection dropped at once, or one dropped after the work is done. */
  faults: (number | 'drop' | 'lost')[] = [];

  constructor() {
    this.#server = createServer((request, response) => void this.#respond(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const key = request.headers['idempotency-key'] as string | undefined;
    this.calls.push({ method: request.method ?? '', path: request.url ?? '', key, body });
    const fault = this.faults.shift();
    if (fault === 'drop') return void request.socket.destroy();
    const [status, result] = this.#decide(request, { key, body, fault });
    if (fault === 'lost') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result));
  }

  #decide(
    request: IncomingMessage,
    call: { key: string | undefined; body: string; fault: number | 'lost' | undefined },
  ): [number, unknown] {
    if (typeof call.fault === 'number') return refuse(call.fault, 'made_up_fault');
    if (request.headers.authorization !== `Bearer ${API_KEY}`)
      return refuse(401, 'api_key_invalid');
    if (request.method === 'POST') return [201, this.#create(call.key ?? '', call.body)];
    const payment = this.payments.get((request.url ?? '').replace('/v1/payments/', ''));
    return payment ? [200, payment] : refuse(404, 'resource_missing');
  }

  #create(key: string, body: string): FakePayment {
    const known = this.byKey.get(key);
    if (known) return known;
    const id = `pay_${String(this.payments.size + 1).padStart(26, '0')}`;
    const wanted = JSON.parse(body) as Omit<FakePayment, 'id' | 'object' | 'status'>;
    const checkout_url = `http://localhost:8081/c/${id}`;
    const payment = { ...wanted, id, object: 'payment' as const, status: 'created', checkout_url };
    this.byKey.set(key, payment);
    this.payments.set(id, payment);
    return payment;
  }
}

export interface Stand {
  tollgate: FakeTollgate;
  shop: Shop;
  url: string;
  ordersFile: string;
  /** Closes the shop and opens it again with the same orders. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

/** Opens a shop with a fake API, an empty orders file, and short waits. */
export async function openStand(more: Partial<ShopOptions> = {}): Promise<Stand> {
  const tollgate = new FakeTollgate();
  const folder = await mkdtemp(join(tmpdir(), 'demo-shop-'));
  const options: ShopOptions = {
    port: 0,
    shopUrl: 'http://localhost:8083',
    apiUrl: await tollgate.start(),
    apiKey: API_KEY,
    webhookSecret: SECRET,
    ordersFile: join(folder, 'orders.json'),
    log: pino({ level: 'silent' }),
    retryDelayMs: 5,
    // Tests call `reconcile` instead.
    reconcileIntervalMs: 3_600_000,
    ...more,
  };
  const shop = await createShop(options);
  const stand: Stand = {
    tollgate,
    shop,
    url: `http://127.0.0.1:${shop.port}`,
    ordersFile: options.ordersFile,
    restart: async () => {
      await stand.shop.close();
      stand.shop = await createShop(options);
      stand.url = `http://127.0.0.1:${stand.shop.port}`;
    },
    close: async () => {
      await stand.shop.close();
      await tollgate.stop();
      await rm(folder, { recursive: true });
    },
  };
  return stand;
}

export const TOKEN = 'ab'.repeat(16);

/** Sends the form of the Buy button. */
export function buy(stand: Stand, fields: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams({ sku: 'coffee-pot', token: TOKEN, ...fields });
  return fetch(`${stand.url}/orders`, { method: 'POST', body, redirect: 'manual' });
}

/** Buys something, and returns its payment. */
export async function placeOrder(stand: Stand): Promise<FakePayment> {
  const response = await buy(stand, { token: TOKEN });
  const id = response.headers.get('location')!.split('/').at(-1)!;
  return stand.tollgate.payments.get(id)!;
}

export function makeEvent(type: string, payment: unknown, id = 'evt_1'): string {
  return JSON.stringify({ id, object: 'event', type, data: { object: payment } });
}

/** Delivers the event as Tollgate does. A wrong `secret` or an old `sentAt` spoils it. */
export function deliver(
  stand: Stand,
  body: string,
  how: { secret?: string; sentAt?: Date } = {},
): Promise<Response> {
  const { secret = SECRET, sentAt = new Date() } = how;
  const id = /^{"id":"(\w+)"/.exec(body)?.[1] ?? 'evt_1';
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
  return fetch(`${stand.url}/webhooks`, { method: 'POST', body, headers });
}

/** Polls until `look` returns a truthy value. */
export async function until(look: () => unknown): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error('the condition did not become true in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
