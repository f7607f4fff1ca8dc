/** Clients that insist while programs die around them, and what has to be true afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import type { PublicPayment } from '../../domain/wire.ts';
import { payAs } from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Stage } from '../support/servers/processes.ts';
import type { Receiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';

/** A client that hammers a dead server would take the time that its restart needs. */
const PAUSE_MS = 250;
/**
 * Each worker that dies inside a transaction may leave its locks for 10 s; the settling that died
 * with it is repeated after 15 s, a delivery after 30 s, and the machine may be busy.
 */
export const STORM_LIMIT_MS = 200_000;

/** Tries again and again until it works once. Throws the last error after the limit. */
async function insist<T>(action: () => Promise<T>): Promise<T> {
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

/** Creates a payment with one key until it is accepted, as a merchant's server would. */
export async function createForSure(merchant: Merchant, key: string): Promise<PublicPayment> {
  return insist(async () => merchant.create(key));
}

/** Pays until the merchant's side says that it is paid. */
export async function payForSure(merchant: Merchant, payment: PublicPayment): Promise<void> {
  await insist(async () => {
    const { status } = await merchant.retrieve(payment.id);
    if (status === 'completed') return;
    // Once the bank has decided the form leads to no bank, which is an error like any other here.
    const cause = await payAs(payment, 'approve').catch((error: unknown) => error);
    throw new Error(`${payment.id} is still ${status}`, { cause });
  });
}

/** Nothing is lost and nothing doubled: throws what is not as it has to be. */
export async function expectWhole(
  { mongo }: Stage,
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
