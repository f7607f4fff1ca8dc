/**
 * The time machine of test mode. It makes the next step of one payment due at once, and lets it
 * happen as it would have happened later. It changes no clock, and no other payment.
 */
import { answerAhead } from '../domain/advance.ts';
import type { Advance } from '../domain/advance.ts';
import type { Act, Actor } from '../domain/audit.ts';
import { merchantOf } from '../domain/merchant.ts';
import { isPaidElsewhere } from '../domain/method.ts';
import { isFinal, lastAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { moveAnswer } from '../store/attempts.ts';
import { recordAct } from '../store/audit.ts';
import { hastenAttempt, pendingDeliveriesAmong } from '../store/deliveries.ts';
import { newestEventIdsOf } from '../store/events.ts';
import { endLifetime } from '../store/payments.ts';
import {
  actOnce,
  endPayment,
  requirePayment,
  stateRefusal,
  untilWritten,
} from './change-payment.ts';
import type { ClaimNow } from './change-payment.ts';
import { requireTestMode } from './idempotency.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';

const DONE = 'advanced to this time';
/** The newest events of a payment, and their pending deliveries, that one request advances. */
const MAX_EVENTS = 50;
const MAX_DELIVERIES = 50;

type Step = (request: MerchantRequest, payment: Payment, claim: ClaimNow) => Promise<Payment>;

const STEPS: Readonly<Record<Advance, Step>> = {
  expiry: advanceToExpiry,
  bank_answer: advanceToAnswer,
  next_webhook_attempt: advanceToAttempt,
};

/**
 * Advances the payment to that time, and returns it. `actor` is the person who asks for it; null
 * for a request with an API key, which the audit does not record. Throws `Refusal` in live mode, if
 * there is no such payment, or if nothing of that kind lies ahead of it.
 */
export async function advancePayment(
  request: MerchantRequest,
  { id, to, actor = null }: { id: string; to: Advance; actor?: Actor | null },
): Promise<RequestResult> {
  requireTestMode(request);
  const payment = await requirePayment(request, id);
  return actOnce(request, { name: 'advance', payment, reason: null }, async (claimNow) => {
    let isRecorded = actor === null;
    const claim: ClaimNow = async () => {
      if (actor && !isRecorded) await recordAct(request.mongo, entryOf({ actor }, actOf(id, to)));
      isRecorded = true;
      return claimNow();
    };
    return STEPS[to](request, payment, claim);
  });

  function actOf(objectId: string, time: Advance): Act {
    const merchantId = merchantOf(request.tenant);
    return { action: 'payment.advance', objectId, merchantId, after: { to: time } };
  }
}

/**
 * Ends the payment's lifetime. A card that is at the bank stays there, as it would later. But a
 * transfer that has not arrived is given up.
 */
async function advanceToExpiry(
  request: MerchantRequest,
  payment: Payment,
  claim: ClaimNow,
): Promise<Payment> {
  if (isFinal(payment.status) && payment.status !== 'expired') throw stateRefusal(payment, DONE);
  const { id: by, isTakenOver } = await claim();
  const ended = await untilWritten(request, { payment, done: DONE }, async (current) => {
    // An earlier try of the same request had its effect.
    const isOver = current.status === 'expired' || current.expires_at <= request.now;
    if (isTakenOver && isOver) return current;
    if (current.status !== 'processing') {
      return endPayment(request, current, { to: 'expired', claim, done: DONE });
    }
    if (current.expires_at > request.now) return endLifetime(request.mongo, current, request.now);
    throw stateRefusal(current, DONE);
  });
  const attempt = lastAttempt(ended);
  if (ended.status !== 'processing' || !attempt || !isPaidElsewhere(attempt)) return ended;
  await request.temporal.askPayment(ended, { kind: 'look' }, by);
  return requirePayment(request, ended._id);
}

/** Lets the bank's answer arrive. A silent bank is asked now, as after its time limit. */
async function advanceToAnswer(
  request: MerchantRequest,
  payment: Payment,
  claim: ClaimNow,
): Promise<Payment> {
  const { mongo, now } = request;
  const isAhead = answerAhead(payment, request) !== undefined;
  if (!isAhead && request.key === undefined) throw nothingAhead('answer of the bank');
  const { id: by, isTakenOver } = await claim();
  const moved = await untilWritten(request, { payment, done: DONE }, async (current) => {
    const isDone = current.attempts.some(({ advanced_by: first }) => first === by);
    if (isTakenOver && isDone) return current;
    const ahead = answerAhead(current, request);
    if (!ahead) throw nothingAhead('answer of the bank');
    return moveAnswer(mongo, current, { ...ahead, by, now });
  });
  await request.temporal.askPayment(moved, { kind: 'look' }, by);
  return requirePayment(request, payment._id);
}

/** Makes the next attempt of every delivery that waits for one. */
async function advanceToAttempt(
  request: MerchantRequest,
  payment: Payment,
  claim: ClaimNow,
): Promise<Payment> {
  const { mongo, temporal, tenant: m, now } = request;
  const events = await newestEventIdsOf(mongo, { m, payment_id: payment._id }, MAX_EVENTS);
  const pending = await pendingDeliveriesAmong(mongo, events, MAX_DELIVERIES);
  if (pending.length === 0 && request.key === undefined) throw nothingAhead('webhook attempt');
  const { id: by, isTakenOver } = await claim();
  const own = pending.filter(({ hastened }) => hastened?.request_id === by);
  if (pending.length === 0 && !isTakenOver) throw nothingAhead('webhook attempt');
  // After an earlier try of the same request, only the attempts that it asked for are made.
  const asked = own.length > 0 ? own : pending;
  const waiting = asked.filter(
    ({ hastened, attempts }) => hastened?.request_id !== by || hastened.number > attempts.length,
  );
  await Promise.all(
    waiting.map(async (delivery) => {
      await hastenAttempt(mongo, delivery, { by, now });
      await temporal.hastenDelivery(delivery._id, delivery);
    }),
  );
  return requirePayment(request, payment._id);
}

function nothingAhead(what: string): Refusal {
  return new Refusal('payment_state_invalid', { message: `The payment waits for no ${what}.` });
}
