/** What is to be done about a payment now: the rule behind every step of its workflow. */
import { isDue, isHardDecline } from './bank.ts';
import type { BankDecision, FailureCode } from './bank.ts';
import {
  MAX_ATTEMPTS,
  TRANSITIONS,
  countAttempts,
  hasNoVisitsLeft,
  isFinal,
  isSilenceOver,
  lastAttempt,
  lateApproval,
  timeOfChange,
} from './payment.ts';
import type { Attempt, Cancellation, Payment, TransitionName } from './payment.ts';

/**
 * `look`: do whatever is due. `cancel` and `expire` (test mode) are wishes that may be refused;
 * their details lie with the request of that id.
 */
export type Message =
  | { readonly kind: 'look' }
  | { readonly kind: 'cancel'; readonly by: 'merchant' | 'customer'; readonly request_id: string }
  | { readonly kind: 'expire'; readonly request_id: string };

export type Verdict =
  | {
      readonly kind: 'change';
      readonly transition: TransitionName;
      readonly code: FailureCode | null;
    }
  /**
   * The bank's time is over, or the customer wants to turn back: ask the bank. If it has not
   * decided, give up on the attempt.
   */
  | { readonly kind: 'ask_bank'; readonly attempt: Attempt }
  /** We gave up on the attempt: it ends once the bank confirms that it is cancelled. */
  | { readonly kind: 'cancel_at_bank'; readonly attempt: Attempt }
  /** The bank approved an attempt that had ended: cancel it there and record that. */
  | { readonly kind: 'reverse'; readonly attempt: Attempt }
  /** The bank decided ahead of our clock: count the delay of its answer from now. */
  | { readonly kind: 'restart_delay'; readonly attempt: Attempt; readonly bank: BankDecision }
  /** Nothing to do before that moment. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** Final, and nothing is outstanding. */
  | { readonly kind: 'done' };

/** The verdict that a transition is due. */
export type Change = Extract<Verdict, { kind: 'change' }>;

interface VerdictRules {
  readonly bankTimeoutMs: number;
}

/**
 * Judges a payment at `now`. Repeating it after its verdict was carried out moves on to the next
 * thing, and ends in `wait` or `done`: so a woken, a delayed and a recreated run need no memory.
 */
export function judgePayment(
  payment: Payment,
  message: Message,
  { now, bankTimeoutMs }: VerdictRules & { now: Date },
): Verdict {
  const verdict: Verdict = isFinal(payment.status)
    ? { kind: 'done' }
    : judgeOpenPayment(payment, message, { now, bankTimeoutMs });
  const late = lateApproval(payment);
  if (!late?.bank || (verdict.kind !== 'wait' && verdict.kind !== 'done')) return verdict;
  // This comes last, so that a bank that does not confirm the cancel delays nothing else.
  if (isDue(late.bank, now)) return { kind: 'reverse', attempt: late };
  const pause = judgeDelay(late, late.bank, now);
  if (pause.kind !== 'wait' || verdict.kind !== 'wait') return pause;
  return { kind: 'wait', until: earliest(verdict.until, pause.until) };
}

function judgeOpenPayment(
  payment: Payment,
  message: Message,
  { now, bankTimeoutMs }: VerdictRules & { now: Date },
): Verdict {
  const attempt = lastAttempt(payment);
  if (payment.status === 'processing' && attempt) {
    return judgeAtBank(payment, attempt, { now, bankTimeoutMs });
  }
  const isOver = now >= payment.expires_at || hasNoVisitsLeft(payment);
  if (isOver || message.kind === 'expire') return change('expired');
  if (message.kind === 'cancel') return change('canceled');
  return { kind: 'wait', until: payment.expires_at };
}

function judgeAtBank(
  payment: Payment,
  attempt: Attempt,
  { now, bankTimeoutMs }: VerdictRules & { now: Date },
): Verdict {
  if (attempt.gave_up_at) return { kind: 'cancel_at_bank', attempt };
  const says = attempt.bank?.says ?? { answer: 'none' };
  if (attempt.bank && says.answer !== 'none') {
    if (!isDue(attempt.bank, now)) return judgeDelay(attempt, attempt.bank, now);
    if (says.answer === 'approved') return change('approved');
    return declineOf(payment, says.code, now);
  }
  const isLeaving = attempt.turned_back_at !== undefined;
  if (isLeaving || isSilenceOver(attempt, now, bankTimeoutMs)) return { kind: 'ask_bank', attempt };
  return { kind: 'wait', until: new Date(attempt.opened_at.getTime() + bankTimeoutMs) };
}

/**
 * Waits for a decision that is not due yet. The wait is never longer than the bank's delay, even if
 * our clock is behind the clock of the decision.
 */
function judgeDelay(attempt: Attempt, bank: BankDecision, now: Date): Verdict {
  const { decided_at: decidedAt, due_at: dueAt } = bank;
  if (decidedAt <= now) return { kind: 'wait', until: dueAt };
  const fromNow = new Date(now.getTime() + dueAt.getTime() - decidedAt.getTime());
  return { kind: 'restart_delay', attempt, bank: { ...bank, decided_at: now, due_at: fromNow } };
}

/** What a decline leads to: the end, the end of its time, or another try. */
export function declineOf(payment: Payment, code: FailureCode, now: Date): Change {
  const isLast = countAttempts(payment) >= MAX_ATTEMPTS || hasNoVisitsLeft(payment);
  if (isHardDecline(code) || isLast) return change('declined_for_good', code);
  return change(now >= payment.expires_at ? 'declined_at_end' : 'declined', code);
}

/**
 * Returns the change for an attempt that the bank has cancelled: turned back, or declined as too
 * late.
 */
export function releaseOf(payment: Payment, attempt: Attempt, now: Date): Change {
  return attempt.turned_back_at ? change('turned_back') : declineOf(payment, 'bank_timeout', now);
}

function change(transition: TransitionName, code: FailureCode | null = null): Change {
  return { kind: 'change', transition, code };
}

function earliest(a: Date, b: Date): Date {
  return b < a ? b : a;
}

/**
 * The payment after that transition at `now`; pure, so that the event can carry the payment as it
 * will be. `expire` in test mode also brings its lifetime to an end.
 */
export function afterTransition(
  payment: Payment,
  transition: TransitionName,
  how: { now: Date; code: FailureCode | null; cancellation: Cancellation | null },
): Payment {
  const { from, to } = TRANSITIONS[transition];
  const { code } = how;
  const now = timeOfChange(payment, how.now);
  const { open: _, ...rest } = payment;
  const attempts = payment.attempts.map((attempt, index): Attempt => {
    const settled = from === 'processing' && index === payment.attempts.length - 1;
    if (!settled) return attempt;
    if (transition === 'turned_back') return { ...attempt, status: 'turned_back' };
    return { ...attempt, status: code ? 'declined' : 'approved', failure_code: code };
  });
  const late = lateApproval({ attempts });
  const expiresAt = to === 'expired' && now < payment.expires_at ? now : payment.expires_at;
  return {
    ...rest,
    ...(isFinal(to) && !late ? {} : { open: true as const }),
    status: to,
    attempts,
    due_at: late?.bank ? earliest(late.bank.due_at, expiresAt) : expiresAt,
    expires_at: expiresAt,
    updated_at: now,
    failure_code: to === 'failed' ? code : null,
    cancellation: how.cancellation,
    completed_at: to === 'completed' ? now : null,
    failed_at: to === 'failed' ? now : null,
    canceled_at: to === 'canceled' ? now : null,
    expired_at: to === 'expired' ? now : null,
  };
}
