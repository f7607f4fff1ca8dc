/** Concurrent refunds of one payment, and the checks that hold during and after them. */
import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { FinalRefundStatus, RefundTestOutcome } from '../../domain/refund.ts';
import type { PublicPayment, publicRefund } from '../../domain/wire.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Merchant } from '../support/merchant.ts';
import { expectOneResponse, postWithRetries } from './pair.ts';
import type { RetriedResponse } from './pair.ts';
import { until } from '../support/until.ts';

type PublicRefund = ReturnType<typeof publicRefund>;

interface Service {
  readonly mongo: Mongo;
  readonly merchant: Merchant;
  readonly urls: readonly string[];
}

/** Outcomes to choose from. Slow outcomes are rare. */
const OUTCOMES: readonly RefundTestOutcome[] = [
  ...(['complete', 'complete', 'complete', 'fail', 'cancel', 'complete'] as const),
  ...(['complete', 'fail', 'cancel', 'complete_after_5s'] as const),
];
const FINAL_STATUSES: Readonly<Partial<Record<string, FinalRefundStatus>>> = {
  complete: 'completed',
  complete_after_5s: 'completed',
  fail: 'failed',
  cancel: 'canceled',
};

const MAX_AT_ONCE = 8;
/** The slowest outcome takes 5 s. The machine may be busy. */
const LIMIT_MS = 180_000;

