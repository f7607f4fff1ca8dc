/** One of everything that the pages of a merchant can show. */
import { ulid } from 'ulid';
import { tagsOf } from '../../domain/call.ts';
import type { Call } from '../../domain/call.ts';
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import type { Delivery, DeliveryAttempt, DeliveryState } from '../../domain/delivery.ts';
import type { Event } from '../../domain/event.ts';
import { PREFIXES } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';
import type { Attempt, Payment, PaymentStatus } from '../../domain/payment.ts';
import { REFUND_STATUSES } from '../../domain/refund.ts';
import { ROLES } from '../../domain/user.ts';
import { createReset } from '../../operations/account.ts';
import * as keys from '../../operations/keys.ts';
import * as team from '../../operations/team.ts';
import { insertCalls } from '../../store/calls.ts';
import { mintId } from '../../store/mint.ts';
import { insertHistory, makeHistory } from '../support/history.ts';
import { insertAll } from '../support/insert.ts';
import { retryUnavailable } from '../support/retry.ts';
import { makeCheck } from '../support/rows/check.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makeEventAbout } from '../support/rows/event.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeReplay } from '../support/rows/replay.ts';
import type { Browser, Ground } from './harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The texts that people enter, in every alphabet, and one that cannot be wrapped. */
const DESCRIPTIONS = [
  'Two tickets, row 7',
  'Երկու բաժակ և թեյնիկ',
  'Два билета на 21 ноября, партер, ряд 7, места 14 и 15',
  `Reference ${'0123456789abcdef'.repeat(5)}`,
];

const LONG_BODY = JSON.stringify({ amount: 12_500, description: 'a'.repeat(5_000) });

/** Returns an id that was created at that time. */
const idAt = (kind: IdKind, at: Date): string => PREFIXES[kind] + ulid(at.getTime());

export type Seed = Awaited<ReturnType<typeof seed>>;

/** Inserts the rows for the merchant of `ground`. Returns an owner's browser, and ids. */
export async function seed(ground: Ground) {
  const owner = await ground.signIn('owner');
  const payments = await seedPayments(ground);
  const month = { fromMs: Date.now() - 29 * DAY_MS, toMs: Date.now(), count: 60 };
  await insertHistory(ground.mongo, makeHistory([ground.tenant], month));
  const paid = payments.find(({ status }) => status === 'completed')!;
  const webhooks = await seedWebhooks(ground, payments);
  await seedKeys(ground);
  const links = await seedTeam(ground, owner);
  const request = await seedCalls(ground, paid._id);
  return { owner, ids: { ...webhooks, ...links, payment: paid._id, request } };
}

/** Requests to the API. Returns the id of one that created the payment. */
async function seedCalls({ mongo, tenant }: Ground, payment: string): Promise<string> {
  const message = 'The amount must be an integer.';
  const calls = [201, 400, 503].map((status): Call => {
    const place = { method: 'POST', path: '/v1/payments', status };
    const made = { _id: mintId('request'), m: tenant, at: new Date(), key_id: mintId('key') };
    const error = status === 201 ? null : { code: 'parameter_invalid', message };
    const sent = { duration_ms: 42, body: LONG_BODY, is_cut: false };
    return { ...made, ...place, ...sent, error, object_id: payment, tags: tagsOf(place) };
  });
  await insertCalls(mongo, calls);
  return calls[0]!._id;
}

