/** 200 payments with every outcome have exactly the promised statuses, events and webhooks. */
import { describe, expect, it } from 'vitest';
import { CASES, actByCall, actOnPages } from './cases.ts';
import type { Case } from './cases.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import type { PublicEvent } from '../support/merchant.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

const PAYMENTS = 200;
const CONCURRENCY = 16;
/** Long enough for all steps of a payment while others run. */
const LIFETIME_MS = 30_000;
/** The slowest case waits 30 s for the bank. The machine may be busy. */
const LIMIT_MS = 240_000;

/** Each final event, and the status that the API returned when its webhook arrived. */
const arrivals: Promise<{ event: PublicEvent; status: string }>[] = [];

const receiver = closeAfterTests(await openReceiver());
// Generous limits: a slow machine must not cause repeated deliveries, or a bank that seems silent.
const env = { BANK_TIMEOUT_SECONDS: '25', WEBHOOK_TIMEOUT_MS: '20000' };
const deployment = closeAfterTests(await openDeployment({ file: 'load', env }));
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);
receiver.respond = (_, request) => {
  const event = verify(request, merchant.secret);
  if (event.type !== 'payment.attempt_failed') {
    const found = merchant.retrieve(event.data.object.id);
    arrivals.push(found.then(({ status }) => ({ event, status })));
  }
  return { status: 200 };
};

interface Run {
  id: string;
  plan: Case;
}

async function run(index: number): Promise<Run> {
  // Slow cases come first. Payments of a case alternate between pages and calls.
  const plan = CASES[Math.floor((index * CASES.length) / PAYMENTS)]!;
  const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
  const fields = plan.isShort ? { expires_at: expiresAt } : {};
  const payment = await merchant.create(`load-${index}`, fields);
  const makeActor = index % 2 === 0 ? actOnPages : actByCall;
  await plan.act(makeActor(merchant, payment));
  return { id: payment.id, plan };
}

/** Waits for the end that the plan promises. Returns the payment's events. */
async function eventsOf({ id, plan }: Run) {
  const read = async () => {
    const { status, last_attempt: attempt } = await merchant.retrieve(id);
    return { status, attempt: attempt?.status };
  };
  const hasEnded = (now: Awaited<ReturnType<typeof read>>): boolean =>
    now.status === plan.status && (!plan.attempt || now.attempt === plan.attempt);
  await until(read, hasEnded, LIMIT_MS).catch((error: unknown) => {
    throw new Error(`${plan.name} (${id})`, { cause: error });
  });
  return merchant.events(id);
}

function expectedTypes({ plan }: Run): string[] {
  const declines = Array.from({ length: plan.declines }, () => 'payment.attempt_failed');
  return [...declines, `payment.${plan.status}`];
}

const unfinished = async () =>
  deployment.mongo.deliveries.find({ state: { $ne: 'succeeded' } }).toArray();

describe('200 payments with every outcome', () => {
  it(
    'end as promised, with one webhook each, which has the current status when it arrives',
    async () => {
      const numbers = Array.from({ length: PAYMENTS }, (_, index) => index);
      const runs = await mapConcurrently(numbers, CONCURRENCY, async (index) => run(index));
      const events = await mapConcurrently(runs, CONCURRENCY, eventsOf);
      for (const [index, one] of runs.entries()) {
        const types = events[index]!.map(({ type }) => type);
        const isNoticed = one.plan.isSilent === true && types[0] === 'payment.attempt_failed';
        const rest = isNoticed ? types.slice(1) : types;
        expect([one.plan.name, ...rest]).toEqual([one.plan.name, ...expectedTypes(one)]);
      }

      const all = events.flat();
      // Checked first, so that a failure shows the late deliveries.
      await until(unfinished, (rows) => rows.length === 0, LIMIT_MS);
      const received = receiver.requests.map((request) => verify(request, merchant.secret).id);
      expect(received.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      const rows = { state: 'succeeded', attempts: { $size: 1 } } as const;
      const count = async () => deployment.mongo.deliveries.countDocuments(rows);
      await until(count, (succeeded) => succeeded === all.length);

      const seen = await Promise.all(arrivals);
      expect(seen).toHaveLength(PAYMENTS);
      for (const { event, status } of seen) expect(status).toBe(event.data.object.status);
    },
    4 * LIMIT_MS,
  );
});
