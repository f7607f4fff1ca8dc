/** Many refunds of one payment at once, and what has to be true of them all the while and after. */
import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { FinalRefundStatus, RefundTestOutcome } from '../../domain/refund.ts';
import type { PublicPayment, publicRefund } from '../../domain/wire.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Merchant } from '../support/merchant.ts';
import { expectOneAnswer, insist } from './pair.ts';
import type { Insisted } from './pair.ts';
import { until } from '../support/until.ts';

type PublicRefund = ReturnType<typeof publicRefund>;

export interface Ground {
  readonly mongo: Mongo;
  readonly merchant: Merchant;
  readonly urls: readonly string[];
}

/** What each becomes; those that take longest are the rarest. */
const OUTCOMES: readonly RefundTestOutcome[] = [
  ...(['complete', 'complete', 'complete', 'fail', 'cancel', 'complete'] as const),
  ...(['complete', 'fail', 'cancel', 'complete_after_5s'] as const),
];
const ENDS: Readonly<Partial<Record<string, FinalRefundStatus>>> = {
  complete: 'completed',
  complete_after_5s: 'completed',
  fail: 'failed',
  cancel: 'canceled',
};

const MAX_AT_ONCE = 8;
/** A refund is decided 5 s after it was made at the latest; the machine may be busy. */
const LIMIT_MS = 90_000;

interface Wish {
  readonly body: {
    readonly payment_id: string;
    readonly amount?: number;
    readonly expected_refundable?: number;
    readonly metadata: { readonly test_outcome: RefundTestOutcome };
  };
  readonly key: string;
  readonly url: string;
}

const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)]!;
const oneIn = (count: number): boolean => randomInt(count) === 0;

/** 2 to 8 wishes that cannot all be granted, to all servers; some are repeats of one another. */
function wishesFor({ id, amount }: PublicPayment, urls: readonly string[]): Wish[] {
  const count = randomInt(2, MAX_AT_ONCE + 1);
  const least = Math.floor(amount / count) + 1;
  const isSimple = oneIn(3);
  const wishes: Wish[] = [];
  for (let n = 0; n < count; n += 1) {
    const url = urls[n % urls.length]!;
    const last = wishes.at(-1);
    if (last && oneIn(5)) {
      wishes.push({ ...last, url });
      continue;
    }
    const test_outcome = isSimple ? 'complete' : pick(OUTCOMES);
    const body = {
      payment_id: id,
      ...(oneIn(4) ? {} : { amount: randomInt(least, amount + 1) }),
      ...(oneIn(4) ? { expected_refundable: oneIn(2) ? amount : randomInt(amount) } : {}),
      metadata: { test_outcome },
    };
    wishes.push({ url, body, key: randomUUID() });
  }
  return wishes;
}

interface Answered extends Insisted {
  readonly wish: Wish;
  readonly refund: PublicRefund | undefined;
}

const REFUSALS = ['refund_too_large', 'refundable_changed', 'payment_already_refunded'];

async function send({ merchant }: Ground, wish: Wish): Promise<Answered> {
  const { url, body, key } = wish;
  const told = await insist(url, merchant.apiKey, { path: '/v1/refunds', body, key });
  if (told.status === 201) return { ...told, wish, refund: JSON.parse(told.text) as PublicRefund };
  const { error } = JSON.parse(told.text) as { error: { code: string } };
  expect(REFUSALS).toContain(error.code);
  return { ...told, wish, refund: undefined };
}

const sumOf = (refunds: readonly { amount: number }[]): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** Looks at one moment: what is refunded and reserved is what the refunds say, and not too much. */
async function look({ mongo, merchant }: Ground, id: string): Promise<boolean> {
  const seen = await merchant.retrieve(id);
  expect(seen.amount_refundable).toBeGreaterThanOrEqual(0);
  expect(seen.amount_refunded + seen.amount_refundable).toBeLessThanOrEqual(seen.amount);
  return mongo.transact(async (session) => {
    const payment = (await mongo.payments.findOne({ _id: id }, { session }))!;
    const refunds = await mongo.refunds.find({ payment_id: id }, { session }).toArray();
    const pending = sumOf(refunds.filter(({ status }) => status === 'pending'));
    const refunded = sumOf(refunds.filter(({ status }) => status === 'completed'));
    expect(pending + refunded).toBeLessThanOrEqual(payment.amount);
    expect([payment.amount_refunded, payment.refunds?.pending ?? 0]).toEqual([refunded, pending]);
    expect(payment.refunds?.count ?? 0).toBe(refunds.length);
    return pending === 0;
  });
}

export interface Round {
  readonly payment: PublicPayment;
  readonly wishes: number;
  readonly refunds: readonly PublicRefund[];
  readonly looks: number;
}

