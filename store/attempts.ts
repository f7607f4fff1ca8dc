/** Attempts at the bank: each write names what the attempt and its payment must be before it. */
import type { Filter, UpdateFilter } from 'mongodb';
import type { BankDecision } from '../domain/bank.ts';
import {
  TRANSITIONS,
  UNPAID,
  isFinal,
  lastAttempt,
  lateApproval,
  timeOfChange,
} from '../domain/payment.ts';
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
 * Opens an attempt: the customer goes to the bank. Each visit is an attempt with its own id, so
 * that the bank's decision on one visit is never taken for another. Returns the payment, or null if
 * it has changed since `payment` was read.
 */
export async function openAttempt(
  mongo: Mongo,
  payment: Payment,
  { card, now, bankTimeoutMs }: { card: Card; now: Date; bankTimeoutMs: number },
): Promise<Payment | null> {
  const { from, to } = TRANSITIONS.attempt_opened;
  const count = payment.attempts.length;
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
  return change(mongo, payment, {
    when: { status: from, expires_at: { $gt: now }, attempts: { $size: count } },
    update: {
      $set: { status: to, due_at: new Date(now.getTime() + bankTimeoutMs) },
      $max: { updated_at: now },
      $push: { attempts: attempt },
    },
  });
}

/**
 * Records that the customer wants to turn back. Returns null if the bank has decided or we gave up
 * on it. The attempt stays at the bank until the payment's workflow has cancelled it there, so the
 * payment is due now.
 */
export async function turnBack(mongo: Mongo, payment: Payment, now: Date): Promise<Payment | null> {
  const attempt = lastAttempt(payment);
  if (!attempt) return null;
  const { from } = TRANSITIONS.turned_back;
  const { path, is } = attemptPath(payment, attempt);
  const undecided = { [`${path}.bank`]: IS_NULL, [`${path}.gave_up_at`]: IS_NULL };
  const turned = `${path}.turned_back_at`;
  const once = { [`${path}.status`]: 'pending', [turned]: { $exists: false } };
  return change(mongo, payment, {
    when: { status: from, ...is, ...undecided, ...once },
    update: { $set: { [turned]: now, due_at: now } },
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

/** The number of tries to store an approval. Each fails if the payment changes in between. */
const MAX_ROUNDS = 100;

/**
 * Stores an approval by the bank, in any state of its attempt and payment. The approval completes
 * the payment if the attempt is still awaited. Otherwise it is reversed. Either is due at
 * `approval.due_at`. Returns the payment, or null if the bank had approved the attempt before.
 * Throws if there is no such attempt; the bank has to send its approval again.
 */
export async function recordApproval(
  mongo: Mongo,
  paymentId: string,
  { attemptId, approval }: { attemptId: string; approval: BankDecision },
): Promise<Payment | null> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const current = await mongo.payments.findOne({ _id: paymentId });
    const attempt = current?.attempts.find(({ id }) => id === attemptId);
    if (!current || !attempt) break;
    if (attempt.bank?.says.answer === 'approved') return null;
    const { path, is } = attemptPath(current, attempt);
    const { updated_at: seen } = current;
    const due = { due_at: approval.due_at };
    const stored = await change(mongo, current, {
      when: { ...is, updated_at: seen, [`${path}.bank.says.answer`]: { $ne: 'approved' } },
      update: {
        $set: {
          [`${path}.bank`]: approval,
          open: true,
          updated_at: timeOfChange(current, approval.decided_at),
          ...(isFinal(current.status) ? due : {}),
        },
        ...(isFinal(current.status) ? {} : { $min: due }),
      },
    });
    if (stored) return stored;
  }
  throw new Error(`The approval of ${attemptId} could not be stored with ${paymentId}.`);
}

/** Restarts the delay of the bank's decision. Does nothing if the decision has been replaced. */
export async function restartDelay(
  mongo: Mongo,
  payment: Payment,
  { attempt, bank }: { attempt: Attempt; bank: BankDecision },
): Promise<void> {
  const { path, is } = attemptPath(payment, attempt);
  const { decided_at: decidedAt } = attempt.bank ?? bank;
  await mongo.payments.updateOne(
    { _id: payment._id, ...is, [`${path}.bank.decided_at`]: decidedAt },
    { $set: { [`${path}.bank`]: bank, due_at: bank.due_at } },
  );
}

/**
 * Postpones the payment: the sweep looks again at `dueAt`. Does nothing if its `due_at` has
 * changed.
 */
export async function postpone(mongo: Mongo, payment: Payment, dueAt: Date): Promise<void> {
  const { _id, due_at: seen } = payment;
  await mongo.payments.updateOne({ _id, open: true, due_at: seen }, { $set: { due_at: dueAt } });
}

/**
 * Records that a late approval was cancelled at the bank, so that the merchant can see it. Does
 * nothing if the payment has changed since it was read.
 */
export async function reverseAttempt(
  mongo: Mongo,
  payment: Payment,
  { attempt, now }: { attempt: Attempt; now: Date },
): Promise<void> {
  const { path, is } = attemptPath(payment, attempt);
  const late = { [`${path}.status`]: { $in: UNPAID }, [`${path}.bank.says.answer`]: 'approved' };
  const others = payment.attempts.filter((other) => other !== attempt);
  const closes = isFinal(payment.status) && !lateApproval({ attempts: others });
  await mongo.payments.updateOne(
    { _id: payment._id, ...is, status: payment.status, updated_at: payment.updated_at, ...late },
    {
      $set: { [`${path}.status`]: 'reversed', updated_at: timeOfChange(payment, now) },
      ...(closes ? { $unset: { open: '' } } : {}),
    },
  );
}
