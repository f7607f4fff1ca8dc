/**
 * Payments. A status changes only here and in attempts.ts, by writes whose filter names what they
 * may leave.
 */
import type { Filter } from 'mongodb';
import { TRANSITIONS, lastAttempt } from '../domain/payment.ts';
import type { Attempt, Payment, TransitionName } from '../domain/payment.ts';
import { dueFilter } from './due.ts';
import type { DueRange } from './due.ts';
import type { Mongo, Session } from './mongo.ts';
import type { PaymentRow } from './rows.ts';

/** Inserts a payment. Throws the duplicate of `m,idem.k` when its key has been used. */
export async function insertPayment(mongo: Mongo, row: PaymentRow): Promise<void> {
  await mongo.payments.insertOne(row);
}

/** A merchant's payment, as a majority of the database has it. */
export async function findPayment(mongo: Mongo, m: string, id: string): Promise<Payment | null> {
  return mongo.payments.findOne({ _id: id, m });
}

/** Returns the payment that a tenant created with the idempotency key, or null. */
export async function paymentByKey(mongo: Mongo, m: string, k: string): Promise<PaymentRow | null> {
  return mongo.payments.findOne({ m, 'idem.k': k });
}

/** The payment of a checkout address. */
export async function findByToken(mongo: Mongo, token: string): Promise<Payment | null> {
  return mongo.payments.findOne({ checkout_token: token });
}

/** Returns the payments of the tokens, by token. Unknown tokens are left out. */
export async function findByTokens(
  mongo: Mongo,
  tokens: readonly string[],
): Promise<Map<string, Payment>> {
  const payments = await mongo.payments.find({ checkout_token: { $in: [...tokens] } }).toArray();
  return new Map(payments.map((payment) => [payment.checkout_token, payment]));
}

/** Returns the payment of any tenant, for its workflow and for the bank's signed addresses. */
export async function paymentById(mongo: Mongo, id: string): Promise<Payment | null> {
  return mongo.payments.findOne({ _id: id });
}

/** Open payments that should have moved before `before`, longest overdue first. */
export async function overduePayments(mongo: Mongo, range: DueRange): Promise<Payment[]> {
  const found = mongo.payments.find(dueFilter<PaymentRow>({ open: true }, 'due_at', range));
  return found.sort({ due_at: 1, _id: 1 }).limit(range.limit).toArray();
}

/** The attempt's path in the document, and a filter that it is still this one. */
export function attemptPath(
  payment: Payment,
  attempt: Attempt,
): { path: string; is: Filter<PaymentRow> } {
  const path = `attempts.${payment.attempts.indexOf(attempt)}`;
  return { path, is: { [`${path}.id`]: attempt.id } };
}

/** A transition with the payment before and after it, as the domain's rules have it. */
interface PaymentChange {
  readonly transition: TransitionName;
  readonly before: Payment;
  readonly after: Payment;
}

/**
 * Writes a transition, inside its transaction. Returns whether the payment was changed. The filter
 * has the state, the attempt and the time of the last change. If any of them has changed since the
 * payment was judged, nothing is written. So no approval that was stored meanwhile is missed.
 */
export async function applyChange(
  mongo: Mongo,
  session: Session,
  { transition, before, after }: PaymentChange,
): Promise<boolean> {
  const { from, to } = TRANSITIONS[transition];
  const attempt = from === 'processing' ? lastAttempt(after) : undefined;
  const at = attempt && attemptPath(after, attempt);
  const result = await mongo.payments.updateOne(
    {
      _id: before._id,
      status: from,
      updated_at: before.updated_at,
      attempts: { $size: before.attempts.length },
      ...(at ? { ...at.is, [`${at.path}.status`]: 'pending' } : {}),
    },
    {
      $set: {
        status: to,
        due_at: after.due_at,
        updated_at: after.updated_at,
        expires_at: after.expires_at,
        failure_code: after.failure_code,
        cancellation: after.cancellation,
        completed_at: after.completed_at,
        failed_at: after.failed_at,
        canceled_at: after.canceled_at,
        expired_at: after.expired_at,
        ...(at && attempt
          ? {
              [`${at.path}.status`]: attempt.status,
              [`${at.path}.failure_code`]: attempt.failure_code,
            }
          : {}),
      },
      ...(after.open ? {} : { $unset: { open: '' } }),
    },
    { session },
  );
  return result.matchedCount === 1;
}
