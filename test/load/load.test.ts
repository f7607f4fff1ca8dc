/** Two hundred payments with every outcome: exactly the promised statuses, events and webhooks. */
import { describe, expect, it } from 'vitest';
import { CASES, byCall, byPages } from './cases.ts';
import type { Case } from './cases.ts';
import { inLanes } from '../support/lanes.ts';
import type { PublicEvent } from '../support/merchant.ts';
import { openStage } from '../support/servers/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/file.ts';

const PAYMENTS = 200;
const LANES = 16;
/** Long enough to act on a payment while the others are acted on too. */
const LIFETIME_MS = 30_000;
/** The longest way: 30 s at the bank, and what comes after it on a busy machine. */
const LIMIT_MS = 90_000;

/** What the merchant's server retrieved at the moment each final webhook arrived. */
const looks: Promise<{ told: PublicEvent; found: string }>[] = [];

const receiver = forFile(await openReceiver());
// Deliveries are counted here, so a slow moment of this machine must not repeat one.
// A decision that a slow moment keeps from being stored must not become the bank's silence.
const env = { BANK_TIMEOUT_SECONDS: '12', WEBHOOK_TIMEOUT_MS: '15000' };
const stage = forFile(await openStage({ file: 'load', env }));
await stage.start();
const merchant = await stage.hire(receiver.url);
receiver.answer = (_, request) => {
  const told = verify(request, merchant.secret);
  const { id } = told.data.object;
  if (told.type !== 'payment.attempt_failed') {
    looks.push(merchant.retrieve(id).then(({ status }) => ({ told, found: status })));
  }
  return { status: 200 };
};

interface Played {
  id: string;
  plan: Case;
}

async function play(index: number): Promise<Played> {
  // Slow cases come first; within a case pages and calls take turns.
  const plan = CASES[Math.floor((index * CASES.length) / PAYMENTS)]!;
  const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
  const fields = plan.isShort ? { expires_at: expiresAt } : {};
  const payment = await merchant.create(`load-${index}`, fields);
  const by = index % 2 === 0 ? byPages : byCall;
  await plan.act(by(merchant, payment));
  return { id: payment.id, plan };
}

/** The payment and its events, once both are what the plan promises or its time is over. */
async function endOf({ id, plan }: Played) {
  const read = async () => {
    const { status, last_attempt: attempt } = await merchant.retrieve(id);
    return { status, attempt: attempt?.status };
  };
  const isThere = (now: Awaited<ReturnType<typeof read>>): boolean =>
    now.status === plan.status && (!plan.attempt || now.attempt === plan.attempt);
  await until(read, isThere, LIMIT_MS).catch((error: unknown) => {
    throw new Error(`${plan.name} (${id})`, { cause: error });
  });
  return merchant.events(id);
}

function promised({ plan }: Played): string[] {
  const declines = Array.from({ length: plan.declines }, () => 'payment.attempt_failed');
  return [...declines, `payment.${plan.status}`];
}

const waiting = async () => stage.mongo.deliveries.find({ state: { $ne: 'succeeded' } }).toArray();

describe('200 payments with every outcome', () => {
  it(
    'end as promised, each told of once, by a webhook that is true when it arrives',
    async () => {
      const numbers = Array.from({ length: PAYMENTS }, (_, index) => index);
      const played = await inLanes(numbers, LANES, async (index) => play(index));
      const events = await inLanes(played, LANES, endOf);
      for (const [index, one] of played.entries()) {
        const types = events[index]!.map(({ type }) => type);
        const isNoticed = one.plan.isSilent === true && types[0] === 'payment.attempt_failed';
        const rest = isNoticed ? types.slice(1) : types;
        expect([one.plan.name, ...rest]).toEqual([one.plan.name, ...promised(one)]);
      }

      const all = events.flat();
      // Told first, so that a failure says which ones are late, and how they stand.
      await until(waiting, (rows) => rows.length === 0, LIMIT_MS);
      const told = receiver.requests.map((request) => verify(request, merchant.secret).id);
      expect(told.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      const rows = { state: 'succeeded', attempts: { $size: 1 } } as const;
      const count = async () => stage.mongo.deliveries.countDocuments(rows);
      await until(count, (succeeded) => succeeded === all.length);

      const seen = await Promise.all(looks);
      expect(seen).toHaveLength(PAYMENTS);
      for (const look of seen) expect(look.found).toBe(look.told.data.object.status);
    },
    4 * LIMIT_MS,
  );
});
