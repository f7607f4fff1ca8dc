/** Merchants with long lists, and writers that create and change objects in them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EventType } from '../../domain/event.ts';
import { firstIdAt } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import type { PaymentStatus } from '../../domain/payment.ts';
import type { RefundStatus } from '../../domain/refund.ts';
import type { Mongo } from '../../store/mongo.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeEventAbout } from '../support/rows/event.ts';
import { until } from '../support/until.ts';
import { PAYMENT, makeTenant } from './harness.ts';
import type { RecordingTemporal, Reply, RunningApi, Tenant } from './harness.ts';
import { insertAll } from '../support/insert.ts';

export interface Cluster {
  readonly mongo: Mongo;
  readonly temporal: RecordingTemporal;
  /** Servers with the same database. */
  readonly servers: readonly RunningApi[];
}

export interface Shop {
  /** Every server, with the merchant's key. */
  readonly clients: readonly RunningApi[];
  /** The ids of the first objects, oldest first. */
  readonly ids: readonly string[];
  /** Writes once: creates an object, and changes an old one. */
  write(writer: number, round: number): Promise<void>;
}

const WRITERS = 5;
/**
 * The pause after a writer's first write, and its growth after each further one. It lets a walk
 * towards newer objects catch up, even on a slow machine.
 */
const PAUSE_MS = 200;
const LONGER_MS = 20;
/** The number of payments with refunds and events, and of orders with payments. */
export const GROUPS = 10;

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 100;
/** Returns the time of an object. Three share each time, so bounds lie next to equal times. */
export const timeAt = (index: number): number => START_MS + Math.floor(index / 3) * STEP_MS;

let opened = 0;

/** Returns ids of one list, in its order. No two merchants share one. */
function idsOf(kind: IdKind, count: number): string[] {
  opened += 1;
  const shop = String(opened).padStart(4, '0');
  return Array.from({ length: count }, (_, index) => {
    return firstIdAt(kind, timeAt(index)).slice(0, -9) + shop + String(index).padStart(5, '0');
  });
}

/** Does the work while all writers write. Each must have written at least once. */
export async function whileWriting<T>(shop: Shop, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const write = async (writer: number): Promise<number> => {
    let round = 0;
    for (; !over.signal.aborted; round += 1) {
      await shop.write(writer, round);
      await sleep(PAUSE_MS + round * LONGER_MS);
    }
    return round;
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => write(writer));
  // Fails at once if a writer fails.
  const failed = Promise.all(writers).then(() => new Promise<never>(() => undefined));
  const done = await Promise.race([work(), failed]).finally(() => over.abort());
  for (const rounds of await Promise.all(writers)) expect(rounds).toBeGreaterThan(0);
  return done;
}

async function must(status: number, sent: Promise<Reply>): Promise<string> {
  const { status: got, text, json } = await sent;
  if (got !== status) throw new Error(`${got} instead of ${status}: ${text}`);
  return (json as { id: string }).id;
}

const UNAVAILABLE = 503;

/** Repeats each request, with the same idempotency key, while the reply is 503. */
function persistent(api: RunningApi): RunningApi {
  return {
    ...api,
    async send(method, path, sent) {
      const request = method === 'POST' ? { ...sent, key: randomUUID() } : sent;
      const send = async (): Promise<Reply> => api.send(method, path, request);
      return until(send, ({ status }) => status !== UNAVAILABLE);
    },
  };
}

const clientsOf = ({ servers }: Cluster, tenant: Tenant): RunningApi[] =>
  servers.map((server) => persistent(server.as(tenant)));

const nth = <T>(items: readonly T[], index: number): T => items[index % items.length]!;

/** Writers move payments with the last of these statuses to the bank and back. */
const STATUSES: readonly PaymentStatus[] = ['completed', 'created', 'failed', 'created'];
export const paymentStatusAt = (index: number): PaymentStatus => nth(STATUSES, index);
export const isMoved = (index: number): boolean => index % STATUSES.length === 3;