interface RefundRequest {
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

/** Returns 2 to 8 requests, spread over all servers. They exceed the payment; some are repeats. */
function makeRequests({ id, amount }: PublicPayment, urls: readonly string[]): RefundRequest[] {
  const count = randomInt(2, MAX_AT_ONCE + 1);
  const least = Math.floor(amount / count) + 1;
  const isSimple = oneIn(3);
  const requests: RefundRequest[] = [];
  for (let n = 0; n < count; n += 1) {
    const url = urls[n % urls.length]!;
    const last = requests.at(-1);
    if (last && oneIn(5)) {
      requests.push({ ...last, url });
      continue;
    }
    const test_outcome = isSimple ? 'complete' : pick(OUTCOMES);
    const body = {
      payment_id: id,
      ...(oneIn(4) ? {} : { amount: randomInt(least, amount + 1) }),
      ...(oneIn(4) ? { expected_refundable: oneIn(2) ? amount : randomInt(amount) } : {}),
      metadata: { test_outcome },
    };
    requests.push({ url, body, key: randomUUID() });
  }
  return requests;
}

interface RefundResponse extends RetriedResponse {
  readonly request: RefundRequest;
  readonly refund: PublicRefund | undefined;
}

const REFUSALS = ['refund_too_large', 'refundable_changed', 'payment_already_refunded'];

async function send({ merchant }: Service, request: RefundRequest): Promise<RefundResponse> {
  const { url, body, key } = request;
  const path = '/v1/refunds';
  const response = await postWithRetries(url, merchant.apiKey, { path, body, key });
  if (response.status === 201) {
    return { ...response, request, refund: JSON.parse(response.text) as PublicRefund };
  }
  const { error } = JSON.parse(response.text) as { error: { code: string } };
  expect(REFUSALS).toContain(error.code);
  return { ...response, request, refund: undefined };
}

const sumOf = (refunds: readonly { amount: number }[]): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Expects the sums in the payment to match its refunds, and not to exceed its amount. Returns true
 * if no refund is pending.
 */
async function checkSums({ mongo, merchant }: Service, id: string): Promise<boolean> {
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
  /** The number of requests. */
  readonly requests: number;
  readonly refunds: readonly PublicRefund[];
  /** How often the sums were checked during the requests and after them. */
  readonly checks: number;
}

/** Pays a payment, sends all refunds at once, and checks the sums until every refund has ended. */
export async function runRound(service: Service): Promise<Round> {
  const { merchant, urls } = service;
  const made = await merchant.create(randomUUID(), { amount: randomInt(1_000, 100_000) });
  const payment = await merchant.outcome(made.id, 'approve');
  const requests = makeRequests(payment, urls);
  let checks = 0;
  const checking = new AbortController();
  const watch = async (): Promise<void> => {
    for (; !checking.signal.aborted; checks += 1) await checkSums(service, payment.id);
  };
  const sent = Promise.all(requests.map(async (request) => send(service, request)));
  try {
    const [responses] = await Promise.all([sent.finally(() => checking.abort()), watch()]);
    const isOver = async (): Promise<boolean> => {
      checks += 1;
      return checkSums(service, payment.id);
    };
    await until(isOver, Boolean, LIMIT_MS);
    const refunds = await expectAccepted(service, payment, responses);
    await expectEvents(service, payment, refunds);
    return { payment, requests: requests.length, refunds, checks };
  } catch (error) {
    throw new Error(`${payment.id}: ${JSON.stringify(requests)}`, { cause: error });
  }
}

/** Expects accepted requests to have made one refund with their outcome, and refused ones none. */
async function expectAccepted(
  { merchant }: Service,
  payment: PublicPayment,
  responses: readonly RefundResponse[],
): Promise<PublicRefund[]> {
  const list = await merchant.call('GET', `/v1/refunds?payment_id=${payment.id}&limit=100`);
  const { data } = list.body as { data: PublicRefund[] };
  const byKey = new Map<string, RefundResponse[]>();
  for (const response of responses) {
    byKey.set(response.request.key, [...(byKey.get(response.request.key) ?? []), response]);
  }
  const unique: RefundResponse[] = [];
  for (const same of byKey.values()) {
    const accepted = same.filter(({ refund }) => refund);
    if (accepted.length === 0) continue;
    expectOneResponse(accepted, 201);
    unique.push(accepted[0]!);
  }
  expect(data.map(({ id }) => id).toSorted()).toEqual(
    unique.map(({ refund }) => refund!.id).toSorted(),
  );
  for (const { refund, request } of unique) {
    const ended = data.find(({ id }) => id === refund!.id)!;
    const { metadata, amount = refund!.amount } = request.body;
    expect(ended).toMatchObject({ amount, status: FINAL_STATUSES[metadata.test_outcome] });
    expect(refund).toMatchObject({ amount, status: 'pending', payment_id: payment.id });
  }
  const after = await merchant.retrieve(payment.id);
  const refunded = sumOf(data.filter(({ status }) => status === 'completed'));
  expect(after).toMatchObject({
    status: 'completed',
    amount_refunded: refunded,
    amount_refundable: payment.amount - refunded,
  });
  // If no refund failed, only one request can have taken all that remained.
  if (data.every(({ status }) => status === 'completed')) {
    const whole = unique.filter(({ request }) => request.body.amount === undefined);
    expect(whole.length).toBeLessThanOrEqual(1);
    if (whole.length === 1) expect(refunded).toBe(payment.amount);
    const first = unique.filter(
      ({ request }) => request.body.expected_refundable === payment.amount,
    );
    expect(first.length).toBeLessThanOrEqual(1);
  }
  return data;
}

/** Expects two events of each refund, and `payment.refunded` with the sum for each completed one. */
async function expectEvents(
  { mongo, merchant }: Service,
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

  const steps = about
    .filter(({ type }) => type === 'payment.refunded')
    .map(({ cause, body }) => {
      const { data } = JSON.parse(body) as { data: { object: PublicPayment } };
      const refund = refunds.find(({ id }) => cause.startsWith(id))!;
      return { amount: refund.amount, payment: data.object };
    });
  let running = 0;
  for (const { amount, payment: seen } of steps.toSorted(
    (a, b) => a.payment.amount_refunded - b.payment.amount_refunded,
  )) {
    running += amount;
    expect(seen.amount_refunded).toBe(running);
    expect(seen.amount_refundable).toBeGreaterThanOrEqual(0);
    expect(seen.amount_refunded + seen.amount_refundable).toBeLessThanOrEqual(payment.amount);
  }
}
