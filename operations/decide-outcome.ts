/**
 * Deciding a payment's outcome at the sandbox bank without a browser. It writes the same data as
 * the sandbox bank's page.
 */
import { CHOICES, TEST_CARDS, choicesFor, sandboxDecision } from '../domain/bank.ts';
import type { BankDecision, SandboxOutcomeName } from '../domain/bank.ts';
import { lastMethod } from '../domain/method.ts';
import type { MethodType } from '../domain/method.ts';
import { lastAttempt, mayOpenAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { openAttempt, recordDecision, turnBack } from '../store/attempts.ts';
import {
  actOnce,
  endPayment,
  requirePayment,
  stateRefusal,
  untilWritten,
} from './change-payment.ts';
import type { RequestClaim } from './change-payment.ts';
import { Refusal } from './refusal.ts';
import { requireTestMode } from './idempotency.ts';
import type { MerchantRequest, RequestResult } from './idempotency.ts';

const DONE = 'given this outcome';

/**
 * Gives the payment this outcome, and returns it. Throws `Refusal` in live mode, if there is no
 * such payment, or if its state does not allow this.
 */
export async function decideOutcome(
  request: MerchantRequest,
  { id, outcome }: { id: string; outcome: SandboxOutcomeName | 'turn_back' | 'expire' },
): Promise<RequestResult> {
  requireTestMode(request);
  const payment = await requirePayment(request, id);
  return actOnce(request, { name: 'outcome', payment, reason: null }, async (claimNow) => {
    const claim = await claimNow();
    if (outcome === 'turn_back') return visitBank(request, payment, claim);
    if (outcome !== 'expire') return decide(request, payment, { outcome, claim });
    if (claim.isTakenOver && payment.status === 'expired') return payment;
    return endPayment(request, payment, { to: 'expired', claim: claimNow, done: DONE });
  });
}

/** Sends the customer to the bank and back, without a decision. */
async function visitBank(
  request: MerchantRequest,
  payment: Payment,
  claim: RequestClaim,
): Promise<Payment> {
  // An earlier try of the same request recorded the step, and the sweep has carried it out.
  if (claim.isTakenOver && lastAttempt(payment)?.status === 'turned_back') return payment;
  const leaving = await untilWritten(request, { payment, done: DONE }, async (current) => {
    // The workflow may be cancelling that attempt at the bank just now.
    const isLeaving = lastAttempt(current)?.turned_back_at !== undefined;
    if (current.status === 'processing' && isLeaving) return current;
    const atBank = isUndecided(current) ? current : await openTestAttempt(request, current);
    return atBank && turnBack(request.mongo, atBank, request.now);
  });
  await request.temporal.askPayment(leaving, { kind: 'look' }, claim.id);
  return requirePayment(request, payment._id);
}

/** Records the sandbox bank's decision, and lets the workflow carry it out if it is known now. */
async function decide(
  request: MerchantRequest,
  payment: Payment,
  { outcome, claim }: { outcome: SandboxOutcomeName; claim: RequestClaim },
): Promise<Payment> {
  const decision = sandboxDecision(outcome, request.now, claim.id);
  const decided = await untilWritten(request, { payment, done: DONE }, async (current) => {
    // An earlier try of the same request recorded the decision.
    if (current.attempts.some(({ bank }) => bank?.request_id === claim.id)) return current;
    const isAtBank = isUndecided(current);
    requireChoice(isAtBank ? lastMethod(current)?.type : TEST_TENDER.type, outcome);
    if (isAtBank) return recordDecision(request.mongo, current, decision);
    return openTestAttempt(request, current, decision);
  });
  // A bank that does not decide does not wake the workflow.
  if (decision.says.answer !== 'none') {
    await request.temporal.askPayment(decided, { kind: 'look' }, claim.id);
  }
  return requirePayment(request, payment._id);
}

/** Throws `Refusal` if the outcome cannot happen to the payment's method. */
function requireChoice(method: MethodType | undefined, outcome: SandboxOutcomeName): void {
  if (method === undefined || choicesFor(method).includes(outcome)) return;
  const choices = CHOICES.filter((choice) => choicesFor(method).includes(choice)).join(', ');
  const message = `The customer pays by ${method}, whose outcomes are: ${choices}.`;
  throw new Refusal('payment_state_invalid', { message });
}

/** Returns true if the customer is at the bank, which has not decided. */
function isUndecided(payment: Payment): boolean {
  const attempt = lastAttempt(payment);
  const isOpen = attempt?.status === 'pending' && !attempt.bank && !attempt.gave_up_at;
  return payment.status === 'processing' && isOpen;
}

/**
 * Opens an attempt with a test card, and with the bank's decision if it is given. Returns null if
 * another write changed the payment first. Throws `Refusal` if the payment's state allows no attempt.
 */
async function openTestAttempt(
  { mongo, now, bankTimeoutMs }: MerchantRequest,
  payment: Payment,
  bank?: BankDecision,
): Promise<Payment | null> {
  if (!mayOpenAttempt(payment, now)) throw stateRefusal(payment, DONE);
  const visit = { tender: TEST_TENDER, now, bankTimeoutMs, ...(bank ? { bank } : {}) };
  return openAttempt(mongo, payment, visit);
}

const FIRST_CARD = TEST_CARDS[0];
const TEST_TENDER = {
  type: 'card',
  card: { brand: FIRST_CARD?.brand ?? '', last4: FIRST_CARD?.number.slice(-4) ?? '' },
} as const;
