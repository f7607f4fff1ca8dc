/**
 * What a bank can say of an attempt, and the sandbox bank's outcomes. The names are shared by the
 * bank's page, the test-mode call and the tests.
 */

export const SOFT_CODES = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'authentication_failed',
  'limit_exceeded',
  'issuer_unavailable',
  'processing_error',
  'bank_timeout',
] as const;

/** These end the payment at once: the customer may not try again. */
export const HARD_CODES = ['suspected_fraud', 'lost_or_stolen'] as const;

export type FailureCode = (typeof SOFT_CODES)[number] | (typeof HARD_CODES)[number];

export function isHardDecline(code: FailureCode): boolean {
  return (HARD_CODES as readonly string[]).includes(code);
}

/** For the merchant's developers, in English; the customer reads checkout's own texts. */
export const FAILURE_MESSAGES: Readonly<Record<FailureCode, string>> = {
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
};

/** `none`: the bank has been asked and keeps silent (so far). */
export type BankAnswer =
  | { readonly answer: 'approved' }
  | { readonly answer: 'declined'; readonly code: FailureCode }
  | { readonly answer: 'none' };

interface SandboxOutcome {
  readonly says: BankAnswer;
  /** From the customer's choice to the bank's answer, in milliseconds. */
  readonly delayMs: number;
}

const approved = { answer: 'approved' } as const;
const silent = { answer: 'none' } as const;
const declined = (code: FailureCode): BankAnswer => ({ answer: 'declined', code });
const atOnce = (says: BankAnswer): SandboxOutcome => ({ says, delayMs: 0 });

export const SANDBOX_OUTCOMES = {
  approve: atOnce(approved),
  approve_3ds: atOnce(approved),
  insufficient_funds: atOnce(declined('insufficient_funds')),
  card_declined: atOnce(declined('card_declined')),
  expired_card: atOnce(declined('expired_card')),
  incorrect_cvc: atOnce(declined('incorrect_cvc')),
  limit_exceeded: atOnce(declined('limit_exceeded')),
  issuer_unavailable: atOnce(declined('issuer_unavailable')),
  suspected_fraud: atOnce(declined('suspected_fraud')),
  lost_or_stolen: atOnce(declined('lost_or_stolen')),
  approve_after_5s: { says: approved, delayMs: 5_000 },
  approve_after_30s: { says: approved, delayMs: 30_000 },
  decline_after_30s: { says: declined('card_declined'), delayMs: 30_000 },
  approve_after_timeout: atOnce(silent),
  never_answer: atOnce(silent),
} as const satisfies Record<string, SandboxOutcome>;

export type SandboxOutcomeName = keyof typeof SANDBOX_OUTCOMES;
/** `authentication_failed` is what a wrong 3-D Secure code leads to; it is not on the list to choose. */
export type DecisionName = SandboxOutcomeName | 'authentication_failed';
/** `turn_back` is the customer's own step, not a decision of the bank. */
export const CHOICES = [...Object.keys(SANDBOX_OUTCOMES), 'turn_back'] as readonly (
  SandboxOutcomeName | 'turn_back'
)[];

/** The code a customer types on the sandbox bank's 3-D Secure page. */
export const SANDBOX_3DS_CODE = '123456';

/** How long after we gave up on it the sandbox bank still sends its approval, in milliseconds. */
export const LATE_APPROVAL_DELAY_MS = 5_000;

/** What the sandbox bank will say for that choice, and after how many milliseconds. */
export function sandboxOutcome(name: DecisionName): SandboxOutcome {
  return name === 'authentication_failed'
    ? atOnce(declined('authentication_failed'))
    : SANDBOX_OUTCOMES[name];
}

/**
 * The bank's decision on an attempt. An approval replaces any other. The outcome is `bank_query` if
 * we had to ask for it.
 */
export interface BankDecision {
  outcome: DecisionName | 'bank_query';
  says: BankAnswer;
  decided_at: Date;
  /** When the bank's answer becomes known to us. */
  due_at: Date;
  /** The API request that made the decision (test mode), or null for the bank's own page. */
  request_id: string | null;
}

/**
 * Returns whether the bank's decision is known at `now`. A decision without a delay is known at
 * once: another host may have written it, and our clock may be behind that host's.
 */
export function isDue({ decided_at: decidedAt, due_at: dueAt }: BankDecision, now: Date): boolean {
  return dueAt <= decidedAt || dueAt <= now;
}

/** The decision that follows from a choice at the sandbox bank at `now`. */
export function sandboxDecision(
  outcome: DecisionName,
  now: Date,
  requestId: string | null = null,
): BankDecision {
  const { says, delayMs } = sandboxOutcome(outcome);
  return {
    outcome,
    says,
    decided_at: now,
    due_at: new Date(now.getTime() + delayMs),
    request_id: requestId,
  };
}

interface TestCard {
  readonly number: string;
  readonly brand: string;
  /** What the bank's page has chosen in advance for this card. */
  readonly preselects: SandboxOutcomeName;
}

/** The only card numbers that checkout accepts: a real one is never stored or logged. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', preselects: 'approve' },
  { number: '5555555555554444', brand: 'mastercard', preselects: 'approve' },
  { number: '4000002500003155', brand: 'visa', preselects: 'approve_3ds' },
  { number: '4000000000000002', brand: 'visa', preselects: 'card_declined' },
  { number: '4000000000009995', brand: 'visa', preselects: 'insufficient_funds' },
  { number: '4000000000009987', brand: 'visa', preselects: 'lost_or_stolen' },
  { number: '4000000000009979', brand: 'visa', preselects: 'lost_or_stolen' },
  { number: '4000000000000069', brand: 'visa', preselects: 'expired_card' },
  { number: '4000000000000127', brand: 'visa', preselects: 'incorrect_cvc' },
  { number: '4100000000000019', brand: 'visa', preselects: 'suspected_fraud' },
];

/** The test card with that number; spaces and hyphens between the digits are allowed. */
export function findTestCard(typed: string): TestCard | undefined {
  const digits = typed.replaceAll(/[\s-]/g, '');
  return TEST_CARDS.find((card) => card.number === digits);
}
