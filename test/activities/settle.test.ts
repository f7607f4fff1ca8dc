import { beforeEach, describe, expect, it } from 'vitest';
import { API_VERSION, eventBody } from '../../domain/event.ts';
import { MAX_ATTEMPTS, MAX_VISITS } from '../../domain/payment.ts';
import type { PaymentEventType, PaymentStatus } from '../../domain/payment.ts';
import type { DecisionName } from '../../domain/bank.ts';
import type { Message } from '../../domain/verdict.ts';
import { publicPayment } from '../../domain/wire.ts';
import { claimRequest } from '../../store/requests.ts';
import { chooseAtBank, turnBackAtBank } from '../support/bank.ts';
import { makeAttempt } from '../support/rows/payment.ts';
import { LINKS } from '../support/worker.ts';
import { openSettleGround } from './ground.ts';
import { closeAfterTests } from '../support/close.ts';

const LIFETIME_MS = 30 * 60 * 1000;

const ground = closeAfterTests(await openSettleGround('settle'));
beforeEach(() => {
  ground.started.length = 0;
  ground.beforeStart = () => undefined;
  ground.gate = undefined;
});

const CANCEL = { kind: 'cancel', by: 'merchant', request_id: 'req_none' } as const;

/** Stores the row of the request behind the workflow's message. */
async function request(tenant: string, paymentId: string) {
  const { row } = await claimRequest(ground.mongo, {
    m: tenant,
    payment_id: paymentId,
    op: `cancel:${paymentId}`,
    k: 'key-1',
    request: '{}',
    reason: 'Sold out',
    created_at: new Date(),
  });
  return row;
}

describe('settlePayment, if the receiver is busy', () => {
  it('starts a delivery for a later time, and keeps that time in a repeat', async () => {
    const asked: string[] = [];
    ground.gate = {
      foresee: ({ _id }) => {
        asked.push(_id);
        return { waitMs: 60_000 * asked.length };
      },
    };
    const payment = await ground.begin({}, [{}]);
    const begunMs = Date.now();
    await ground.settle(payment._id, CANCEL);
    const [row] = await ground.deliveriesOf(payment.m);
    expect(row!.next_attempt_at!.getTime()).toBeGreaterThanOrEqual(begunMs + 60_000);
    await ground.settle(payment._id, CANCEL);
    expect(await ground.deliveriesOf(payment.m)).toEqual([row]);
    expect(ground.started).toEqual([row!._id, row!._id]);
    expect(asked).toHaveLength(1);
  });
});

describe('settlePayment, if there is nothing to do', () => {
  it('returns "missing" for a payment that does not exist', async () => {
    const result = await ground.settle('pay_missing');
    expect(result).toEqual({ status: 'missing', done: true, wake_at_ms: 0 });
  });

  it('returns the time until which to wait', async () => {
    const payment = await ground.begin({}, [{}]);
    const result = await ground.settle(payment._id);
    const wakeAt = payment.expires_at.getTime();
    expect(result).toEqual({ status: 'created', done: false, wake_at_ms: wakeAt });
    expect(await ground.read(payment._id)).toEqual(payment);
  });

  it.each([
    ['completed', CANCEL],
    ['failed', CANCEL],
    ['canceled', CANCEL],
    ['expired', { kind: 'expire', request_id: 'req_none' }],
  ] as [PaymentStatus, Message][])('never leaves "%s"', async (status, message) => {
    const payment = await ground.begin({ status }, [{}]);
    const later = new Date(Date.now() + 10 * LIFETIME_MS);
    const result = await ground.settle(payment._id, message, later);
    expect(result).toEqual({ status, done: true, wake_at_ms: 0 });
    expect(await ground.read(payment._id)).toEqual(payment);
    expect(await ground.eventsOf(payment.m)).toEqual([]);
  });

  it('changes nothing for a decline that is not due yet', async () => {
    const payment = await ground.begin();
    const now = new Date();
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'decline_after_30s', now });
    const result = await ground.settle(payment._id, CANCEL, now);
    const wakeAt = now.getTime() + 30_000;
    expect(result).toEqual({ status: 'processing', done: false, wake_at_ms: wakeAt });
  });
});

interface Edge {
  edge: string;
  outcome?: DecisionName;
  message?: Message;
  late?: boolean;
  to: PaymentStatus;
  type: PaymentEventType;
}

const EDGES: Edge[] = [
  { edge: 'approved', outcome: 'approve', to: 'completed', type: 'payment.completed' },
  { edge: 'declined', outcome: 'expired_card', to: 'created', type: 'payment.attempt_failed' },
  {
    edge: 'declined_at_end',
    outcome: 'decline_after_30s',
    late: true,
    to: 'expired',
    type: 'payment.expired',
  },
  {
    edge: 'declined_for_good',
    outcome: 'lost_or_stolen',
    to: 'failed',
    type: 'payment.failed',
  },
  { edge: 'canceled', message: CANCEL, to: 'canceled', type: 'payment.canceled' },
  { edge: 'expired', late: true, to: 'expired', type: 'payment.expired' },
];

