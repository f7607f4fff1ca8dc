/** Merchants with long lists, and the writers who create and change what is in them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EventType } from '../../domain/event.ts';
import { firstIdAt } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import type { PaymentStatus } from '../../domain/payment.ts';
import type { RefundStatus } from '../../domain/refund.ts';
import type { Mongo } from '../../store/mongo.ts';
import { insist } from '../support/insist.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeTold } from '../support/told.ts';
import { until } from '../support/until.ts';
import { PAYMENT, makeTenant } from './harness.ts';
import type { RecordingTemporal, Reply, RunningApi, Tenant } from './harness.ts';
import { insertAll } from '../support/insert.ts';

export interface Town {
  readonly mongo: Mongo;
  readonly temporal: RecordingTemporal;
  /** Servers of the one database. */
  readonly servers: readonly RunningApi[];
}

export interface Shop {
  /** Every server, with the merchant's key. */
  readonly doors: readonly RunningApi[];
  /** Of the objects that were there at first, oldest first. */
  readonly ids: readonly string[];
  /** One write of a writer: something new, and a change to something that was there. */
  write(writer: number, round: number): Promise<void>;
}

const WRITERS = 5;
/**
 * After the first write of a writer, and so much longer after each further one (ms): a walk towards
 * the newer must be able to catch up, on a slow machine too.
 */
const PAUSE_MS = 200;
const LONGER_MS = 20;
/** Payments that objects are spread over, and orders that payments are. */
export const GROUPS = 10;

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 100;
/** Three objects in each moment, so that bounds of time lie beside objects that share it. */
export const timeAt = (index: number): number => START_MS + Math.floor(index / 3) * STEP_MS;

let opened = 0;

/** Ids of one list, in its order; no two shops have one in common. */
function idsOf(kind: IdKind, count: number): string[] {
  opened += 1;
  const shop = String(opened).padStart(4, '0');
  return Array.from({ length: count }, (_, index) => {
    return firstIdAt(kind, timeAt(index)).slice(0, -9) + shop + String(index).padStart(5, '0');
  });
}

/** Does the work while all writers write, and they have done so before it ends. */
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
  // A writer that fails says so at once, and not after a walk that takes its time.
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

const doorsOf = ({ servers }: Town, tenant: Tenant): RunningApi[] =>
  servers.map((server) => persistent(server.as(tenant)));

const nth = <T>(items: readonly T[], index: number): T => items[index % items.length]!;

/** Those with the last of these statuses are moved to the bank and back again by writers. */
const STATUSES: readonly PaymentStatus[] = ['completed', 'created', 'failed', 'created'];
export const paymentStatusAt = (index: number): PaymentStatus => nth(STATUSES, index);
export const isMoved = (index: number): boolean => index % STATUSES.length === 3;

export async function openPaymentShop(town: Town, count: number): Promise<Shop> {
  const { mongo } = town;
  const tenant = await makeTenant(mongo);
  const doors = doorsOf(town, tenant);
  const { merchantId: merchant_id } = tenant;
  const ids = idsOf('payment', count);
  const rows = ids.map((_id, index) => {
    const order_id = `order-${index % GROUPS}`;
    return makePayment({ _id, merchant_id, status: paymentStatusAt(index), order_id });
  });
  await insertAll(mongo.payments, rows);
  const moved = ids.filter((_, index) => isMoved(index));
  return {
    doors,
    ids,
    async write(writer, round) {
      const door = nth(doors, round);
      const body = { ...PAYMENT, order_id: `order-${round % GROUPS}` };
      const id = await must(201, door.send('POST', '/v1/payments', { body }));
      if (round % 2 === 0) await must(200, door.send('POST', `/v1/payments/${id}/cancel`));
      const _id = nth(moved, round * WRITERS + writer);
      const [there, back] = [{ status: 'processing' }, { status: 'created' }] as const;
      const to = round % 2 ? back : there;
      await insist(async () => mongo.payments.updateOne({ _id, ...back }, { $set: there }));
      await insist(async () => mongo.payments.updateOne({ _id, ...there }, { $set: to }));
    },
  };
}

const REFUND_STATUSES: readonly RefundStatus[] = ['completed', 'failed', 'pending'];
export const refundStatusAt = (index: number): RefundStatus => nth(REFUND_STATUSES, index);

/** Writers refund a payment of their own, and bring what they began to its end. */
export async function openRefundShop(town: Town, count: number) {
  const { mongo, temporal } = town;
  const tenant = await makeTenant(mongo);
  const doors = doorsOf(town, tenant);
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
    const id = await must(201, nth(doors, round).send('POST', '/v1/refunds', { body }));
    if (round % 2 === 0) await insist(async () => temporal.settleRefund(id));
  };
  return { doors, ids, write, payments: payments.map(({ _id }) => _id) };
}

const TYPES: readonly EventType[] = ['payment.completed', 'refund.created', 'payment.failed'];
export const typeAt = (index: number): EventType => nth(TYPES, index);

/** Writers create payments and cancel them. */
export async function openEventShop(town: Town, count: number) {
  const { mongo } = town;
  const tenant = await makeTenant(mongo);
  const doors = doorsOf(town, tenant);
  const { m, merchantId: merchant_id } = tenant;
  const payments = idsOf('payment', GROUPS);
  const ids = idsOf('event', count);
  const rows = ids.map((id, index) => {
    const [type, payment_id] = [typeAt(index), nth(payments, index)];
    const about = type.startsWith('refund')
      ? makeRefund({ m, payment_id })
      : makePayment({ merchant_id, _id: payment_id });
    return makeTold(about, type, id);
  });
  await insertAll(mongo.events, rows);
  const write = async (_: number, round: number): Promise<void> => {
    const door = nth(doors, round);
    const id = await must(201, door.send('POST', '/v1/payments', { body: PAYMENT }));
    await must(200, door.send('POST', `/v1/payments/${id}/cancel`));
  };
  return { doors, ids, write, payments };
}
