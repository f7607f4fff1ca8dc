/** Attempts at the bank: each write names what the attempt and its payment must be before it. */
import type { Filter, UpdateFilter } from 'mongodb';
import type { BankDecision } from '../domain/bank.ts';
import { TRANSITIONS, isFinal, lastAttempt, lateApproval } from '../domain/payment.ts';
import type { Attempt, Card, Payment } from '../domain/payment.ts';
import { mintId } from './mint.ts';
import type { Mongo } from './mongo.ts';
import { attemptPath } from './payments.ts';
import type { PaymentRow } from './rows.ts';

/**
 * Null in an attempt's field, for a filter. A plain `null` would match every attempt: below a path
 * with an index MongoDB looks for a field of that name in each element too, and finds none.
 */
const IS_NULL = { $type: 'null' } as const;

function unanswered(path: string): Filter<PaymentRow> {
  return { $or: [{ [`${path}.bank`]: IS_NULL }, { [`${path}.bank.says.answer`]: 'none' }] };
}

/**
 * The payment as it is after a change whose condition it met, or null. In two calls, because the
 * MongoDB stand-in reads the whole collection for both in one; who comes in between is seen.
 */
async function change(
  mongo: Mongo,
  { _id }: Pick<Payment, '_id'>,
  { when, update }: { when: Filter<PaymentRow>; update: UpdateFilter<PaymentRow> },
): Promise<Payment | null> {
  const { matchedCount } = await mongo.payments.updateOne({ ...when, _id }, update);
  return matchedCount === 1 ? mongo.payments.findOne({ _id }) : null;
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
  const dueAt = new Date(now.getTime() + bankTimeoutMs);
  const set = { status: to, due_at: dueAt, updated_at: now };
  const free = { status: from, expires_at: { $gt: now } };
  const last = lastAttempt(payment);
  if (last?.status === 'turned_back') {
    const { path, is } = attemptPath(payment, last);
    const when = { ...free, ...is, [`${path}.status`]: 'turned_back', attempts: { $size: count } };
    const reopened = { [`${path}.status`]: 'pending', [`${path}.card`]: card };
    const update = { $set: { ...set, ...reopened, [`${path}.opened_at`]: now } };
    return change(mongo, payment, { when, update });
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
  const when = { ...free, attempts: { $size: count } };
  return change(mongo, payment, { when, update: { $set: set, $push: { attempts: attempt } } });
}

/** The customer turns back before the bank has decided; null when it was too late for that. */
export async function turnBack(mongo: Mongo, payment: Payment, now: Date): Promise<Payment | null> {
  const attempt = lastAttempt(payment);
  if (!attempt) return null;
  const { from, to } = TRANSITIONS.turned_back;
  const { path, is } = attemptPath(payment, attempt);
  const pending = { [`${path}.status`]: 'pending', [`${path}.bank`]: IS_NULL };
  const turned = { status: to, due_at: payment.expires_at, updated_at: now };
  return change(mongo, payment, {
    when: { status: from, ...is, ...pending, [`${path}.gave_up_at`]: IS_NULL },
    update: { $set: { ...turned, [`${path}.status`]: 'turned_back' } },
  });
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
  return change(mongo, payment, {
    when: { status: 'processing', ...is, ...pending, ...open },
    update: { $set: { [`${path}.bank`]: bank, ...(silent ? {} : { due_at: bank.due_at }) } },
  });
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
  return change(mongo, payment, {
    when: { status: 'processing', ...is, ...pending, ...unanswered(path) },
    update: { $set: { [`${path}.gave_up_at`]: now } },
  });
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
