/** Checks all open orders on a timer. This covers lost webhooks and interrupted work. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { Order } from './orders.ts';
import { RETRIEVE_RETRIES, type Payments, type PaymentsOptions } from './payments.ts';

/** Calls at the same time: fast enough, without a burst for the service. */
const CONCURRENCY = 5;
/** After this time no customer still waits for a checkout page. */
const GIVE_UP_AFTER_MS = 15 * 60 * 1_000;

type Context = PaymentsOptions & { payments: Payments };

/** Reconciles at once, then `intervalMs` after the end of each run, until the shop closes. */
export async function reconcileRegularly(context: Context, intervalMs: number): Promise<void> {
  const { signal } = context;
  while (!signal.aborted) {
    await reconcile(context);
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Brings all open orders up to date. Orders that fail stay open until the next run. */
export async function reconcile(context: Context): Promise<void> {
  const open = context.orders.list().filter(({ status, problem }) => status === 'open' && !problem);
  const unpayable = open.filter((order) => order.payment_id === null);
  try {
    await Promise.all([retrieveAll(context, open), createAll(context, unpayable)]);
  } catch (error) {
    context.log.warn({ err: error }, 'reconciliation stopped early; the next one continues');
  }
}

async function retrieveAll(context: Context, open: readonly Order[]): Promise<void> {
  const { orders, payments, tollgate, signal, log } = context;
  const byPayment = new Map(open.map((order) => [order.payment_id, order]));
  const ids = open.flatMap((order) => order.payment_id ?? []);
  const limits = { signal, concurrency: CONCURRENCY, maxRetries: RETRIEVE_RETRIES };
  const found = await tollgate.payments.reconcile(ids, limits);
  for (const payment of [...found.settled, ...found.open]) {
    const order = byPayment.get(payment.id);
    if (order) payments.apply(order, payment, 'found by reconciliation');
  }
  for (const id of found.missing) log.warn({ payment: id }, 'the API has no such payment');
  for (const { id, error } of found.failed) {
    log.warn({ err: error, payment: id }, 'a payment could not be retrieved');
  }
  await orders.save();
}

/** Creates the payments that are still missing. Closes orders that are too old for one. */
async function createAll(context: Context, unpayable: readonly Order[]): Promise<void> {
  const { log } = context;
  // The workers share one iterator, so each order is handled once.
  const next = unpayable.values();
  const work = async (): Promise<void> => {
    for (const order of next) {
      await createOne(context, order).catch((error: unknown) => {
        log.warn({ err: error, order: order.id }, 'the payment of an order could not be created');
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function createOne({ orders, payments, now }: Context, order: Order): Promise<void> {
  if (now().getTime() - Date.parse(order.created_at) <= GIVE_UP_AFTER_MS) {
    await payments.create(order);
    return;
  }
  // If a payment was created after all, nobody has its checkout URL, so nobody can pay it.
  orders.close(order, 'failed', 'No payment could be created in time');
  await orders.save();
}