describe.each(EDGES)('the transition "$edge"', ({ edge, outcome, message, late, to, type }) => {
  it('writes status, event and deliveries together, once', async () => {
    const family = 'payment.*';
    const payment = await ground.begin({}, [
      { enabled_events: ['*'] },
      { enabled_events: [family], status: 'disabled', disabled_reason: 'merchant' },
      { enabled_events: ['refund.completed', 'webhook_endpoint.*'] },
      { status: 'deleted' },
    ]);
    const { _id: id, m: tenant } = payment;
    if (outcome) await chooseAtBank(ground.mongo, id, { outcome });
    const now = new Date(Date.now() + (late ? LIFETIME_MS + 1_000 : 0));
    const result = await ground.settle(id, message, now);
    const after = await ground.read(id);
    expect(result.status).toBe(to);
    expect(after).toMatchObject({ status: to, updated_at: now });
    expect(after.open).toBe(to === 'created' ? true : undefined);

    const events = await ground.eventsOf(tenant);
    const attempt = after.attempts[0]?.id;
    const cause = [id, attempt, edge].filter((part) => part !== undefined).join(':');
    expect(events).toMatchObject([{ m: tenant, type, payment_id: id, cause }]);
    const [event] = events;
    const object = publicPayment(after, LINKS);
    const { _id: eventId, created_at: createdAt } = event!;
    const parts = { id: eventId, type, createdAt, livemode: false, object, request: null };
    expect(event!.body).toBe(eventBody(parts));
    expect(JSON.parse(event!.body)).toMatchObject({ api_version: API_VERSION, data: { object } });

    const rows = await ground.deliveriesOf(tenant);
    const deliveries = rows.toSorted((a, b) => a.state.localeCompare(b.state));
    expect(deliveries).toMatchObject([
      { event_id: eventId, state: 'pending', next_attempt_at: createdAt, attempts: [] },
      { event_id: eventId, state: 'skipped', next_attempt_at: null, attempts: [] },
    ]);
    expect(ground.started).toEqual([deliveries[0]!._id]);
  });
});

describe('the request behind a change', () => {
  it('is in the event of a cancel by the merchant, and its reason is in the payment', async () => {
    const payment = await ground.begin();
    const row = await request(payment.m, payment._id);
    await ground.settle(payment._id, { ...CANCEL, request_id: row._id });
    const { cancellation } = await ground.read(payment._id);
    expect(cancellation).toEqual({ by: 'merchant', reason: 'Sold out' });
    const [event] = await ground.eventsOf(payment.m);
    expect(JSON.parse(event!.body)).toMatchObject({
      request: { id: row._id, idempotency_key: 'key-1' },
      data: { object: { cancellation: { by: 'merchant', reason: 'Sold out' } } },
    });
  });

  it('is not in the event of a payment that expired instead', async () => {
    const payment = await ground.begin();
    const row = await request(payment.m, payment._id);
    await ground.settle(payment._id, { ...CANCEL, request_id: row._id }, payment.expires_at);
    const [event] = await ground.eventsOf(payment.m);
    expect(event).toMatchObject({ type: 'payment.expired' });
    expect(JSON.parse(event!.body)).toMatchObject({ request: null });
    expect(await ground.read(payment._id)).toMatchObject({ cancellation: null });
  });
});

describe('attempts', () => {
  it('that were turned back do not count, and emit no event', async () => {
    const { _id: id, m: tenant } = await ground.begin({}, [{}]);
    for (let i = 0; i <= MAX_ATTEMPTS; i += 1) {
      await turnBackAtBank(ground.mongo, id);
      expect(await ground.settle(id)).toMatchObject({ status: 'created', done: false });
    }
    const payment = await ground.read(id);
    expect(payment.due_at).toEqual(payment.expires_at);
    expect(publicPayment(payment, LINKS)).toMatchObject({ attempts_count: 0 });
    expect(await ground.eventsOf(tenant)).toEqual([]);
  });

  it('are limited: turning back from the last visit expires the payment', async () => {
    const attempts = Array.from({ length: MAX_VISITS - 1 }, (_, index) =>
      makeAttempt({ number: index + 1, status: 'turned_back' }),
    );
    const { _id: id, m: tenant, expires_at } = await ground.begin({ attempts });
    await turnBackAtBank(ground.mongo, id);
    const now = new Date();
    expect(await ground.settle(id, undefined, now)).toMatchObject({
      status: 'expired',
      done: true,
    });
    const payment = await ground.read(id);
    expect(payment.attempts).toHaveLength(MAX_VISITS);
    expect(payment.expires_at.getTime()).toBeLessThan(expires_at.getTime());
    expect(await ground.eventsOf(tenant)).toMatchObject([{ type: 'payment.expired' }]);
  });

  it('may be declined four times, and the fifth decline ends the payment', async () => {
    const { _id: id, m: tenant } = await ground.begin();
    for (let number = 1; number <= 5; number += 1) {
      await chooseAtBank(ground.mongo, id, { outcome: 'card_declined' });
      await ground.settle(id);
    }
    expect(await ground.read(id)).toMatchObject({
      status: 'failed',
      failure_code: 'card_declined',
    });
    const types = (await ground.eventsOf(tenant)).map((event) => event.type);
    const soft = 'payment.attempt_failed';
    expect(types).toEqual([soft, soft, soft, soft, 'payment.failed']);
  });
});
