/** Payments: status changes only here, by writes whose filter names what they may leave. */
import type { Filter, UpdateFilter } from 'mongodb';
import type { BankDecision } from '../domain/bank.ts';
import { TRANSITIONS, isFinal, lastAttempt, lateApproval } from '../domain/payment.ts';
import type { Attempt, Card, Payment, TransitionName } from '../domain/payment.ts';
import { mintId } from './mint.ts';
import { dueWithin } from './mongo.ts';
import type { DueRange, Mongo, Session } from './mongo.ts';

/** The answer to the request that created the document, for a repeat with the same key. */
export interface Idempotency {
  k: string;
  /** Canonical JSON of the request. */
  request: string;
  /** The response body, byte for byte. */
  response: string;
}

export interface PaymentRow extends Payment {
  idem?: Idempotency;
}

/** Inserts a payment. Throws the duplicate of `m,idem.k` when its key has been used. */
export async function insertPayment(mongo: Mongo, row: PaymentRow): Promise<void> {
  await mongo.payments.insertOne(row);
}

/** A merchant's payment, as a majority of the database has it. */
export async function findPayment(mongo: Mongo, m: string, id: string): Promise<Payment | null> {
  return mongo.payments.findOne({ _id: id, m });
}

/** What a merchant created with that idempotency key. */
export async function findByKey(mongo: Mongo, m: string, k: string): Promise<PaymentRow | null> {
  return mongo.payments.findOne({ m, 'idem.k': k });
}

/** The payment of a checkout address. */
export async function findByToken(mongo: Mongo, token: string): Promise<Payment | null> {
  return mongo.payments.findOne({ checkout_token: token });
}

/** A payment by its id alone, for its workflow and for the bank's signed addresses. */
export async function findAnyPayment(mongo: Mongo, id: string): Promise<Payment | null> {
  return mongo.payments.findOne({ _id: id });
}

/** Open payments that should have moved before `before`, longest overdue first. */
export async function overduePayments(mongo: Mongo, range: DueRange): Promise<Payment[]> {
  const filter = { open: true as const, due_at: dueWithin(range) };
  return mongo.payments.find(filter).sort({ due_at: 1 }).limit(range.limit).toArray();
}

/**
 * Null in an attempt's field, for a filter. A plain `null` would match every attempt: below a path
 * with an index MongoDB looks for a field of that name in each element too, and finds none.
 */
const IS_NULL = { $type: 'null' } as const;

/** The last attempt's path in the document, and a filter that it is still this one. */
function attemptPath(payment: Payment, attempt: Attempt): { path: string; is: Filter<PaymentRow> } {
  const path = `attempts.${payment.attempts.indexOf(attempt)}`;
  return { path, is: { [`${path}.id`]: attempt.id } };
}

function unanswered(path: string): Filter<PaymentRow> {
  return { $or: [{ [`${path}.bank`]: IS_NULL }, { [`${path}.bank.says.answer`]: 'none' }] };
}

async function change(
  mongo: Mongo,
  filter: Filter<PaymentRow>,
  update: UpdateFilter<PaymentRow>,
): Promise<Payment | null> {
  return mongo.payments.findOneAndUpdate(filter, update, { returnDocument: 'after' });
}

/**
 * The customer goes to the bank: a turned-back attempt is used again, else a new one is opened.
 * Answers the payment, or null when it has moved on since `payment` was read.
 */
export async function openAttempt(
  mongo: Mongo,
  payment: Payment,
  { card, now, bankTimeoutMs }: { card: Card; now: Date; bankTimeoutMs: number },
): Promise<Payment | null> {
  const { from, to } = TRANSITIONS.attempt_opened;
  const count = payment.attempts.length;
  const silentUntil = now.getTime() + bankTimeoutMs;
  const dueAt = new Date(Math.max(payment.expires_at.getTime(), silentUntil));
  const set = { status: to, due_at: dueAt, updated_at: now };
  const free = { _id: payment._id, status: from, expires_at: { $gt: now } };
  const last = lastAttempt(payment);
  if (last?.status === 'turned_back') {
    const { path, is } = attemptPath(payment, last);
    const filter = {
      ...free,
      ...is,
      [`${path}.status`]: 'turned_back',
      attempts: { $size: count },
    };
    const reopened = { [`${path}.status`]: 'pending', [`${path}.card`]: card };
    return change(mongo, filter, { $set: { ...set, ...reopened, [`${path}.opened_at`]: now } });
  }
  const attempt: Attempt = {
    id: mintId('attempt'),
    number: count + 1,
    status: 'pending',
    card,
    failure_code: null,
    created_at: now,
    opened_at: now,
    bank: null,
    gave_up_at: null,
  };
  const filter = { ...free, attempts: { $size: count } };
  return change(mongo, filter, { $set: set, $push: { attempts: attempt } });
}

