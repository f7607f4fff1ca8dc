/** Refunds: create, retrieve, list. */
import { composeEvent } from '../domain/event.ts';
import { isId, timeOf } from '../domain/id.ts';
import { displayAmount } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import { REFUND_STATUSES, judgeRefund, refundCause } from '../domain/refund.ts';
import type { Refund, RefundRefusal } from '../domain/refund.ts';
import { publicRefund } from '../domain/wire.ts';
import { makeLines } from '../concurrency.ts';
import { emitEvent } from '../store/emit.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import { findPayment } from '../store/payments.ts';
import { findRefund, refundByKey, reserveRefund } from '../store/refunds.ts';
import type { RefundRow } from '../store/rows.ts';
import { answerWith, requireTestMode } from './call.ts';
import type { Answer, Call } from './call.ts';
import { unavailable } from './deadline.ts';
import { Refusal } from '../operations/refusal.ts';
import { firstAnswer } from './idempotency.ts';
import { canonicalJson } from './json.ts';
import { answerList } from './lists.ts';
import { namesFilter, textFilter } from './query.ts';
import type { ListSpec } from './query.ts';
import { paymentIdSchema, refundSchema } from './schemas.ts';
import type { RefundBody } from './schemas.ts';
import { compile, validate } from './validate.ts';

const schema = compile(refundSchema);

/** Refunds of one payment at once would only take its amounts away from under each other. */
const inLine = makeLines();

/**
 * `POST /v1/refunds`: 201 with the refund as `pending`, once its amount is reserved on the payment
 * and a majority of the database has both. The bank is asked afterwards, by the refund's workflow.
 */
export async function createRefund(call: Call): Promise<Answer> {
  requireTestMode(call);
  validate(schema, call);
  const body = call.body as RefundBody;
  const request = canonicalJson(call.body);
  const place = { tenant: call.caller.m, name: body.payment_id };
  return inLine(place, async () => reserveInTime(call, body, request));
}

/**
 * Repeats a round that is lost to another refund of the payment. Stops when the caller has been
 * answered 503: nobody would know of a refund that is reserved after that.
 */
async function reserveInTime(call: Call, body: RefundBody, request: string): Promise<Answer> {
  while (Date.now() < call.endsAtMs) {
    const payment = await findPayment(call.api.mongo, call.caller.m, body.payment_id);
    // After the payment: what is reserved on it may be this very request's, made before.
    const first = await firstAnswer(call, request, refundByKey);
    if (first) return first;
    if (!payment) {
      throw new Refusal('resource_missing', { message: 'No such payment.', param: 'payment_id' });
    }
    const refund = makeRefund(payment, body);
    const text = JSON.stringify(publicRefund(refund));
    if (await insert(call, payment, { refund, request, text })) {
      await call.api.temporal.startRefund(refund);
      return { status: 201, text };
    }
  }
  throw unavailable();
}

/** The refund that the request makes of the payment as it is; refuses what is not refundable. */
function makeRefund(payment: Payment, body: RefundBody): Refund {
  const { amount, expected_refundable: expectedRefundable } = body;
  const verdict = judgeRefund(payment, { amount, expectedRefundable });
  if ('refused' in verdict) throw refusalOf(payment, verdict);
  const id = mintId('refund');
  // Lists filter by the time in the id, so the time that is shown has to be the same.
  const createdAt = new Date(timeOf(id));
  return {
    _id: id,
    m: payment.m,
    livemode: payment.livemode,
    payment_id: payment._id,
    amount: verdict.amount,
    currency: payment.currency,
    status: 'pending',
    reason: body.reason ?? null,
    description: body.description ?? null,
    failure_code: null,
    metadata: body.metadata ?? {},
    initiated_by: 'api',
    due_at: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
    completed_at: null,
  };
}

function refusalOf(
  { status, currency, refunds }: Payment,
  { refused, refundable }: { refused: RefundRefusal; refundable: number },
): Refusal {
  const left = `${refundable} (${displayAmount(refundable, currency)})`;
  switch (refused) {
    case 'payment_not_refundable': {
      const state = `The payment is ${status}; only a completed one can be refunded.`;
      const count = `The payment has had ${refunds?.count ?? 0} refunds; it can have no more.`;
      return new Refusal(refused, { message: status === 'completed' ? count : state });
    }
    case 'payment_already_refunded':
      return new Refusal(refused, { message: 'All of the payment is refunded or being refunded.' });
    case 'refundable_changed':
      return new Refusal(refused, {
        message: `What is refundable of the payment is now ${left}.`,
        param: 'expected_refundable',
      });
    case 'refund_too_large':
      return new Refusal(refused, { message: `At most ${left} is refundable.`, param: 'amount' });
  }
}

/**
 * One transaction: the reservation, the refund, and `refund.created` with its deliveries. False
 * when the payment's amounts have moved since they were read, or the key has just been used.
 */
async function insert(
  { api, requestId, idempotencyKey: k }: Call,
  payment: Payment,
  { refund, request, text }: { refund: Refund; request: string; text: string },
): Promise<boolean> {
  const { mongo } = api;
  const row: RefundRow =
    k === undefined ? refund : { ...refund, idem: { k, request, response: text } };
  const event = composeEvent({
    id: mintId('event'),
    m: refund.m,
    type: 'refund.created',
    paymentId: payment._id,
    cause: refundCause(refund, 'refund.created'),
    object: publicRefund(refund),
    request: { id: requestId, idempotency_key: k ?? null },
  });
  try {
    return await mongo.transact(async (session) => {
      if (!(await reserveRefund(mongo, session, { payment, row }))) return false;
      await emitEvent(mongo, session, event);
      return true;
    });
  } catch (error) {
    if (duplicateOf(error) === 'm,idem.k') return false;
    throw error;
  }
}

/** `GET /v1/refunds/{id}`. */
export async function getRefund({ api, caller, id }: Call): Promise<Answer> {
  const refund = isId('refund', id) ? await findRefund(api.mongo, caller.m, id) : null;
  if (!refund) throw new Refusal('resource_missing', { message: 'No such refund.' });
  return answerWith(200, publicRefund(refund));
}

export const REFUND_LIST: ListSpec = {
  kind: 'refund',
  path: '/v1/refunds',
  filters: {
    payment_id: textFilter('Refunds of this payment.', paymentIdSchema),
    status: namesFilter('Refunds in one of these states.', REFUND_STATUSES),
  },
  combinations: [[], ['payment_id'], ['status']],
};

const textsOf = (rows: readonly Refund[]): string[] =>
  rows.map((row) => JSON.stringify(publicRefund(row)));

/** `GET /v1/refunds`. */
export async function listRefunds(call: Call): Promise<Answer> {
  const collection = call.api.mongo.refunds;
  return answerList(call, { spec: REFUND_LIST, collection, render: textsOf });
}