/** Payments of the last days in every status, with attempts and refunds. */
async function seedPayments({ mongo, merchant, tenant }: Ground): Promise<Payment[]> {
  const payments = Array.from({ length: 24 }, (_, nth) => {
    const at = new Date(Date.now() - nth * 7 * 60 * MINUTE_MS - MINUTE_MS);
    const status = PAYMENT_STATUSES[nth % PAYMENT_STATUSES.length]!;
    const refunded = status === 'completed' ? 6_000 : 0;
    return makePayment({
      _id: idAt('payment', at),
      merchant_id: merchant._id,
      status,
      amount: 12_500 * (nth + 1) ** 2,
      amount_refunded: refunded,
      ...(refunded > 0 && { refunds: { pending: 500, count: REFUND_STATUSES.length } }),
      order_id: `order-${1000 + nth}`,
      description: DESCRIPTIONS[nth % DESCRIPTIONS.length]!,
      metadata: { basket: `b-${nth}`, cashier: 'Անահիտ' },
      attempts: attemptsOf(status, at),
      failure_code: status === 'failed' ? 'lost_or_stolen' : null,
      created_at: at,
      updated_at: new Date(at.getTime() + 3 * MINUTE_MS),
    });
  });
  await insertAll(mongo.payments, payments);
  const refunds = payments
    .filter(({ status }) => status === 'completed')
    .flatMap(({ _id, created_at }) =>
      REFUND_STATUSES.map((status, nth) => {
        const at = new Date(created_at.getTime() + (nth + 5) * MINUTE_MS);
        return makeRefund({
          _id: idAt('refund', at),
          m: tenant,
          payment_id: _id,
          status,
          amount: status === 'completed' ? 6_000 : 500,
          reason: 'requested_by_customer',
          failure_code: status === 'failed' ? 'refund_declined' : null,
          created_at: at,
          completed_at: status === 'completed' ? at : null,
        });
      }),
    );
  await insertAll(mongo.refunds, refunds);
  return payments;
}

function attemptsOf(status: PaymentStatus, at: Date): Attempt[] {
  if (status === 'canceled' || status === 'expired') return [];
  const declined = makeAttempt({
    created_at: new Date(at.getTime() + MINUTE_MS),
    status: 'declined',
    failure_code: 'insufficient_funds',
  });
  if (status === 'created') return [declined];
  const card = { brand: 'mastercard', last4: '4444' };
  const last = { number: 2, card, created_at: new Date(at.getTime() + 2 * MINUTE_MS) };
  if (status === 'processing') return [declined, makeAttempt(last)];
  if (status === 'completed') return [declined, makeAttempt({ ...last, status: 'approved' })];
  return [declined, makeAttempt({ ...last, status: 'declined', failure_code: 'lost_or_stolen' })];
}

/** Endpoints, events, deliveries in every state, and replays. */
async function seedWebhooks({ mongo, tenant }: Ground, payments: readonly Payment[]) {
  const since = new Date(Date.now() - 2 * DAY_MS);
  const endpoint = makeEndpoint({ m: tenant, description: 'Orders', failing_since: since });
  const long = `https://hooks.shop.example/${'a-long-path/'.repeat(8)}receiver`;
  const off = { status: 'disabled', enabled_events: ['payment.*'] } as const;
  const endpoints = [
    endpoint,
    makeEndpoint({ m: tenant, url: long, ...off, disabled_reason: 'failing' } as never),
    makeEndpoint({ m: tenant, ...off, disabled_reason: 'merchant' } as never),
  ];
  await insertAll(mongo.endpoints, endpoints);
  await mongo.checks.insertOne(makeCheck(endpoint));
  const paid = payments.filter(({ status }) => status === 'completed');
  const at = new Date(Date.now() - 60 * MINUTE_MS);
  const events = [
    ...paid.map((one) => makeEventAbout(one, 'payment.completed', idAt('event', one.updated_at))),
    ...DELIVERY_STATES.map(() => makeEvent({ m: tenant, _id: idAt('event', at), created_at: at })),
  ];
  await insertAll(mongo.events, events);
  const deliveries = events.flatMap((event, nth) =>
    endpoints.slice(0, 2).map(({ _id }, which) => {
      const state = DELIVERY_STATES[(nth + which) % DELIVERY_STATES.length]!;
      return deliveryIn(state, { m: tenant, endpoint_id: _id }, event);
    }),
  );
  await insertAll(mongo.deliveries, deliveries);
  const replay = makeReplay({ m: tenant, endpoint_id: endpoint._id, total: 40, sent: 25 });
  const ended = { m: tenant, endpoint_id: endpoint._id, total: 7, sent: 7 };
  await insertAll(mongo.replays, [
    makeReplay({ ...ended, status: 'completed' }),
    makeReplay({ ...ended, sent: 3, status: 'stopped', stopped_reason: 'asked' }),
    replay,
  ]);
  const failed = deliveries.find(
    ({ state, endpoint_id }) => state === 'failed' && endpoint_id === endpoint._id,
  )!;
  const [event] = events;
  return { endpoint: endpoint._id, event: event!._id, delivery: failed._id, replay: replay._id };
}