/** The customer turns back before the bank has decided; null when it was too late for that. */
export async function turnBack(mongo: Mongo, payment: Payment, now: Date): Promise<Payment | null> {
  const attempt = lastAttempt(payment);
  if (!attempt) return null;
  const { from, to } = TRANSITIONS.turned_back;
  const { path, is } = attemptPath(payment, attempt);
  const pending = { [`${path}.status`]: 'pending', [`${path}.bank`]: IS_NULL };
  return change(
    mongo,
    { _id: payment._id, status: from, ...is, ...pending, [`${path}.gave_up_at`]: IS_NULL },
    {
      $set: {
        status: to,
        due_at: payment.expires_at,
        updated_at: now,
        [`${path}.status`]: 'turned_back',
      },
    },
  );
}

/**
 * Records what the bank decided, if it has not decided before: only the winner of this write
 * learns of it (and wakes the workflow); everybody else gets null.
 */
export async function recordDecision(
  mongo: Mongo,
  payment: Payment,
  bank: BankDecision,
): Promise<Payment | null> {
  const attempt = lastAttempt(payment);
  if (!attempt) return null;
  const { path, is } = attemptPath(payment, attempt);
  const silent = bank.says.answer === 'none';
  // An answer that was asked for also takes the place of a silence.
  const open = bank.outcome === 'bank_query' ? unanswered(path) : { [`${path}.bank`]: IS_NULL };
  const pending = { [`${path}.status`]: 'pending', [`${path}.gave_up_at`]: IS_NULL };
  return change(
    mongo,
    { _id: payment._id, status: 'processing', ...is, ...pending, ...open },
    { $set: { [`${path}.bank`]: bank, ...(silent ? {} : { due_at: bank.due_at }) } },
  );
}

/**
 * The point of no return before an unanswered attempt is cancelled at the bank: from here on an
 * approval comes too late. Null when the bank has answered meanwhile.
 */
export async function giveUp(mongo: Mongo, payment: Payment, now: Date): Promise<Payment | null> {
  const attempt = lastAttempt(payment);
  if (!attempt) return null;
  const { path, is } = attemptPath(payment, attempt);
  const pending = { [`${path}.status`]: 'pending', [`${path}.gave_up_at`]: IS_NULL };
  return change(
    mongo,
    { _id: payment._id, status: 'processing', ...is, ...pending, ...unanswered(path) },
    { $set: { [`${path}.gave_up_at`]: now } },
  );
}

/** An approval that the bank sends, from `dueAt` on, for an attempt that we gave up on. */
export async function recordLateApproval(
  mongo: Mongo,
  payment: Payment,
  { attempt, dueAt }: { attempt: Attempt; dueAt: Date },
): Promise<void> {
  const { path, is } = attemptPath(payment, attempt);
  const givenUp = { [`${path}.status`]: 'pending', [`${path}.gave_up_at`]: { $type: 'date' } };
  await mongo.payments.updateOne(
    { _id: payment._id, ...is, ...givenUp, [`${path}.bank.says.answer`]: 'none' },
    { $set: { [`${path}.bank.says`]: { answer: 'approved' }, [`${path}.bank.due_at`]: dueAt } },
  );
}

/** A late approval was cancelled at the bank: no money moved, and the merchant can see it. */
export async function reverseAttempt(
  mongo: Mongo,
  payment: Payment,
  { attempt, now }: { attempt: Attempt; now: Date },
): Promise<void> {
  const { path, is } = attemptPath(payment, attempt);
  const late = { [`${path}.status`]: 'declined', [`${path}.bank.says.answer`]: 'approved' };
  const others = payment.attempts.filter((other) => other !== attempt);
  const closes = isFinal(payment.status) && !lateApproval({ attempts: others });
  await mongo.payments.updateOne(
    { _id: payment._id, ...is, status: payment.status, ...late },
    {
      $set: {
        [`${path}.status`]: 'reversed',
        updated_at: now,
        ...(payment.status === 'created' ? { due_at: payment.expires_at } : {}),
      },
      ...(closes ? { $unset: { open: '' } } : {}),
    },
  );
}

/** A transition with the payment before and after it, as the domain's rules have it. */
export interface PaymentChange {
  readonly transition: TransitionName;
  readonly before: Payment;
  readonly after: Payment;
}

/**
 * The one conditional write of a transition, inside its transaction; whether it took place. The
 * filter names the state, the attempt and the moment of the last change: when any of them is no
 * longer what was judged, nothing is written.
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
