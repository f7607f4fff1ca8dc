/** A used idempotency key in every call: with a changed field, and after a refusal. */
import { describe, expect, it } from 'vitest';
import { cancelSchema, outcomeSchema, paymentSchema, refundSchema } from '../../api/schemas.ts';
import { updateSchema } from '../../api/update.ts';
import type { Payment } from '../../domain/payment.ts';
import { mintId } from '../../store/mint.ts';
import { PAYMENT, putPayment, openStand } from './harness.ts';
import type { Reply } from './harness.ts';

const { mongo, temporal, tenant, api } = await openStand('samekey');

const put = async (status: Payment['status']) => putPayment({ mongo, tenant }, { status });
const inAnHour = (minutes: number): string =>
  new Date(Date.now() + (60 + minutes) * 60_000).toISOString();

type Body = Readonly<Record<string, unknown>>;

interface Operation {
  readonly name: string;
  readonly fields: readonly string[];
  /** The payment that the call needs, if any. */
  readonly prepare: () => Promise<Payment | undefined>;
  readonly path: (payment: Payment | undefined) => string;
  /** A body with every field, and another value for each field. */
  readonly full: (payment: Payment | undefined) => Body;
  readonly others: Body;
  /** Bodies that are refused, each with the status. */
  readonly refused: readonly (readonly [Body, number])[];
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'POST /v1/payments',
    fields: Object.keys(paymentSchema.properties),
    prepare: async () => undefined,
    path: () => '/v1/payments',
    full: () => ({
      ...PAYMENT,
      order_id: 'order-1',
      description: 'Two tickets',
      cancel_url: 'https://shop.example/cart',
      locale: 'en',
      metadata: { seat: '1' },
      expires_at: inAnHour(0),
    }),
    others: {
      amount: 12_501,
      currency: 'RUB',
      return_url: 'https://shop.example/other',
      order_id: 'order-2',
      description: 'Three tickets',
      cancel_url: 'https://shop.example/other',
      locale: 'hy',
      metadata: { seat: '2' },
      expires_at: inAnHour(1),
    },
    refused: [[{ amount: 1 }, 400]],
  },
  {
    name: 'POST /v1/payments/:id',
    fields: Object.keys(updateSchema.properties),
    prepare: async () => put('processing'),
    path: (payment) => `/v1/payments/${payment?._id}`,
    full: () => ({ description: 'Two tickets', metadata: { seat: '1' } }),
    others: { description: 'Three tickets', metadata: { seat: '2' } },
    refused: [[{ metadata: { seat: 5 } }, 400]],
  },
  {
    name: 'POST /v1/payments/:id/cancel',
    fields: Object.keys(cancelSchema.properties),
    prepare: async () => put('created'),
    path: (payment) => `/v1/payments/${payment?._id}/cancel`,
    full: () => ({ reason: 'out of stock' }),
    others: { reason: 'changed my mind' },
    refused: [[{ reason: 5 }, 400]],
  },
  {
    name: 'POST /v1/test/payments/:id/outcome',
    fields: Object.keys(outcomeSchema.properties),
    prepare: async () => put('created'),
    path: (payment) => `/v1/test/payments/${payment?._id}/outcome`,
    full: () => ({ outcome: 'approve' }),
    others: { outcome: 'card_declined' },
    refused: [[{ outcome: 'win' }, 400]],
  },
  {
    name: 'POST /v1/refunds',
    fields: Object.keys(refundSchema.properties),
    prepare: async () => put('completed'),
    path: () => '/v1/refunds',
    full: (payment) => ({
      payment_id: payment?._id,
      amount: 500,
      expected_refundable: 12_500,
      reason: 'other',
      description: 'One ticket',
      metadata: { seat: '1' },
    }),
    others: {
      payment_id: mintId('payment'),
      amount: 501,
      expected_refundable: 12_499,
      reason: 'duplicate',
      description: 'No ticket',
      metadata: { seat: '2' },
    },
    refused: [
      [{ amount: 12_501 }, 400],
      [{ expected_refundable: 3 }, 409],
      [{ payment_id: 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 404],
    ],
  },
];

const FIELDS = OPERATIONS.flatMap((operation) =>
  operation.fields.map((field) => [operation.name, field, operation] as const),
);

/** Creates a payment and a key. Returns a function that sends the body with changes; null removes. */
async function begin(operation: Operation) {
  const payment = await operation.prepare();
  const key = mintId('request');
  const full = operation.full(payment);
  return async (changes: Body = {}): Promise<Reply> => {
    const entries = Object.entries({ ...full, ...changes }).filter(([, value]) => value !== null);
    const body = Object.fromEntries(entries);
    return api.send('POST', operation.path(payment), { body, key });
  };
}

/** Returns the number of documents of each kind that a call can create. */
async function countAll(): Promise<number[]> {
  const made = [mongo.payments, mongo.refunds, mongo.events, mongo.requests] as const;
  const counts = await Promise.all([
    made[0].countDocuments(),
    made[1].countDocuments(),
    made[2].countDocuments(),
    made[3].countDocuments(),
  ]);
  return [...counts, temporal.started.length, temporal.asked.length];
}

describe('a used Idempotency-Key', () => {
  it.each(FIELDS)('of %s with another %s is refused, and names it', async (_, field, operation) => {
    const call = await begin(operation);
    const first = await call();
    expect(first.status).toBeLessThan(300);
    const before = await countAll();
    // The field is changed, and left out unless it is required: that is checked before the key.
    for (const value of [operation.others[field], null]) {
      const reply = await call({ [field]: value });
      const isMissing = value === null && reply.status === 400;
      if (isMissing) continue;
      expect(reply.json.error).toMatchObject({ code: 'idempotency_key_reused', param: field });
      expect(reply.status).toBe(422);
      expect(reply.headers.has('idempotent-replayed')).toBe(false);
    }
    const again = await call();
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await countAll()).toEqual(before);
  });
});

describe('a refused request', () => {
  const cases = OPERATIONS.flatMap((operation) =>
    operation.refused.map(([body, status]) => [operation.name, body, status, operation] as const),
  );

  it.each(cases)('to %s with %j leaves its key free', async (_, changes, status, operation) => {
    const call = await begin(operation);
    const before = await countAll();
    expect((await call(changes)).status).toBe(status);
    expect(await countAll()).toEqual(before);
    const corrected = await call();
    expect(corrected.status).toBeLessThan(300);
    expect(corrected.headers.has('idempotent-replayed')).toBe(false);
    const again = await call();
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([
      corrected.text,
      'true',
    ]);
  });
});
