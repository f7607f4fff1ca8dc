/** What a bank can decide on an attempt, and the outcomes that the sandbox bank offers. */

import type { MethodType } from './method.ts';

/** Failure codes, with their message for the merchant's developers. Customers read other texts. */
export const FAILURE_MESSAGES = {
  card_declined: 'The bank declined the card.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The security code of the card is incorrect.',
  authentication_failed: 'The customer could not be authenticated by the bank.',
  limit_exceeded: 'The amount exceeds a limit of the card.',
  issuer_unavailable: 'The bank that issued the card could not be reached.',
  processing_error: 'The bank could not process the payment.',
  bank_timeout: 'The bank did not answer in time; the attempt was cancelled there.',
  suspected_fraud: 'The bank suspects fraud.',
  lost_or_stolen: 'The card is reported lost or stolen.',
} as const;

export type FailureCode = keyof typeof FAILURE_MESSAGES;

/** The codes that end the payment at once. After any other, the customer may try again. */
export const HARD_CODES = ['suspected_fraud', 'lost_or_stolen'] as const satisfies FailureCode[];

export function isHardDecline(code: FailureCode): boolean {
  return (HARD_CODES as readonly FailureCode[]).includes(code);
}

/** `none`: the bank was asked and has not decided yet. */
export type BankAnswer =
  | { readonly answer: 'approved' }
  | { readonly answer: 'declined'; readonly code: FailureCode }
  | { readonly answer: 'none' };

interface SandboxOutcome {
  readonly says: BankAnswer;
  /** The time from the customer's choice to the bank's answer, in milliseconds. */
  readonly delayMs: number;
}

const approve = (delayMs = 0): SandboxOutcome => ({ says: { answer: 'approved' }, delayMs });
const decline = (code: FailureCode, delayMs = 0): SandboxOutcome => ({
  says: { answer: 'declined', code },
  delayMs,
});
const SILENCE: SandboxOutcome = { says: { answer: 'none' }, delayMs: 0 };

export const SANDBOX_OUTCOMES = {
  approve: approve(),
  approve_3ds: approve(),
  insufficient_funds: decline('insufficient_funds'),
  card_declined: decline('card_declined'),
  expired_card: decline('expired_card'),
  incorrect_cvc: decline('incorrect_cvc'),
  limit_exceeded: decline('limit_exceeded'),
  issuer_unavailable: decline('issuer_unavailable'),
  suspected_fraud: decline('suspected_fraud'),
  lost_or_stolen: decline('lost_or_stolen'),
  approve_after_5s: approve(5_000),
  approve_after_30s: approve(30_000),
  decline_after_30s: decline('card_declined', 30_000),
  approve_after_timeout: SILENCE,
  never_answer: SILENCE,
};

export type SandboxOutcomeName = keyof typeof SANDBOX_OUTCOMES;

/**
 * Every decision of the sandbox bank. A wrong 3-D Secure code cannot be chosen, only typed. A wrong
 * amount is of a transfer, which the bank sends back.
 */
const DECISIONS = {
  ...SANDBOX_OUTCOMES,
  authentication_failed: decline('authentication_failed'),
  wrong_amount: decline('processing_error'),
};

export type DecisionName = keyof typeof DECISIONS;

/** A choice of the customer. `turn_back` is the customer's own step, not a decision. */
export type Choice = SandboxOutcomeName | 'turn_back';

export const CHOICES = [...Object.keys(SANDBOX_OUTCOMES), 'turn_back'] as readonly Choice[];

/** What can happen to a bank transfer. A delayed approval is a transfer that arrives later. */
export const TRANSFER_OUTCOMES = [
  'approve',
  'approve_after_5s',
  'approve_after_30s',
  'wrong_amount',
  'approve_after_timeout',
  'never_answer',
] as const satisfies readonly DecisionName[];

/** Returns the choices at the sandbox bank for a payment by that method. */
export function choicesFor(method: MethodType): readonly (DecisionName | 'turn_back')[] {
  return method === 'card' ? CHOICES : [...TRANSFER_OUTCOMES, 'turn_back'];
}

/** The code a customer types on the sandbox bank's 3-D Secure page. */
export const SANDBOX_3DS_CODE = '123456';

/** The wrong code with this number is a decline. The ones before it can be corrected. */
export const MAX_WRONG_CODES = 3;

/** The time after which the sandbox bank approves an attempt we gave up on, in milliseconds. */
export const LATE_APPROVAL_DELAY_MS = 5_000;

/** The bank's decision on an attempt. An approval replaces any other decision. */
export interface BankDecision {
  /** `bank_query` if we had to ask for the decision. */
  outcome: DecisionName | 'bank_query';
  says: BankAnswer;
  decided_at: Date;
  /** The time when we learn the bank's answer. */
  due_at: Date;
  /** The API request that made the decision (test mode), or null for the bank's own page. */
  request_id: string | null;
}

/**
 * Returns true if the bank's decision is known at `now`. A decision without a delay is known at
 * once: another host may have written it, and our clock may be behind that host's.
 */
export function isDue({ decided_at: decidedAt, due_at: dueAt }: BankDecision, now: Date): boolean {
  return dueAt <= decidedAt || dueAt <= now;
}

/** Returns the decision that follows from a choice at the sandbox bank at `now`. */
export function sandboxDecision(
  outcome: DecisionName,
  now: Date,
  requestId: string | null = null,
): BankDecision {
  const { says, delayMs } = DECISIONS[outcome];
  const dueAt = new Date(now.getTime() + delayMs);
  return { outcome, says, decided_at: now, due_at: dueAt, request_id: requestId };
}

interface TestCard {
  readonly number: string;
  readonly brand: string;
  /** The outcome that the bank's page preselects for this card. */
  readonly preselects: SandboxOutcomeName;
}

/** The only card numbers that checkout accepts: a real one is never stored or logged. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', preselects: 'approve' },
  { number: '5555555555554444', brand: 'mastercard', preselects: 'approve' },
  { number: '378282246310005', brand: 'amex', preselects: 'approve' },
  { number: '4000002500003155', brand: 'visa', preselects: 'approve_3ds' },
  { number: '4000000000000002', brand: 'visa', preselects: 'card_declined' },
  { number: '4000000000009995', brand: 'visa', preselects: 'insufficient_funds' },
  { number: '4000000000009987', brand: 'visa', preselects: 'lost_or_stolen' },
  { number: '4000000000009979', brand: 'visa', preselects: 'lost_or_stolen' },
  { number: '4000000000000069', brand: 'visa', preselects: 'expired_card' },
  { number: '4000000000000127', brand: 'visa', preselects: 'incorrect_cvc' },
  { number: '4100000000000019', brand: 'visa', preselects: 'suspected_fraud' },
];

/** Returns the test card with that number. Ignores spaces and hyphens between the digits. */
export function findTestCard(typed: string): TestCard | undefined {
  const digits = typed.replaceAll(/[\s-]/g, '');
  return TEST_CARDS.find((card) => card.number === digits);
}
