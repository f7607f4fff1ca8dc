/** Attempts at the bank. The filter of each write has the expected state of attempt and payment. */
import type { Filter, UpdateFilter } from 'mongodb';
import type { BankDecision } from '../domain/bank.ts';
import { tenderedBy, waitsUntil } from '../domain/method.ts';
import type { Tender } from '../domain/method.ts';
import { TRANSITIONS, lastAttempt, timeOfChange } from '../domain/payment.ts';
import type { Attempt, Payment } from '../domain/payment.ts';
import { attemptTerms, searchTerms } from '../domain/search.ts';
import { publish } from '../facts.ts';
import { mintId } from './mint.ts';
import type { Mongo } from './mongo.ts';
import { attemptPath, paymentById } from './payments.ts';
import type { PaymentRow } from './rows.ts';

/**
 * Matches null in a field of an attempt. A plain `null` would match every attempt: under
 * `attempts.0`, MongoDB also looks for a field named `0` in each attempt, and finds none.
 */
export const IS_NULL = { $type: 'null' } as const;

function undecided(path: string): Filter<PaymentRow> {
  return { $or: [{ [`${path}.bank`]: IS_NULL }, { [`${path}.bank.says.answer`]: 'none' }] };
}

interface Change {
  readonly when: Filter<PaymentRow>;
  readonly update: UpdateFilter<PaymentRow>;
}

/** Changes a payment. Returns false if it does not match `when`. */
async function write(
  mongo: Mongo,
  { _id }: Pick<Payment, '_id'>,
  { when, update }: Change,
): Promise<boolean> {
  const { matchedCount } = await mongo.payments.updateOne({ ...when, _id }, update);
  return matchedCount === 1;
}

/**
 * Changes a payment as `write` does, and returns it; null if it does not match. Makes two calls,
 * because for `findOneAndUpdate` the MongoDB stand-in reads the whole collection.
 */
export async function change(mongo: Mongo, payment: Pick<Payment, '_id'>, what: Change) {
  return (await write(mongo, payment, what)) ? paymentById(mongo, payment._id) : null;
}

/** Changes a payment as `change` does, if its last attempt is at the bank and not given up. */
export async function changeLast(
  mongo: Mongo,
  payment: Payment,
  compose: (path: string) => Change,
): Promise<Payment | null> {
  return (await writeLast(mongo, payment, compose)) ? paymentById(mongo, payment._id) : null;
}

/** Changes a payment as `changeLast` does. Returns false if it has not changed it. */
async function writeLast(
  mongo: Mongo,
  payment: Payment,
  compose: (path: string) => Change,
): Promise<boolean> {
  const attempt = lastAttempt(payment);
  if (!attempt) return false;
  const { path, is } = attemptPath(payment, attempt);
  const { when, update } = compose(path);
  const pending = { [`${path}.status`]: 'pending', [`${path}.gave_up_at`]: IS_NULL };
  return write(mongo, payment, {
    when: { status: 'processing', ...is, ...pending, ...when },
    update,
  });
}

interface Visit {
  readonly tender: Tender;
  readonly now: Date;
  readonly bankTimeoutMs: number;
  /** The bank's decision, if it is known at once. */
  readonly bank?: BankDecision;
}

/**
 * Opens an attempt: the customer goes to the bank. Each visit has an attempt with its own id, so
 * the bank's decision on one visit never counts for another. Returns the payment as it was read,
 * with the attempt; null if its status or its attempts have changed since then.
 */
export async function openAttempt(
  mongo: Mongo,
  payment: PaymentRow,
  { tender, now, bankTimeoutMs, bank }: Visit,
): Promise<PaymentRow | null> {
  const { from, to } = TRANSITIONS.attempt_opened;
  const count = payment.attempts.length;
  const id = mintId('attempt');
  const attempt: Attempt = {
    id,
    number: count + 1,
    status: 'pending',
    ...tenderedBy(tender, id),
    failure_code: null,
    created_at: now,
    opened_at: now,
    bank: bank ?? null,
    gave_up_at: null,
  };
  // A payment of an earlier version has no terms yet. Any other gets those of the attempt only,
  // because its metadata may have changed since it was read.
  const terms = payment.found_by
    ? attemptTerms([attempt])
    : searchTerms({ ...payment, attempts: [...payment.attempts, attempt] });
  const due_at = waitsUntil(payment, attempt, bankTimeoutMs);
  const set = { status: to, due_at, ...dueBy(bank) };
  const isOpened = await write(mongo, payment, {
    when: { status: from, expires_at: { $gt: now }, attempts: { $size: count } },
    update: {
      $set: set,
      $max: { updated_at: now },
      $push: { attempts: attempt },
      $addToSet: { found_by: { $each: terms } },
    },
  });
  if (!isOpened) return null;
  const { currency } = payment;
  publish('changed', { transition: 'attempt_opened', currency, code: null });
  const updated_at = now > payment.updated_at ? now : payment.updated_at;
  const attempts = [...payment.attempts, attempt];
  const found_by = [...new Set([...(payment.found_by ?? []), ...terms])];
  return { ...payment, ...set, updated_at, attempts, found_by };
}

