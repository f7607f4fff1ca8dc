/** Settles a payment: carries out the domain's verdicts, step by step. */
import { composeEntry } from '../domain/audit.ts';
import type { Actor, AuditEntry } from '../domain/audit.ts';
import type { BankAnswer, BankDecision } from '../domain/bank.ts';
import type { Delivery } from '../domain/delivery.ts';
import { composeEvent } from '../domain/event.ts';
import type { EventRequest } from '../domain/event.ts';
import { TRANSITIONS, lastAttempt } from '../domain/payment.ts';
import type { Attempt, Cancellation, Payment, PaymentEventType } from '../domain/payment.ts';
import { afterTransition, judgePayment, releaseOf } from '../domain/verdict.ts';
import type { Change, Message, Verdict } from '../domain/verdict.ts';
import { publicPayment } from '../domain/wire.ts';
import type { Links } from '../domain/wire.ts';
import { publish } from '../facts.ts';
import { insertAudit } from '../store/audit.ts';
import { pendingDeliveriesOf } from '../store/deliveries.ts';
import { newestEventOf } from '../store/events.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { recordApproval, reverseAttempt } from '../store/approvals.ts';
import { giveUp, postpone, recordDecision, restartDelay } from '../store/attempts.ts';
import { applyChange, paymentById } from '../store/payments.ts';
import { findRequest } from '../store/requests.ts';
import { traceIn } from '../tracing/current.ts';
import type { SettleInput, SettleResult } from '../workflows/messages.ts';
import type { Bank } from './bank.ts';
import { emitEvent } from '../store/emit.ts';
import { resumeDeliveries, startDeliveries } from './start.ts';
import type { StartDeps } from './start.ts';

export interface SettleDeps extends StartDeps {
  bank: Bank;
  links: Links;
  bankTimeoutMs: number;
}

/** More steps than any payment needs in one run. Reaching it means an endless loop. */
const MAX_STEPS = 12;
/** The delay before a bank that has not confirmed a cancel is asked again. */
const UNCONFIRMED_WAIT_MS = 30_000;

/**
 * Does everything that is due for a payment, and returns its new status. May be repeated, and may
 * run twice at once: every step is a conditional write, and a change is one transaction of status,
 * event and deliveries. Throws if MongoDB or Temporal cannot be reached. The workflow then retries.
 */
export async function settlePayment(deps: SettleDeps, input: SettleInput): Promise<SettleResult> {
  const now = new Date(input.now_ms);
  const read = async () => paymentById(deps.mongo, input.payment_id);
  let changed = false;
  let payment = await read();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (!payment) return { status: 'missing', done: true, wake_at_ms: 0 };
    const verdict = judgePayment(payment, input.message, {
      now,
      bankTimeoutMs: deps.bankTimeoutMs,
    });
    const rest = await carryOut(deps, { payment, verdict, message: input.message, now });
    if (rest === 'again') {
      payment = await read();
      continue;
    }
    if ('after' in rest) {
      changed = true;
      payment = rest.after;
      continue;
    }
    // A run that died between its transaction and this point left deliveries that nobody started.
    if (!changed) await resumeDeliveries(deps, await unstartedDeliveries(deps.mongo, payment));
    return { status: payment.status, ...rest };
  }
  throw new Error(`${input.payment_id} was not settled after ${MAX_STEPS} steps.`);
}

interface Step {
  payment: Payment;
  verdict: Verdict;
  message: Message;
  now: Date;
}

/** `again`: the payment must be read and judged again. */
type Outcome = Committed | 'again' | Pick<SettleResult, 'done' | 'wake_at_ms'>;

interface Committed {
  /** The payment as it was committed. Whoever changes it after that wakes the workflow. */
  readonly after: Payment;
}

async function carryOut(deps: SettleDeps, step: Step): Promise<Outcome> {
  const { payment, verdict, now } = step;
  switch (verdict.kind) {
    case 'done':
      return { done: true, wake_at_ms: 0 };
    case 'wait':
      return waitUntil(deps.mongo, step, verdict.until);
    case 'change':
      return commit(deps, step, verdict);
    case 'ask_bank': {
      const says = await deps.bank.query(payment, verdict.attempt);
      if (says.answer === 'none') await giveUp(deps.mongo, payment, now);
      else await recordDecision(deps.mongo, payment, decisionOf(says, now));
      return 'again';
    }
    case 'cancel_at_bank':
    case 'reverse': {
      const { kind, attempt } = verdict;
      const { confirmed } = await deps.bank.cancel(payment, attempt);
      const retryAt = new Date(now.getTime() + UNCONFIRMED_WAIT_MS);
      if (!confirmed) return waitUntil(deps.mongo, step, retryAt);
      if (kind === 'cancel_at_bank') return release(deps, step, attempt);
      await reverseAttempt(deps.mongo, payment, { attempt, now });
      return 'again';
    }
    case 'restart_delay':
      await restartDelay(deps.mongo, payment, verdict);
      return 'again';
  }
}