export async function openPaymentShop(cluster: Cluster, count: number): Promise<Shop> {
  const { mongo } = cluster;
  const tenant = await makeTenant(mongo);
  const clients = clientsOf(cluster, tenant);
  const { merchantId: merchant_id } = tenant;
  const ids = idsOf('payment', count);
  const rows = ids.map((_id, index) => {
    const order_id = `order-${index % GROUPS}`;
    return makePayment({ _id, merchant_id, status: paymentStatusAt(index), order_id });
  });
  await insertAll(mongo.payments, rows);
  const moved = ids.filter((_, index) => isMoved(index));
  return {
    clients,
    ids,
    async write(writer, round) {
      const client = nth(clients, round);
      const body = { ...PAYMENT, order_id: `order-${round % GROUPS}` };
      const id = await must(201, client.send('POST', '/v1/payments', { body }));
      if (round % 2 === 0) await must(200, client.send('POST', `/v1/payments/${id}/cancel`));
      const _id = nth(moved, round * WRITERS + writer);
      const [there, back] = [{ status: 'processing' }, { status: 'created' }] as const;
      const to = round % 2 ? back : there;
      await retryUnavailable(async () =>
        mongo.payments.updateOne({ _id, ...back }, { $set: there }),
      );
      await retryUnavailable(async () => mongo.payments.updateOne({ _id, ...there }, { $set: to }));
    },
  };
}

const REFUND_STATUSES: readonly RefundStatus[] = ['completed', 'failed', 'pending'];
export const refundStatusAt = (index: number): RefundStatus => nth(REFUND_STATUSES, index);

/** Creates a list of refunds. Writers create refunds and settle them. */
export async function openRefundShop(cluster: Cluster, count: number) {
  const { mongo, temporal } = cluster;
  const tenant = await makeTenant(mongo);
  const clients = clientsOf(cluster, tenant);
  const { m, merchantId: merchant_id } = tenant;
  const payments = Array.from({ length: Math.max(GROUPS, WRITERS) }, () =>
    makePayment({ merchant_id, status: 'completed' }),
  );
  await insertAll(mongo.payments, payments);
  const ids = idsOf('refund', count);
  const rows = ids.map((_id, index) => {
    return makeRefund({
      _id,
      m,
      payment_id: nth(payments, index)._id,
      status: refundStatusAt(index),
    });
  });
  await insertAll(mongo.refunds, rows);
  const write = async (writer: number, round: number): Promise<void> => {
    const body = { payment_id: payments[writer]!._id, amount: 10 };
    const id = await must(201, nth(clients, round).send('POST', '/v1/refunds', { body }));
    if (round % 2 === 0) await retryUnavailable(async () => temporal.settleRefund(id));
  };
  return { clients, ids, write, payments: payments.map(({ _id }) => _id) };
}

const TYPES: readonly EventType[] = ['payment.completed', 'refund.created', 'payment.failed'];
export const typeAt = (index: number): EventType => nth(TYPES, index);

/** Creates a list of events. Writers create payments and cancel them. */
export async function openEventShop(cluster: Cluster, count: number) {
  const { mongo } = cluster;
  const tenant = await makeTenant(mongo);
  const clients = clientsOf(cluster, tenant);
  const { m, merchantId: merchant_id } = tenant;
  const payments = idsOf('payment', GROUPS);
  const ids = idsOf('event', count);
  const rows = ids.map((id, index) => {
    const [type, payment_id] = [typeAt(index), nth(payments, index)];
    const about = type.startsWith('refund')
      ? makeRefund({ m, payment_id })
      : makePayment({ merchant_id, _id: payment_id });
    return makeEventAbout(about, type, id);
  });
  await insertAll(mongo.events, rows);
  const write = async (_: number, round: number): Promise<void> => {
    const client = nth(clients, round);
    const id = await must(201, client.send('POST', '/v1/payments', { body: PAYMENT }));
    await must(200, client.send('POST', `/v1/payments/${id}/cancel`));
  };
  return { clients, ids, write, payments };
}