/**
 * Records that the customer wants to turn back. Returns null if the bank has decided or we gave up
 * on it. The payment is due now: its workflow has to cancel the attempt at the bank.
 */
export async function turnBack(mongo: Mongo, payment: Payment, now: Date): Promise<Payment | null> {
  return changeLast(mongo, payment, (path) => ({
    when: { [`${path}.bank`]: IS_NULL, [`${path}.turned_back_at`]: { $exists: false } },
    update: { $set: { [`${path}.turned_back_at`]: now, due_at: now } },
  }));
}

/**
 * Records the bank's first decision. Returns the payment as it was read, with the decision; its
 * caller wakes the workflow. Returns null if the bank has decided before.
 */
export async function recordDecision(
  mongo: Mongo,
  payment: Payment,
  bank: BankDecision,
): Promise<Payment | null> {
  const due = dueBy(bank);
  const isRecorded = await writeLast(mongo, payment, (path) => ({
    // The answer to a query also replaces `none`.
    when: bank.outcome === 'bank_query' ? undecided(path) : { [`${path}.bank`]: IS_NULL },
    update: { $set: { [`${path}.bank`]: bank, ...due } },
  }));
  if (!isRecorded) return null;
  const attempts = payment.attempts.map((attempt, index, { length }) =>
    index === length - 1 ? { ...attempt, bank } : attempt,
  );
  return { ...payment, ...due, attempts };
}

/** Returns when a decision makes the payment due. A bank that stays silent changes nothing. */
const dueBy = (bank: BankDecision | undefined): { due_at?: Date } =>
  bank && bank.says.answer !== 'none' ? { due_at: bank.due_at } : {};

/**
 * Gives up on an undecided attempt, before it is cancelled at the bank. From now on an approval is
 * too late. Returns null if the bank has decided meanwhile.
 */
export async function giveUp(mongo: Mongo, payment: Payment, now: Date): Promise<Payment | null> {
  return changeLast(mongo, payment, (path) => ({
    when: undecided(path),
    update: { $set: { [`${path}.gave_up_at`]: now } },
  }));
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
 * Moves the time of the bank's answer to an attempt, by a request of test mode. The payment is due
 * now. Returns null if the payment has changed since it was read.
 */
export async function moveAnswer(
  mongo: Mongo,
  payment: Payment,
  { attempt, moved, by, now }: { attempt: Attempt; moved: Attempt; by: string; now: Date },
): Promise<Payment | null> {
  const { path, is } = attemptPath(payment, attempt);
  const { status, updated_at } = payment;
  const { bank } = attempt;
  const sameBank = bank
    ? { [`${path}.bank.decided_at`]: bank.decided_at }
    : { [`${path}.bank`]: IS_NULL };
  return change(mongo, payment, {
    when: { ...is, ...sameBank, status, updated_at, [`${path}.status`]: attempt.status },
    update: {
      $set: {
        [`${path}.opened_at`]: moved.opened_at,
        [`${path}.bank`]: moved.bank,
        [`${path}.advanced_by`]: by,
        due_at: now,
        updated_at: timeOfChange(payment, now),
      },
    },
  });
}

/** Postpones the payment's next step. Does nothing if its `due_at` has changed. */
export async function postpone(mongo: Mongo, payment: Payment, dueAt: Date): Promise<void> {
  const { _id, due_at: seen } = payment;
  await mongo.payments.updateOne({ _id, open: true, due_at: seen }, { $set: { due_at: dueAt } });
}