/** A paid payment, all wishes at once, and looks at it until every refund has ended. */
export async function playRound(ground: Ground): Promise<Round> {
  const { merchant, urls } = ground;
  const made = await merchant.create(randomUUID(), { amount: randomInt(1_000, 100_000) });
  const payment = await merchant.outcome(made.id, 'approve');
  const wishes = wishesFor(payment, urls);
  let looks = 0;
  const looking = new AbortController();
  const watch = async (): Promise<void> => {
    for (; !looking.signal.aborted; looks += 1) await look(ground, payment.id);
  };
  const sent = Promise.all(wishes.map(async (wish) => send(ground, wish)));
  try {
    const [answers] = await Promise.all([sent.finally(() => looking.abort()), watch()]);
    const isOver = async (): Promise<boolean> => {
      looks += 1;
      return look(ground, payment.id);
    };
    await until(isOver, Boolean, LIMIT_MS);
    const refunds = await expectGranted(ground, payment, answers);
    await expectTold(ground, payment, refunds);
    return { payment, wishes: wishes.length, refunds, looks };
  } catch (error) {
    throw new Error(`${payment.id}: ${JSON.stringify(wishes)}`, { cause: error });
  }
}

/** What was accepted is there and ended as its wish has it; what was refused left nothing. */
async function expectGranted(
  { merchant }: Ground,
  payment: PublicPayment,
  answers: readonly Answered[],
): Promise<PublicRefund[]> {
  const list = await merchant.call('GET', `/v1/refunds?payment_id=${payment.id}&limit=100`);
  const { data } = list.body as { data: PublicRefund[] };
  const byKey = new Map<string, Answered[]>();
  for (const answer of answers) {
    byKey.set(answer.wish.key, [...(byKey.get(answer.wish.key) ?? []), answer]);
  }
  const granted: Answered[] = [];
  for (const same of byKey.values()) {
    const accepted = same.filter(({ refund }) => refund);
    if (accepted.length === 0) continue;
    expectOneAnswer(accepted, 201);
    granted.push(accepted[0]!);
  }
  expect(data.map(({ id }) => id).toSorted()).toEqual(
    granted.map(({ refund }) => refund!.id).toSorted(),
  );
  for (const { refund, wish } of granted) {
    const ended = data.find(({ id }) => id === refund!.id)!;
    const { metadata, amount = refund!.amount } = wish.body;
    expect(ended).toMatchObject({ amount, status: ENDS[metadata.test_outcome] });
    expect(refund).toMatchObject({ amount, status: 'pending', payment_id: payment.id });
  }
  const after = await merchant.retrieve(payment.id);
  const refunded = sumOf(data.filter(({ status }) => status === 'completed'));
  expect(after).toMatchObject({
    status: 'completed',
    amount_refunded: refunded,
    amount_refundable: payment.amount - refunded,
  });
  // With nothing given back meanwhile, all that remained can have been taken only once.
  if (data.every(({ status }) => status === 'completed')) {
    const whole = granted.filter(({ wish }) => wish.body.amount === undefined);
    expect(whole.length).toBeLessThanOrEqual(1);
    if (whole.length === 1) expect(refunded).toBe(payment.amount);
    const first = granted.filter(({ wish }) => wish.body.expected_refundable === payment.amount);
    expect(first.length).toBeLessThanOrEqual(1);
  }
  return data;
}

/** One `refund.created` and one end of each, and one `payment.refunded` with the running sum. */
async function expectTold(
  { mongo, merchant }: Ground,
  payment: PublicPayment,
  refunds: readonly PublicRefund[],
): Promise<void> {
  const events = await mongo.events.find({ payment_id: payment.id }).toArray();
  const expected = refunds.flatMap(({ id, status }) => [
    `${id}:refund.created`,
    `${id}:refund.${status}`,
    ...(status === 'completed' ? [`${id}:payment.refunded`] : []),
  ]);
  const about = events.filter(({ type }) => type !== 'payment.completed');
  expect(about.map(({ cause }) => cause).toSorted()).toEqual(expected.toSorted());
  expect(events).toHaveLength(about.length + 1);
  const listed = await merchant.events(payment.id);
  expect(listed.map(({ id }) => id).toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());

  const moves = about
    .filter(({ type }) => type === 'payment.refunded')
    .map(({ cause, body }) => {
      const { data } = JSON.parse(body) as { data: { object: PublicPayment } };
      const refund = refunds.find(({ id }) => cause.startsWith(id))!;
      return { amount: refund.amount, told: data.object };
    });
  let running = 0;
  for (const { amount, told } of moves.toSorted(
    (a, b) => a.told.amount_refunded - b.told.amount_refunded,
  )) {
    running += amount;
    expect(told.amount_refunded).toBe(running);
    expect(told.amount_refundable).toBeGreaterThanOrEqual(0);
    expect(told.amount_refunded + told.amount_refundable).toBeLessThanOrEqual(payment.amount);
  }
}
