/**
 * `POST /v1/test/payments/{id}/outcome`: pays in test mode without a browser, by the same writes as
 * the sandbox bank's page.
 */
import { TEST_CARDS, sandboxDecision } from '../domain/bank.ts';
import type { SandboxOutcomeName } from '../domain/bank.ts';
import { lastAttempt, mayOpenAttempt } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { openAttempt, recordDecision, turnBack } from '../store/attempts.ts';
import { requireTestMode } from './call.ts';
import type { Answer, Call } from './call.ts';
import { mayBeFree, stateRefusal } from './cancel.ts';
import { actOnce } from './once.ts';
import type { Claim } from './once.ts';
import { paymentOf } from './payments.ts';
import { outcomeSchema } from './schemas.ts';
import type { OutcomeBody } from './schemas.ts';
import { compile, validate } from './validate.ts';

const schema = compile(outcomeSchema);
const DONE = 'given this outcome';

/** 200 with the payment as the outcome leaves it; 409 when it is decided or final. */
export async function decideOutcome(call: Call): Promise<Answer> {
  requireTestMode(call);
  validate(schema, call);
  const { outcome } = call.body as unknown as OutcomeBody;
  const payment = await paymentOf(call);
  const wish = { name: 'outcome', payment, reason: null } as const;
  return actOnce(call, wish, async (claimNow) => {
    const claim = await claimNow();
    if (outcome === 'expire') return expire(call, payment, claim);
    if (outcome === 'turn_back') return goAndTurnBack(call, payment, claim);
    return decide(call, payment, { outcome, claim });
  });
}

/** The payment's lifetime ends now. */
async function expire(call: Call, payment: Payment, claim: Claim): Promise<Payment> {
  if (claim.isTakenOver && payment.status === 'expired') return payment;
  if (!mayBeFree(payment, call)) throw stateRefusal(payment, DONE);
  const message = { kind: 'expire', request_id: claim.id } as const;
  await call.api.temporal.askPayment(payment, message, claim.id);
  const after = await paymentOf(call);
  if (after.status !== 'expired') throw stateRefusal(after, DONE);
  return after;
}

/** The customer goes to the bank and comes back without having decided anything. */
async function goAndTurnBack(call: Call, payment: Payment, claim: Claim): Promise<Payment> {
  const { mongo, temporal } = call.api;
  // An earlier try of the same request recorded the wish, and the sweep has carried it out.
  if (claim.isTakenOver && lastAttempt(payment)?.status === 'turned_back') return payment;
  const leaving = await untilWon(call, payment, async (current) => {
    const atBank = await goToBank(call, current);
    if (atBank && lastAttempt(atBank)?.turned_back_at) return atBank;
    return atBank && turnBack(mongo, atBank, call.now);
  });
  await temporal.askPayment(leaving, { kind: 'look' }, claim.id);
  return paymentOf(call);
}

/** The sandbox bank decides; then the workflow carries out what is due of it. */
async function decide(
  call: Call,
  payment: Payment,
  { outcome, claim }: { outcome: SandboxOutcomeName; claim: Claim },
): Promise<Payment> {
  const { mongo, temporal } = call.api;
  const decision = sandboxDecision(outcome, call.now, claim.id);
  const decided = await untilWon(call, payment, async (current) => {
    // An earlier try of the same request got as far as this.
    if (current.attempts.some(({ bank }) => bank?.request_id === claim.id)) return current;
    const atBank = await goToBank(call, current);
    return atBank && recordDecision(mongo, atBank, decision);
  });
  // A silent bank wakes nobody.
  if (decision.says.answer === 'none') return decided;
  await temporal.askPayment(decided, { kind: 'look' }, claim.id);
  return paymentOf(call);
}

/** Conditional writes lose against others at the same payment; so often they are tried again. */
const MAX_ROUNDS = 5;

/** The first result of `step` that is not null; each try sees the payment as it is by then. */
async function untilWon(
  call: Call,
  payment: Payment,
  step: (current: Payment) => Promise<Payment | null>,
): Promise<Payment> {
  let current = payment;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const won = await step(current);
    if (won) return won;
    current = await paymentOf(call);
  }
  throw stateRefusal(current, DONE);
}

/**
 * The payment with an attempt that the bank has not decided on: the one that is there, or a new
 * one; null when somebody else was faster. Refuses where the payment's state allows neither.
 */
async function goToBank(call: Call, payment: Payment): Promise<Payment | null> {
  const { api, now } = call;
  const attempt = lastAttempt(payment);
  const isUndecided = attempt?.status === 'pending' && !attempt.bank && !attempt.gave_up_at;
  if (payment.status === 'processing' && isUndecided) return payment;
  if (!mayOpenAttempt(payment, now)) throw stateRefusal(payment, DONE);
  const { bankTimeoutMs } = api;
  return openAttempt(api.mongo, payment, { card: testCard, now, bankTimeoutMs });
}

const FIRST_CARD = TEST_CARDS[0];
const testCard = { brand: FIRST_CARD?.brand ?? '', last4: FIRST_CARD?.number.slice(-4) ?? '' };
