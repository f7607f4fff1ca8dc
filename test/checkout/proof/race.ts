/** A real server and worker for races, and the check that all sides know the same end. */
import { expect, inject } from 'vitest';
import { tenantOf } from '../../../domain/merchant.ts';
import type { PublicPayment } from '../../../domain/wire.ts';
import { closeAfterTests } from '../../support/close.ts';
import { mapConcurrently } from '../../support/concurrent.ts';
import { CARD } from '../../support/customer.ts';
import type { Merchant } from '../../support/merchant.ts';
import { openReceiver } from '../../support/receiver.ts';
import { openDeployment } from '../../support/servers/deployment.ts';
import { takeEvents } from '../../support/signature.ts';
import { until } from '../../support/until.ts';
import { open, submitUntilTaken } from './tab.ts';
import type { Form } from './tab.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly proof: { readonly rounds: number; readonly clicks: number };
  }
}

/** Rounds at the same time. */
const CONCURRENCY = 16;
const FINAL = ['completed', 'failed', 'canceled', 'expired'];

const { rounds } = inject('proof');
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(await openDeployment({ file: 'races' }));
await deployment.start();
export const merchant: Merchant = await deployment.createMerchant(receiver.url);
const received = takeEvents(receiver, merchant.secret);

/** One round: acts on a new payment, and returns the name of its result. */
export type Round = (payment: PublicPayment, nth: number) => Promise<string>;

const makePayment = async (key: string): Promise<PublicPayment> => merchant.create(key);

/** Runs the rounds of a race. Checks that page, API, events and webhooks agree on each payment. */
export async function race(name: string, round: Round, create = makePayment): Promise<void> {
  const counts: Record<string, number> = {};
  const nths = Array.from({ length: rounds }, (_, nth) => nth);
  const payments = await mapConcurrently(nths, CONCURRENCY, async (nth) => {
    const payment = await create(`${name.replaceAll(' ', '-')}-${nth}`);
    const result = await round(payment, nth);
    counts[result] = (counts[result] ?? 0) + 1;
    return payment;
  });
  await until(
    async () =>
      deployment.mongo.deliveries.countDocuments({
        m: tenantOf(merchant.id, 'test'),
        state: 'pending',
      }),
    (count) => count === 0,
  );
  const sent = webhooks();
  await mapConcurrently(payments, CONCURRENCY, async (payment) => checkTruth(payment, sent));
  console.log(`${name}:`, counts);
}

/** Returns the types of the webhooks of every payment, each event once. */
function webhooks(): Map<string, string[]> {
  const byPayment = new Map<string, string[]>();
  for (const event of new Map(received.map((each) => [each.id, each])).values()) {
    const { id } = event.data.object;
    byPayment.set(id, [...(byPayment.get(id) ?? []), event.type]);
  }
  return byPayment;
}

/** Checks that all sides know the same end of a payment, and that it has one. */
async function checkTruth(
  { id, checkout_url: url }: PublicPayment,
  sent: ReadonlyMap<string, string[]>,
): Promise<void> {
  const { status } = await merchant.retrieve(id);
  const { view } = await open(url);
  const types = (await merchant.events(id)).map(({ type }) => type);
  const terminal = types.filter((type) => FINAL.includes(type.replace('payment.', '')));
  const told = (sent.get(id) ?? []).toSorted();
  expect([id, view, terminal, told]).toEqual([id, status, [`payment.${status}`], types.toSorted()]);
}

export const openCardForm = async ({ checkout_url: url }: PublicPayment): Promise<Form> =>
  (await open(url)).form('card-form');

/** Goes to the bank. Returns its form. */
export async function goToBank(payment: PublicPayment): Promise<Form> {
  const { to } = await submitUntilTaken(await openCardForm(payment), CARD);
  return (await open(to)).form('bank-form');
}

/** Waits until the page shows that the payment has ended. Returns how. */
export async function seeEnd({ checkout_url: url }: PublicPayment): Promise<string> {
  const { view } = await until(
    async () => open(url),
    (page) => FINAL.includes(page.view),
  );
  return view;
}

export async function attemptsOf({ id }: PublicPayment): Promise<number> {
  return (await merchant.retrieve(id)).attempts_count;
}
