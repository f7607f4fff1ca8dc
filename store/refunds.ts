/**
 * Refunds, and the amounts of payments that they move. Both change in one transaction: what is
 * refunded, what is reserved and the refund's own status cannot drift apart.
 */
import type { Payment } from '../domain/payment.ts';
import { REFUND_TRANSITIONS, afterEnd, refundableAmount } from '../domain/refund.ts';
import type { Refund, RefundEnd } from '../domain/refund.ts';
import { dueFilter } from './due.ts';
import type { DueRange } from './due.ts';
import type { Mongo, Session } from './mongo.ts';
import type { RefundRow } from './rows.ts';

/** A merchant's refund, as a majority of the database has it. */
export async function findRefund(mongo: Mongo, m: string, id: string): Promise<Refund | null> {
  return mongo.refunds.findOne({ _id: id, m });
}

/** Returns the refund of any tenant, for its workflow. */
export async function refundById(mongo: Mongo, id: string): Promise<Refund | null> {
  return mongo.refunds.findOne({ _id: id });
}

/** Returns the refund that a tenant created with the idempotency key, or null. */
export async function refundByKey(mongo: Mongo, m: string, k: string): Promise<RefundRow | null> {
  return mongo.refunds.findOne({ m, 'idem.k': k });
}

/** Pending refunds whose bank should have been asked before `before`, longest overdue first. */
export async function overdueRefunds(mongo: Mongo, range: DueRange): Promise<Refund[]> {
  const found = mongo.refunds.find(dueFilter<RefundRow>({ status: 'pending' }, 'due_at', range));
  return found.sort({ due_at: 1, _id: 1 }).limit(range.limit).toArray();
}

/**
 * Reserves the refund's amount on its payment and inserts it, inside a transaction; whether the
 * payment's amounts were still those of `payment`, which the refund was judged by. Nothing is
 * written otherwise. Throws the duplicate of `m,idem.k` when its key has been used.
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
 * Ends a pending refund inside a transaction and takes its amount from what is reserved to what
 * is refunded, or frees it. Answers the payment afterwards; null, and nothing is written, when
 * the refund was ended before.
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
      // `end.now` is when the bank was asked, and another refund may have been reserved since.
      $max: { updated_at },
    },
    { session },
  );
  if (freed.matchedCount === 0) throw new Error(`Nothing is reserved for ${refund._id}.`);
  return mongo.payments.findOne({ _id: refund.payment_id }, { session });
}

/** The bank has not decided on a pending refund, and is to be asked again at `dueAt`. */
export async function postponeRefund(mongo: Mongo, id: string, dueAt: Date): Promise<void> {
  await mongo.refunds.updateOne({ _id: id, status: 'pending' }, { $set: { due_at: dueAt } });
}
