/** Settles a refund: asks the bank, and records its decision on the refund and its payment. */
import type { Delivery } from '../domain/delivery.ts';
import { composeEvent } from '../domain/event.ts';
import type { Payment } from '../domain/payment.ts';
import { REFUND_TRANSITIONS, afterEnd, causesSoFar, refundCause } from '../domain/refund.ts';
import type { Refund, RefundEnd } from '../domain/refund.ts';
import { publicPayment, publicRefund } from '../domain/wire.ts';
import { publish } from '../facts.ts';
import { pendingDeliveriesOf } from '../store/deliveries.ts';
import { emitEvent } from '../store/emit.ts';
import { eventsOfCauses } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import type { Mongo, Session } from '../store/mongo.ts';
import { paymentById } from '../store/payments.ts';
import { endRefund, refundById, postponeRefund } from '../store/refunds.ts';
import { traceIn } from '../tracing/current.ts';
import type { SettleRefundInput, SettleRefundResult } from '../workflows/messages.ts';
import type { SettleDeps } from './settle.ts';
import { resumeDeliveries, startDeliveries } from './start.ts';

type RefundDeps = Omit<SettleDeps, 'bankTimeoutMs'>;

/**
 * Asks the bank about a pending refund. Records its decision in one transaction of both documents,
 * their events and deliveries. May be repeated, and may run twice at once. Throws if MongoDB,
 * Temporal or the bank cannot be reached. The workflow then retries.
 */
export async function settleRefund(
  deps: RefundDeps,
  input: SettleRefundInput,
): Promise<SettleRefundResult> {
  const { mongo, bank } = deps;
  const refund = await refundById(mongo, input.refund_id);
  if (!refund) return { status: 'missing', wake_at_ms: 0 };
  const askedAt = new Date(input.now_ms);
  // The run that wrote these events may have died before it started their deliveries.
  await resumeDeliveries(deps, await unstartedDeliveries(mongo, refund));
  if (refund.status !== 'pending') return { status: refund.status, wake_at_ms: 0 };
  const payment = await paymentById(mongo, refund.payment_id);
  if (!payment) throw new Error(`${refund._id} has no payment.`);
  const says = await bank.refund(payment, refund, askedAt);
  if (says.answer === 'pending') {
    await postponeRefund(mongo, refund._id, says.until);
    return { status: 'pending', wake_at_ms: says.until.getTime() };
  }
  const code = says.answer === 'failed' ? says.code : null;
  // The clocks of Temporal and the API differ, and no refund may end before it was created.
  const now = askedAt < refund.created_at ? refund.created_at : askedAt;
  const end = { status: says.answer, code, now };
  await startDeliveries(deps, await commit(deps, refund, end));
  return { status: says.answer, wake_at_ms: 0 };
}

/** Ends the refund in one transaction. Returns no deliveries if it has ended before. */
async function commit(deps: RefundDeps, refund: Refund, end: RefundEnd): Promise<Delivery[]> {
  const { mongo } = deps;
  const deliveries = await mongo.transact(async (session) => {
    const payment = await endRefund(mongo, session, { refund, end });
    if (!payment) return null;
    return emitEnd(deps, session, { refund: afterEnd(refund, end), payment, end });
  });
  if (!deliveries) return [];
  publish('refund', { status: end.status, currency: refund.currency });
  return deliveries;
}

/**
 * Writes the events about the end of a refund, and returns their deliveries. The ids are chosen
 * inside the transaction, so a refund that waited for another one of the payment has the later ids.
 */
async function emitEnd(
  { mongo, links }: RefundDeps,
  session: Session,
  { refund, payment, end }: { refund: Refund; payment: Payment; end: RefundEnd },
): Promise<Delivery[]> {
  const { event: type, refunds } = REFUND_TRANSITIONS[end.status];
  const trace = traceIn(refund.trace);
  const common = { tenant: refund.m, paymentId: payment._id, request: null, trace };
  const ended = composeEvent({
    ...common,
    id: mintId('event'),
    type,
    cause: refundCause(refund, type),
    object: publicRefund(refund),
  });
  const deliveries = await emitEvent(mongo, session, ended);
  if (!refunds) return deliveries;
  const moved = composeEvent({
    ...common,
    id: mintId('event'),
    type: 'payment.refunded',
    cause: refundCause(refund, 'payment.refunded'),
    object: publicPayment(payment, links),
  });
  return [...deliveries, ...(await emitEvent(mongo, session, moved))];
}

async function unstartedDeliveries(mongo: Mongo, refund: Refund): Promise<Delivery[]> {
  const events = await eventsOfCauses(mongo, causesSoFar(refund));
  const pending = events.map(async ({ _id }) => pendingDeliveriesOf(mongo, _id));
  return (await Promise.all(pending)).flat();
}
