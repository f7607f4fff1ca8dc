/**
 * Payments. The filter of each write of a status, here and in attempts.ts, has the expected state.
 */
import type { Filter } from 'mongodb';
import type { AuditEntry } from '../domain/audit.ts';
import { TRANSITIONS, lastAttempt, timeOfChange } from '../domain/payment.ts';
import type { Attempt, Payment, TransitionName } from '../domain/payment.ts';
import { searchTerms } from '../domain/search.ts';
import { insertAudit } from './audit.ts';
import { findDue } from './due.ts';
import type { DueRange } from './due.ts';
import type { Mongo, Session } from './mongo.ts';
import { storeFirst } from './requests.ts';
import type { PaymentRow } from './rows.ts';
import { makeRead } from './together.ts';

/** Inserts a payment. Throws the duplicate of `m,idem.k` if its key was used before. */
export async function insertPayment(mongo: Mongo, row: PaymentRow): Promise<void> {
  await mongo.payments.insertOne(row);
}

/** Records that the checkout page was opened, unless it was opened before. */
export async function recordOpening(mongo: Mongo, { _id }: Payment, now: Date): Promise<void> {
  const unopened = { _id, checkout_opened_at: { $exists: false } };
  await mongo.payments.updateOne(unopened, { $set: { checkout_opened_at: now } });
}

/** Returns the payment of any tenant, for its workflow and the bank's signed addresses. */
export const paymentById = makeRead<Payment>(async (mongo, ids) =>
  mongo.payments.find({ _id: { $in: [...ids] } }).toArray(),
);

/** Returns a tenant's payment. */
export async function findPayment(mongo: Mongo, tenant: string, id: string) {
  const payment = await paymentById(mongo, id);
  return payment?.m === tenant ? payment : null;
}

/** Returns the order ids of a tenant's payments by the ids of the payments. */
export async function orderIdsOf(mongo: Mongo, tenant: string, ids: readonly string[]) {
  const named = { _id: { $in: [...new Set(ids)] }, m: tenant };
  const fields = { projection: { order_id: 1 } } as const;
  const rows = ids.length === 0 ? [] : await mongo.payments.find(named, fields).toArray();
  return new Map(rows.map(({ _id, order_id }) => [_id, order_id]));
}

/** Returns the payment that a tenant created with the idempotency key, or null. */
export async function paymentByKey(mongo: Mongo, tenant: string, key: string) {
  return mongo.payments.findOne({ m: tenant, 'idem.k': key });
}

/** Returns the existing payments of the tokens, by token. */
export async function findByTokens(mongo: Mongo, tokens: readonly string[]) {
  const payments = await mongo.payments.find({ checkout_token: { $in: [...tokens] } }).toArray();
  return new Map(payments.map((payment) => [payment.checkout_token, payment]));
}

/** Returns open payments whose next step is overdue, oldest first. */
export async function overduePayments(mongo: Mongo, range: DueRange): Promise<Payment[]> {
  return findDue(mongo.payments, { open: true }, range).toArray();
}

/** Returns the attempt's path in the document, and a filter that the same attempt is there. */
export function attemptPath(
  payment: Payment,
  attempt: Attempt,
): { path: string; is: Filter<PaymentRow> } {
  const path = `attempts.${payment.attempts.indexOf(attempt)}`;
  return { path, is: { [`${path}.id`]: attempt.id } };
}

/**
 * Ends the lifetime of a payment that is at the bank, by a request of test mode. Returns the
 * payment, or null if it has changed since it was read.
 */
export async function endLifetime(
  mongo: Mongo,
  payment: Payment,
  now: Date,
): Promise<Payment | null> {
  const { _id, updated_at: seen } = payment;
  // A new `updated_at` makes a change that was judged by the old lifetime fail.
  const updated_at = timeOfChange(payment, now);
  const { matchedCount } = await mongo.payments.updateOne(
    { _id, status: 'processing', updated_at: seen },
    { $set: { expires_at: now, updated_at }, $min: { due_at: now } },
  );
  return matchedCount === 1 ? paymentById(mongo, _id) : null;
}

interface DetailsChange {
  readonly before: Payment;
  readonly after: Payment;
  readonly entry: AuditEntry;
  /** The response for the row of the request, if the request has a key. */
  readonly response: { readonly id: string; readonly text: string } | undefined;
}

/**
 * Writes new details of an open payment, their search terms, the audit entry and the response in
 * one transaction. So a repeat of the request has no second effect. Leaves the next step alone.
 * Returns false if the payment has changed since it was read, or has another response.
 */
export async function changeDetails(
  mongo: Mongo,
  { before, after, entry, response }: DetailsChange,
): Promise<boolean> {
  const { _id, status, updated_at: seen, attempts } = before;
  const { description, metadata, updated_at } = after;
  return mongo.transact(async (session) => {
    const changed = await mongo.payments.updateOne(
      { _id, status, updated_at: seen, attempts: { $size: attempts.length } },
      { $set: { description, metadata, updated_at, found_by: searchTerms(after) } },
      { session },
    );
    if (changed.matchedCount === 0) return false;
    await insertAudit(mongo, session, entry);
    if (!response || (await storeFirst(mongo, response, session))) return true;
    await session.abortTransaction();
    return false;
  });
}

interface PaymentChange {
  readonly transition: TransitionName;
  readonly before: Payment;
  readonly after: Payment;
}

/**
 * Writes a transition, inside its transaction. Returns false if the state, the attempt or the time
 * of the last change has changed since the payment was judged. So no approval that was stored
 * meanwhile is lost.
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
