/** Merchants and customers who create, pay, cancel and refund, and the check of what is left. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { tenantOf } from '../../domain/merchant.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { CARD } from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { makeClient } from './client.ts';
import type { Client, Counts } from './client.ts';

const POLL_MS = 100;
/** Deliveries that a stopping worker left take 30 s at most, on a machine that is not busy. */
const SETTLED_LIMIT_MS = 120_000;

/** The events of each kind of purchase. */
const EVENTS = {
  'paid on pages, and refunded': [
    'payment.completed',
    'payment.refunded',
    'refund.completed',
    'refund.created',
  ],
  'paid by the test call': ['payment.completed'],
  canceled: ['payment.canceled'],
} as const;

type Kind = keyof typeof EVENTS;

const KINDS = Object.keys(EVENTS) as Kind[];

interface Purchase {
  readonly kind: Kind;
  readonly id: string;
  readonly refund?: string;
}

export interface Shoppers {
  readonly counts: Counts;
  /** Resolves after this number of further requests has succeeded. */
  served(more: number): Promise<void>;
  /** Ends the load after the purchases under way, and returns all purchases. */
  finish(): Promise<Purchase[]>;
}

interface Shop {
  readonly merchant: Merchant;
  readonly apiUrl: string;
}

/** Starts `lanes` of purchases, one after the other in each. */
export function startShoppers(shop: Shop, lanes: number): Shoppers {
  const client = makeClient();
  const purchases: Purchase[] = [];
  const over = new AbortController();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) {
      next += 1;
      purchases.push(await buy(client, shop, KINDS[next % KINDS.length]!));
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    counts: client.counts,
    async served(more) {
      const enough = client.counts.answered + more;
      const isEnough = until(
        () => client.counts.answered,
        (count) => count >= enough,
      );
      await Promise.race([isEnough, running]);
    },
    async finish() {
      over.abort();
      await running;
      return purchases;
    },
  };
}

async function buy(client: Client, { merchant, apiUrl }: Shop, kind: Kind): Promise<Purchase> {
  const { apiKey } = merchant;
  const call = async (path: string, body?: object): Promise<PublicPayment> => {
    const request = { url: `${apiUrl}${path}`, apiKey };
    // Each request has a key of its own, which its repeats share.
    const post = body ? { body, key: randomUUID() } : {};
    const { text } = await client.send({ ...request, ...post });
    return JSON.parse(text) as PublicPayment;
  };
  const untilCompleted = async (path: string): Promise<void> => {
    while ((await call(path)).status !== 'completed') await sleep(POLL_MS);
  };
  const created = await call('/v1/payments', {
    amount: 12_500,
    currency: 'AMD',
    order_id: randomUUID(),
    return_url: 'https://shop.example/',
  });
  const { id } = created;
  if (kind === 'canceled') {
    await call(`/v1/payments/${id}/cancel`, {});
    return { kind, id };
  }
  if (kind === 'paid by the test call') {
    await call(`/v1/test/payments/${id}/outcome`, { outcome: 'approve' });
    await untilCompleted(`/v1/payments/${id}`);
    return { kind, id };
  }
  await payOnPages(client, created);
  await untilCompleted(`/v1/payments/${id}`);
  const { id: refund } = await call('/v1/refunds', { payment_id: id, amount: 2_500 });
  await untilCompleted(`/v1/refunds/${refund}`);
  return { kind, id, refund };
}

async function payOnPages(client: Client, { checkout_url: url }: PublicPayment): Promise<void> {
  await client.send({ url });
  const submit = async (form: string, fields: Record<string, string>): Promise<string> => {
    const { response } = await client.send({ url: form, body: new URLSearchParams(fields) });
    return new URL(response.headers.get('location') ?? '', form).href;
  };
  await submit(await submit(`${url}/pay`, CARD), { outcome: 'approve' });
}

export interface Findings {
  /** Accepted payments, refunds and webhooks that are missing. */
  readonly lost: readonly string[];
  /** Events and webhooks that nobody caused, or that exist twice. */
  readonly doubled: readonly string[];
  /** The number of webhooks that were received. */
  readonly webhooks: number;
}

/** Compares the purchases with what is stored, and with what the receiver got. */
export async function compare(
  { mongo }: Deployment,
  { merchant, receiver }: { merchant: Merchant; receiver: Receiver },
  purchases: readonly Purchase[],
): Promise<Findings> {
  const m = tenantOf(merchant.id, 'test');
  const pending = async () => mongo.deliveries.countDocuments({ m, state: 'pending' });
  await until(pending, (count) => count === 0, SETTLED_LIMIT_MS);
  const [payments, refunds, events] = await Promise.all([
    mongo.payments.find({ m }).toArray(),
    mongo.refunds.find({ m }).toArray(),
    mongo.events.find({ m }).toArray(),
  ]);
  const wanted = [
    ...purchases.flatMap(({ id, refund }) => (refund ? [id, refund] : [id])),
    ...purchases.flatMap(({ id, kind }) => EVENTS[kind].map((type) => `${id} ${type}`)),
    ...events.map(({ _id }) => `webhook ${_id}`),
  ];
  const found = [
    ...[...payments, ...refunds].map(({ _id }) => _id),
    ...events.map(({ payment_id: id, type }) => `${id} ${type}`),
    ...receiver.requests.map((request) => `webhook ${verify(request, merchant.secret).id}`),
  ];
  const { length } = receiver.requests;
  return { lost: without(wanted, found), doubled: without(found, wanted), webhooks: length };
}

/** Returns `these` without `those`. A text that is there twice is removed twice. */
function without(these: readonly string[], those: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const text of those) left.set(text, (left.get(text) ?? 0) + 1);
  return these.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
