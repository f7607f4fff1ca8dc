/** Refunds. Their status and the amounts of their payment change in one transaction. */
import type { Payment } from '../domain/payment.ts';
import { MAX_REFUNDS, REFUND_TRANSITIONS, afterEnd, refundableAmount } from '../domain/refund.ts';
import type { Refund, RefundEnd } from '../domain/refund.ts';
import { findDue } from './due.ts';
import type { DueRange } from './due.ts';
import type { Mongo, Session } from './mongo.ts';
import { readPage } from './page.ts';
import type { RefundRow } from './rows.ts';

/** Returns a tenant's refund. */
export async function findRefund(mongo: Mongo, tenant: string, id: string): Promise<Refund | null> {
  return mongo.refunds.findOne({ _id: id, m: tenant });
}

/** Returns the refund of any tenant, for its workflow. */
export async function refundById(mongo: Mongo, id: string): Promise<Refund | null> {
  return mongo.refunds.findOne({ _id: id });
}

/** Returns the refund that a tenant created with the idempotency key, or null. */
export async function refundByKey(mongo: Mongo, tenant: string, key: string) {
  return mongo.refunds.findOne({ m: tenant, 'idem.k': key });
}

/** Returns all refunds of a payment, newest first. */
export async function refundsOfPayment(mongo: Mongo, { m: tenant, _id }: Payment) {
  const filter = { m: tenant, payment_id: _id };
  return (await readPage(mongo.refunds, { filter, limit: MAX_REFUNDS })).rows;
}

/** Returns pending refunds whose next call to the bank is overdue, oldest first. */
export async function overdueRefunds(mongo: Mongo, range: DueRange): Promise<Refund[]> {
  return findDue(mongo.refunds, { status: 'pending' }, range).toArray();
}

/**
 * Reserves the refund's amount on its payment and inserts the refund, inside a transaction. Returns
 * false if the payment's amounts have changed since the refund was judged. Throws the duplicate of
 * `m,idem.k` if its key was used before.
 */
export async function reserveRefund(
  mongo: Mongo,
  session: Session,
  { payment, row }: { payment: Payment; row: RefundRow },
): Promise<boolean> {
  const { refunds, amount_refunded } = payment;
  if (row.amount > refundableAmount(payment)) throw new Error('More than what is refundable.');
  const judged = {
    _id: payment._id,
    status: payment.status,
    amount_refunded,
    ...(refunds
      ? { 'refunds.pending': refunds.pending, 'refunds.count': refunds.count }
      : { refunds: { $exists: false } }),
  };
  const reserved = await mongo.payments.updateOne(
    judged,
    {
      $inc: { 'refunds.pending': row.amount, 'refunds.count': 1 },
      $max: { updated_at: row.created_at },
    },
    { session },
  );
  if (reserved.matchedCount === 0) return false;
  await mongo.refunds.insertOne(row, { session });
  return true;
}

/**
 * Ends a pending refund inside a transaction. Adds the reserved amount to the refunded amount, or
 * makes it refundable again. Returns the payment afterwards, or null if the refund has ended
 * before.
 */
export async function endRefund(
  mongo: Mongo,
  session: Session,
  { refund, end }: { refund: Refund; end: RefundEnd },
): Promise<Payment | null> {
  const { status, failure_code, updated_at, completed_at } = afterEnd(refund, end);
  const ended = await mongo.refunds.updateOne(
    { _id: refund._id, status: 'pending' },
    { $set: { status, failure_code, updated_at, completed_at } },
    { session },
  );
  if (ended.matchedCount === 0) return null;
  const refunded = REFUND_TRANSITIONS[end.status].refunds ? refund.amount : 0;
  const freed = await mongo.payments.updateOne(
    { _id: refund.payment_id, 'refunds.pending': { $gte: refund.amount } },
    {
      $inc: { 'refunds.pending': -refund.amount, amount_refunded: refunded },
      // Another refund may have been reserved since `end.now`, when the bank was asked.
      $max: { updated_at },
    },
    { session },
  );
  if (freed.matchedCount === 0) throw new Error(`Nothing is reserved for ${refund._id}.`);
  return mongo.payments.findOne({ _id: refund.payment_id }, { session });
}

/** Postpones the next call to the bank about a pending refund. */
export async function postponeRefund(mongo: Mongo, id: string, dueAt: Date): Promise<void> {
  await mongo.refunds.updateOne({ _id: id, status: 'pending' }, { $set: { due_at: dueAt } });
}
