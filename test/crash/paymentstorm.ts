/** Clients that retry while programs are killed, and a check that nothing was lost or doubled. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { payWithOutcome } from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import type { Program } from '../support/servers/programs.ts';
import type { Receiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';

/** A client that retried a dead server without a pause would slow down its restart. */
const PAUSE_MS = 250;
/** A kill comes at a random moment within this time after the last start. */
const MAX_LIFE_MS = 1_500;
/**
 * Each worker that dies inside a transaction may leave its locks for 10 s. A settlement that died
 * with it is repeated after 15 s, a delivery after 30 s. The machine may be busy.
 */
export const STORM_LIMIT_MS = 300_000;

/** Calls `action` until it succeeds. Throws its last error after the limit. */
async function retry<T>(action: () => Promise<T>): Promise<T> {
  const end = Date.now() + STORM_LIMIT_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** Creates a payment, and retries with the same key until it is accepted. */
export async function createWithRetries(merchant: Merchant, key: string): Promise<PublicPayment> {
  return retry(async () => merchant.create(key));
}

/** Pays until the API reports the payment as completed. */
export async function payWithRetries(merchant: Merchant, payment: PublicPayment): Promise<void> {
  await retry(async () => {
    const { status } = await merchant.retrieve(payment.id);
    if (status === 'completed') return;
    // After the bank's decision the form no longer leads to the bank, so this may fail.
    const cause = await payWithOutcome(payment, 'approve').catch((error: unknown) => error);
    throw new Error(`${payment.id} is still ${status}`, { cause });
  });
}

/** Kills a program `count` times at random moments, and restarts it each time. */
export async function killRepeatedly(program: Program, count: number): Promise<void> {
  for (let kills = 0; kills < count; kills += 1) {
    await sleep(Math.random() * MAX_LIFE_MS);
    await program.kill();
    await program.start();
  }
}

interface Clients {
  readonly count: number;
  /** Creates a payment with this key and pays it. */
  readonly buy: (key: string) => Promise<PublicPayment>;
}

/** Has each client buy again and again until the storm is over. Returns all payments. */
export async function buyDuring(
  storm: Promise<unknown>,
  { count, buy }: Clients,
): Promise<PublicPayment[]> {
  const payments: PublicPayment[] = [];
  const over = new AbortController();
  const ended = storm.finally(() => over.abort());
  const shop = async (): Promise<void> => {
    while (!over.signal.aborted) payments.push(await buy(randomUUID()));
  };
  await Promise.all([ended, ...Array.from({ length: count }, shop)]);
  return payments;
}

/**
 * Expects the merchant to have exactly these payments. Each has one event, delivered at least once,
 * and every delivery of an event has the same bytes.
 */
export async function expectConsistent(
  { mongo }: Deployment,
  { merchant, receiver }: { merchant: Merchant; receiver: Receiver },
  payments: readonly PublicPayment[],
): Promise<void> {
  const m = tenantOf(merchant.id, 'test');
  const known = await mongo.payments.find({ m }).toArray();
  expect(known.map(({ _id }) => _id).toSorted()).toEqual(payments.map(({ id }) => id).toSorted());
  const eventIds = await Promise.all(
    payments.map(async ({ id }) => {
      const events = await merchant.events(id);
      const types = events.map(({ type }) => type);
      expect([id, ...types]).toEqual([id, 'payment.completed']);
      return events[0]!.id;
    }),
  );
  const open = async () => mongo.deliveries.find({ m, state: { $ne: 'succeeded' } }).toArray();
  await until(open, ({ length }) => length === 0, STORM_LIMIT_MS);
  expect(await mongo.deliveries.countDocuments({ m })).toBe(payments.length);

  const firsts = new Map<string, Buffer>();
  for (const request of receiver.requests) {
    const { id } = verify(request, merchant.secret);
    const first = firsts.get(id) ?? request.raw;
    expect([id, request.raw.equals(first)]).toEqual([id, true]);
    firsts.set(id, first);
  }
  expect([...firsts.keys()].toSorted()).toEqual(eventIds.toSorted());
}