/** Returns the result of a query as a decision of the bank. */
function decisionOf(says: BankAnswer, now: Date): BankDecision {
  return { outcome: 'bank_query', says, decided_at: now, due_at: now, request_id: null };
}

/** Returns when to look again. An overdue payment gets that time as its new `due_at`. */
async function waitUntil(mongo: Mongo, { payment, now }: Step, until: Date): Promise<Outcome> {
  if (payment.due_at <= now) await postpone(mongo, payment, until);
  return { done: false, wake_at_ms: until.getTime() };
}

/**
 * Ends an attempt after the bank has confirmed its cancel. If the bank approved before that,
 * records the approval.
 */
async function release(deps: SettleDeps, step: Step, attempt: Attempt): Promise<Outcome> {
  const { payment, now } = step;
  const says = await deps.bank.query(payment, attempt);
  if (says.answer === 'approved') {
    const approval = { attemptId: attempt.id, approval: decisionOf(says, now) };
    await recordApproval(deps.mongo, payment._id, approval);
  }
  // The bank may have written to the attempt, so the change starts from the latest payment.
  const fresh = await paymentById(deps.mongo, payment._id);
  const last = fresh && lastAttempt(fresh);
  // Another run has ended the attempt, and the customer may be at the bank with a new one.
  if (!fresh || last?.id !== attempt.id || last.status !== 'pending') return 'again';
  return commit(deps, { ...step, payment: fresh }, releaseOf(fresh, attempt, now));
}

/**
 * Writes the status, its event, a delivery for each subscribed endpoint, and a person's audit entry
 * in one transaction. Starts the deliveries. There is no event for a customer who turned back.
 */
async function commit(deps: SettleDeps, step: Step, change: Change): Promise<Outcome> {
  const { payment: before, now } = step;
  const { transition, code } = change;
  const type: PaymentEventType | null = TRANSITIONS[transition].event;
  const { request, cancellation, actor } = await backgroundOf(deps.mongo, step, change);
  const entry = actor && entryOf(before, actor);
  const after = afterTransition(before, transition, { now, code, cancellation });
  const attempt = TRANSITIONS[transition].from === 'processing' ? lastAttempt(before) : undefined;
  const event =
    type &&
    composeEvent({
      id: mintId('event'),
      tenant: before.m,
      type,
      paymentId: before._id,
      cause: [before._id, attempt?.id, transition].filter(Boolean).join(':'),
      object: publicPayment(after, deps.links),
      request,
      trace: traceIn(before.trace),
    });
  try {
    const deliveries = await deps.mongo.transact(async (session) => {
      if (!(await applyChange(deps.mongo, session, { transition, before, after }))) return null;
      if (entry) await insertAudit(deps.mongo, session, entry);
      return event ? emitEvent(deps.mongo, session, event) : [];
    });
    if (!deliveries) return 'again';
    publish('changed', { transition, currency: before.currency, code });
    await startDeliveries(deps, deliveries);
    return { after };
  } catch (error) {
    if (duplicateOf(error) === 'cause') return 'again';
    throw error;
  }
}

/** Returns the audit entry of a person who cancels the payment. */
function entryOf({ _id, merchant_id, status }: Payment, actor: Actor): AuditEntry {
  const change = { before: { status }, after: { status: 'canceled' } };
  const act = {
    action: 'payment.cancel',
    objectId: _id,
    merchantId: merchant_id,
    ...change,
  } as const;
  return composeEntry(act, { id: mintId('audit'), actor });
}

interface Background {
  readonly request: EventRequest | null;
  readonly cancellation: Cancellation | null;
  /** The person who cancels. */
  readonly actor?: Actor | undefined;
}

/** Returns the request that led to the change, and the origin and reason of a cancellation. */
async function backgroundOf(mongo: Mongo, step: Step, change: Change): Promise<Background> {
  const { payment, message } = step;
  const canceled = change.transition === 'canceled' && message.kind === 'cancel';
  const isRequested = canceled || (change.transition === 'expired' && message.kind === 'expire');
  const atBank = TRANSITIONS[change.transition].from === 'processing';
  const bankRequest = atBank ? lastAttempt(payment)?.bank?.request_id : null;
  const id = isRequested ? message.request_id : (bankRequest ?? null);
  const row = id === null ? null : await findRequest(mongo, id);
  return {
    request: row ? { id: row._id, idempotency_key: row.k ?? null } : null,
    cancellation: canceled ? { by: message.by, reason: row?.reason ?? null } : null,
    actor: canceled ? row?.actor : undefined,
  };
}

async function unstartedDeliveries(mongo: Mongo, payment: Payment): Promise<Delivery[]> {
  const event = await newestEventOf(mongo, payment.m, payment._id);
  return event ? pendingDeliveriesOf(mongo, event._id) : [];
}
