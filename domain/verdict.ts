/** Decides the next step of a payment. Every step of its workflow follows from `judgePayment`. */
import { isDue, isHardDecline, sandboxDecision } from './bank.ts';
import type { BankDecision, Choice, FailureCode } from './bank.ts';
import { isSilenceOver, waitsUntil } from './method.ts';
import {
  MAX_ATTEMPTS,
  TRANSITIONS,
  countAttempts,
  hasNoVisitsLeft,
  isFinal,
  lastAttempt,
  lateApproval,
  timeOfChange,
} from './payment.ts';
import type { Attempt, Cancellation, Payment, TransitionName } from './payment.ts';

/**
 * `look`: do whatever is due. `cancel` and `expire` (test mode) may be refused. The row of the
 * request has their details.
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
  /** The bank is late, or the customer turns back: ask it, and give up without a decision. */
  | { readonly kind: 'ask_bank'; readonly attempt: Attempt }
  /** We gave up on the attempt: it ends when the bank confirms that it is cancelled. */
  | { readonly kind: 'cancel_at_bank'; readonly attempt: Attempt }
  /** The bank approved an attempt that had ended: cancel it there and record that. */
  | { readonly kind: 'reverse'; readonly attempt: Attempt }
  /** The decision is from a clock ahead of ours: count the delay of its answer from now. */
  | { readonly kind: 'restart_delay'; readonly attempt: Attempt; readonly bank: BankDecision }
  /** Nothing to do until then. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** Final, and nothing is left to do. */
  | { readonly kind: 'done' };

/** The verdict that a transition is due. */
export type Change = Extract<Verdict, { kind: 'change' }>;

interface Rules {
  readonly now: Date;
  readonly bankTimeoutMs: number;
}

/**
 * Judges a payment at `now`. Judge it again after each step, until the verdict is `wait` or `done`.
 * A verdict depends on the payment alone, so no run of its workflow needs a state of its own.
 */
export function judgePayment(payment: Payment, message: Message, rules: Rules): Verdict {
  const { now } = rules;
  const verdict: Verdict = isFinal(payment.status)
    ? { kind: 'done' }
    : judgeOpenPayment(payment, message, rules);
  const late = lateApproval(payment);
  if (!late?.bank || (verdict.kind !== 'wait' && verdict.kind !== 'done')) return verdict;
  // This comes last, so it delays nothing else if the bank does not confirm the cancel.
  if (isDue(late.bank, now)) return { kind: 'reverse', attempt: late };
  const pause = judgeDelay(late, late.bank, now);
  if (pause.kind !== 'wait' || verdict.kind !== 'wait') return pause;
  return { kind: 'wait', until: earliest(verdict.until, pause.until) };
}

function judgeOpenPayment(payment: Payment, message: Message, rules: Rules): Verdict {
  const attempt = lastAttempt(payment);
  if (payment.status === 'processing' && attempt) return judgeAtBank(payment, attempt, rules);
  const isOver = rules.now >= payment.expires_at || hasNoVisitsLeft(payment);
  if (isOver || message.kind === 'expire') return change('expired');
  if (message.kind === 'cancel') return change('canceled');
  return { kind: 'wait', until: payment.expires_at };
}

function judgeAtBank(payment: Payment, attempt: Attempt, rules: Rules): Verdict {
  const { now, bankTimeoutMs } = rules;
  if (attempt.gave_up_at) return { kind: 'cancel_at_bank', attempt };
  const says = attempt.bank?.says ?? { answer: 'none' };
  if (attempt.bank && says.answer !== 'none') {
    if (!isDue(attempt.bank, now)) return judgeDelay(attempt, attempt.bank, now);
    if (says.answer === 'approved') return change('approved');
    return declineOf(payment, says.code, now);
  }
  const isLeaving = attempt.turned_back_at !== undefined;
  if (isLeaving || isSilenceOver(payment, attempt, rules)) return { kind: 'ask_bank', attempt };
  return { kind: 'wait', until: waitsUntil(payment, attempt, bankTimeoutMs) };
}

/** Waits for a decision that is not due yet, never longer than the bank's delay. */
function judgeDelay(attempt: Attempt, bank: BankDecision, now: Date): Verdict {
  const { decided_at: decidedAt, due_at: dueAt } = bank;
  if (decidedAt <= now) return { kind: 'wait', until: dueAt };
  const fromNow = new Date(now.getTime() + dueAt.getTime() - decidedAt.getTime());
  return { kind: 'restart_delay', attempt, bank: { ...bank, decided_at: now, due_at: fromNow } };
}

/** Returns the change after a decline: the end of the payment, or another try. */
function declineOf(payment: Payment, code: FailureCode, now: Date): Change {
  const isLast = countAttempts(payment) >= MAX_ATTEMPTS || hasNoVisitsLeft(payment);
  if (isHardDecline(code) || isLast) return change('declined_for_good', code);
  return change(now >= payment.expires_at ? 'declined_at_end' : 'declined', code);
}

/** Returns the change for an attempt that the bank has cancelled: turned back, or declined. */
export function releaseOf(payment: Payment, attempt: Attempt, now: Date): Change {
  return attempt.turned_back_at ? change('turned_back') : declineOf(payment, 'bank_timeout', now);
}

/**
 * Returns the change of a payment at the bank that follows from a choice there at `now`. A silent
 * bank is given up at `due_at`, the end of its time.
 */
export function changeAfter(payment: Payment, choice: Choice, now: Date): Change {
  const attempt = lastAttempt(payment);
  if (!attempt || choice === 'turn_back') {
    const isOver = now >= payment.expires_at || hasNoVisitsLeft(payment);
    return change(isOver ? 'expired' : 'turned_back');
  }
  const { says, due_at: dueAt } = sandboxDecision(choice, now);
  if (says.answer === 'none') return declineOf(payment, 'bank_timeout', payment.due_at);
  return says.answer === 'approved' ? change('approved') : declineOf(payment, says.code, dueAt);
}

function change(transition: TransitionName, code: FailureCode | null = null): Change {
  return { kind: 'change', transition, code };
}

function earliest(a: Date, b: Date): Date {
  return b < a ? b : a;
}

/**
 * Returns the payment after a transition at `now`. Pure, so that the event can be composed from it.
 * An early `expire` (test mode) also ends the payment's lifetime.
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
