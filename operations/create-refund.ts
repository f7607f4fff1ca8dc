/** Creating a refund. */
import { makeQueues, repeatUntil } from '../concurrency.ts';
import type { Act } from '../domain/audit.ts';
import { composeEvent } from '../domain/event.ts';
import { timeOf } from '../domain/id.ts';
import { merchantOf } from '../domain/merchant.ts';
import { displayAmount } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import { judgeRefund, refundCause } from '../domain/refund.ts';
import type { Refund, RefundRefusal } from '../domain/refund.ts';
import { publicRefund } from '../domain/wire.ts';
import { publish } from '../facts.ts';
import { insertAudit } from '../store/audit.ts';
import { emitEvent } from '../store/emit.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import { findPayment } from '../store/payments.ts';
import { refundByKey, reserveRefund } from '../store/refunds.ts';
import { currentTrace } from '../tracing/current.ts';
import { firstResult, requireTestMode, rowOf } from './idempotency.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';
import { Refusal, requireFound, unavailable } from './refusal.ts';
import { entryOf } from './services.ts';

export type RefundFields = Pick<Refund, 'payment_id'> &
  Partial<Pick<Refund, 'amount' | 'reason' | 'description' | 'metadata'>> & {
    readonly expected_refundable?: number;
  };

/** Runs the refunds of one payment one after another. Concurrent ones would only conflict. */
const inQueue = makeQueues();

/**
 * Creates a pending refund, and starts its workflow, which asks the bank. Returns once the amount
 * is reserved on the payment and a majority of the database has both. Throws `Refusal` in live
 * mode, if there is no such payment, or if the amount is not refundable.
 */
export async function createRefund(
  request: MerchantRequest,
  fields: RefundFields,
): Promise<RequestResult> {
  requireTestMode(request);
  const place = { tenant: request.tenant, name: fields.payment_id };
  // Stops when the caller no longer waits, because the caller would not learn of the refund.
  const reserved = async () => reserve(request, fields);
  return inQueue(place, async () => repeatUntil(request.endsAtMs, reserved, unavailable));
}

/** Reserves the amount. Returns undefined if another refund of the payment is reserved first. */
async function reserve(
  request: MerchantRequest,
  fields: RefundFields,
): Promise<RequestResult | undefined> {
  const { mongo, tenant, temporal } = request;
  const payment = await findPayment(mongo, tenant, fields.payment_id);
  // Read after the payment, whose reserved amount may come from an earlier try of this request.
  const first = await firstResult(request, refundByKey);
  if (first) return first;
  const found = requireFound(payment, 'No such payment.', 'payment_id');
  const refund = makeRefund(request, found, fields);
  const text = JSON.stringify(publicRefund(refund));
  if (!(await insert(request, found, { refund, text }))) return undefined;
  publish('refund', { status: 'pending', currency: refund.currency });
  await temporal.startRefund(refund);
  return { text, isReplay: false };
}

/** Returns a refund of the payment in its current state. Throws `Refusal` if it is not possible. */
function makeRefund(
  { initiatedBy }: MerchantRequest,
  payment: Payment,
  fields: RefundFields,
): Refund {
  const { amount, expected_refundable: expectedRefundable } = fields;
  const verdict = judgeRefund(payment, { amount, expectedRefundable });
  if ('refused' in verdict) throw refusalOf(payment, verdict);
  const id = mintId('refund');
  const trace = currentTrace();
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
    reason: fields.reason ?? null,
    description: fields.description ?? null,
    failure_code: null,
    metadata: fields.metadata ?? {},
    initiated_by: initiatedBy,
    ...(trace ? { trace } : {}),
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
  const reasons: Record<RefundRefusal, [message: string, param?: string]> = {
    payment_not_refundable: [
      status === 'completed'
        ? `The payment has had ${refunds?.count ?? 0} refunds; it can have no more.`
        : `The payment is ${status}; only a completed one can be refunded.`,
    ],
    payment_already_refunded: ['All of the payment is refunded or being refunded.'],
    refundable_changed: [`The refundable amount is now ${left}.`, 'expected_refundable'],
    refund_too_large: [`At most ${left} is refundable.`, 'amount'],
  };
  const [message, param = null] = reasons[refused];
  return new Refusal(refused, { message, param });
}

function actOf({ _id, m: tenant, payment_id, amount, currency, reason }: Refund): Act {
  const after = { payment_id, amount, currency, reason };
  return { action: 'refund.create', objectId: _id, merchantId: merchantOf(tenant), after };
}

/**
 * Writes the reservation, the refund, `refund.created` with its deliveries, and the audit entry of a
 * person, in one transaction.
 * Returns false if the payment's amounts have changed since it was read, or the key has just been
 * used.
 */
async function insert(
  request: MerchantRequest,
  payment: Payment,
  { refund, text }: { refund: Refund; text: string },
): Promise<boolean> {
  const { mongo, id, key = null, actor } = request;
  const row = rowOf(refund, request, text);
  const entry = actor && entryOf({ actor }, actOf(refund));
  const event = composeEvent({
    id: mintId('event'),
    tenant: refund.m,
    type: 'refund.created',
    paymentId: payment._id,
    cause: refundCause(refund, 'refund.created'),
    object: publicRefund(refund),
    request: { id, idempotency_key: key },
    trace: refund.trace,
  });
  try {
    return await mongo.transact(async (session) => {
      if (!(await reserveRefund(mongo, session, { payment, row }))) return false;
      await emitEvent(mongo, session, event);
      if (entry) await insertAudit(mongo, session, entry);
      return true;
    });
  } catch (error) {
    if (duplicateOf(error) === 'm,idem.k') return false;
    throw error;
  }
}