function deliveryIn(
  state: DeliveryState,
  of: Pick<Delivery, 'm' | 'endpoint_id'>,
  { _id: event_id, created_at: at }: Event,
): Delivery {
  const [refused, lost] = [attemptAt(1, at, 503), attemptAt(2, at, null)];
  const tries = {
    pending: [refused],
    succeeded: [refused, attemptAt(2, at, 200)],
    failed: [refused, lost],
    skipped: [],
    stopped: [refused, lost],
  };
  const next = state === 'pending' ? new Date(Date.now() + 10 * MINUTE_MS) : null;
  const attempts: DeliveryAttempt[] = tries[state];
  const own = { _id: idAt('delivery', at), event_id, created_at: at };
  return makeDelivery({ ...of, ...own, state, attempts, next_attempt_at: next });
}

/** An attempt with the response of that status, or without one. */
function attemptAt(number: number, start: Date, status: number | null): DeliveryAttempt {
  const isGood = status === 200;
  return {
    number,
    at: new Date(start.getTime() + number * MINUTE_MS),
    duration_ms: status === null ? 15_000 : 184,
    status,
    error: isGood ? null : status === null ? 'timeout' : 'status',
    request: {
      url: 'https://shop.example/hooks',
      headers: [
        ['Content-Type', 'application/json'],
        ['Service-Signature', `v1=${'0f'.repeat(32)}`],
      ],
    },
    response:
      status === null
        ? null
        : {
            headers: [['Content-Type', 'text/html; charset=utf-8']],
            body: isGood ? 'ok' : '<h1>503 Service Unavailable</h1>\n'.repeat(4),
            truncated: !isGood,
          },
    timings: { dns: 3, connect: 12, tls: 24, first_byte: status === null ? null : 180 },
  };
}

/** Besides the first key: one that is replaced, its successor, one that is revoked, two names. */
async function seedKeys({ mongo, merchant: { _id: merchant } }: Ground): Promise<void> {
  const services = { mongo, actor: { type: 'operator', name: 'ann@till' } } as const;
  const create = async (name: string) => {
    const { id } = await keys.createKey(services, { merchant, mode: 'test', name });
    return { merchant, id: String(id) };
  };
  await keys.rollKey(services, { ...(await create('Till 2')), overlap: '24h' });
  await keys.revokeKey(services, await create('Բջջային հավելված'));
  await create('Склад');
}

/** Users of every role, a removed one, two invitations and a link for a new password. */
async function seedTeam(ground: Ground, owner: Browser & { user: { _id: string } }) {
  const [mongo, merchant] = [ground.mongo, ground.merchant._id];
  const services = { mongo, actor: { type: 'user', name: owner.user._id } } as const;
  for (const role of ROLES) await ground.signIn(role);
  const leaving = { merchant, id: (await ground.signIn('support')).user._id };
  await retryUnavailable(async () => team.removeUser(services, leaving));
  const invite = async (email: string) =>
    team.invite(services, { merchant, email, role: 'developer' });
  await invite('somebody.with.a.long.name@accounting.shop.example');
  const invited = await invite('new@shop.example');
  const member = { merchant, id: (await ground.signIn('developer')).user._id };
  const reset = await createReset(services, { ...member, endsSecondStep: false });
  return { invite: invited.token, reset: reset.token };
}
