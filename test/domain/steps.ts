/** A payment's life by the pure rules, step by step, without a database. */
import { expect } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import { TRANSITIONS, lastAttempt, mayOpenAttempt, timeOfChange } from '../../domain/payment.ts';
import type { Attempt, Payment, TransitionName } from '../../domain/payment.ts';
import { afterTransition, judgePayment, releaseOf } from '../../domain/verdict.ts';
import type { Message, Verdict } from '../../domain/verdict.ts';
import { BANK_TIMEOUT_MS, at, openedAttempt, paymentAtNoon } from './situation.ts';

/** The maximum number of steps of one settling. More would be an endless loop. */
const MAX_STEPS = 40;
export const LATE_MS = 5_000;

export type Step =
  | { do: 'pass'; seconds: number }
  /** The next host to write has a clock that is behind. */
  | { do: 'set the clock back'; seconds: number }
  /** The bank approves an attempt at any time. `back` counts from the newest attempt. */
  | { do: 'approve any'; back: number }
  | { do: 'go to the bank' | 'turn back' | 'look' | 'cancel' | 'expire' }
  | { do: 'decide'; outcome: SandboxOutcomeName };

/** A payment with its clock and its events, settled without a database. */
export class Life {
  now = at(0);
  payment: Payment = paymentAtNoon();
  readonly changes: TransitionName[] = [];

  take(step: Step): void {
    if (step.do === 'pass') this.now = new Date(this.now.getTime() + step.seconds * 1000);
    else if (step.do === 'set the clock back') {
      this.now = new Date(this.now.getTime() - step.seconds * 1000);
    } else if (step.do === 'approve any') this.approve(step.back);
    else if (step.do === 'go to the bank') this.goToBank();
    else if (step.do === 'turn back') this.turnBack();
    else if (step.do === 'decide') this.decide(step.outcome);
    else if (step.do === 'cancel') {
      this.settle({ kind: 'cancel', by: 'customer', request_id: 'req_1' });
    } else if (step.do === 'expire') this.settle({ kind: 'expire', request_id: 'req_1' });
    else this.settle({ kind: 'look' });
  }

  /** Settles. Returns the time of the next look, or undefined if nothing is left to do. */
  settle(message: Message): Date | undefined {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const verdict = judgePayment(this.payment, message, {
        now: this.now,
        bankTimeoutMs: BANK_TIMEOUT_MS,
      });
      if (verdict.kind === 'done') return undefined;
      if (verdict.kind === 'wait') {
        expect(verdict.until.getTime()).toBeGreaterThan(this.now.getTime());
        return verdict.until;
      }
      this.carryOut(verdict);
    }
    throw new Error('The payment never settles.');
  }

  /** Settles whenever something is due, until nothing is left to do. */
  liveOn(): void {
    for (let until = this.settle({ kind: 'look' }); until;) {
      this.now = until;
      until = this.settle({ kind: 'look' });
    }
  }

  private carryOut(verdict: Exclude<Verdict, { kind: 'wait' | 'done' }>): void {
    if (verdict.kind === 'change') {
      this.change(verdict.transition, verdict.code);
    } else if (verdict.kind === 'reverse') {
      this.write(verdict.attempt, { status: 'reversed' });
      this.touch();
    } else if (verdict.kind === 'restart_delay') {
      this.write(verdict.attempt, { bank: verdict.bank });
    } else if (verdict.kind === 'ask_bank') {
      this.write(verdict.attempt, { gave_up_at: this.now });
    } else {
      const { bank } = verdict.attempt;
      if (bank?.outcome === 'approve_after_timeout' && bank.says.answer === 'none') {
        const dueAt = new Date(this.now.getTime() + LATE_MS);
        const late = { ...bank, says: { answer: 'approved' } as const, due_at: dueAt };
        this.write(verdict.attempt, { bank: late });
      }
      const { transition, code } = releaseOf(this.payment, verdict.attempt, this.now);
      this.change(transition, code);
    }
  }

  private change(transition: TransitionName, code: Attempt['failure_code'] = null): void {
    const { from } = TRANSITIONS[transition];
    expect([transition, this.payment.status]).toEqual([transition, from]);
    this.changes.push(transition);
    const how = { now: this.now, code, cancellation: null };
    this.payment = afterTransition(this.payment, transition, how);
  }

  private write(attempt: Attempt, fields: Partial<Attempt>): void {
    const attempts = this.payment.attempts.map((each) =>
      each.id === attempt.id ? ({ ...each, ...fields } as Attempt) : each,
    );
    this.payment = { ...this.payment, attempts };
  }

  private goToBank(): void {
    if (!mayOpenAttempt(this.payment, this.now)) return;
    this.changes.push('attempt_opened');
    const number = this.payment.attempts.length + 1;
    const times = { created_at: this.now, opened_at: this.now };
    const attempt = openedAttempt({ id: `att_${number}`, number, ...times });
    const attempts = [...this.payment.attempts, attempt];
    this.payment = { ...this.payment, status: 'processing', attempts };
    this.touch();
  }

  private touch(): void {
    this.payment = { ...this.payment, updated_at: timeOfChange(this.payment, this.now) };
  }

  private approve(back: number): void {
    const attempt = this.payment.attempts.at(-1 - back);
    if (!attempt || attempt.bank?.says.answer === 'approved') return;
    this.write(attempt, { bank: sandboxDecision('approve', this.now) });
    this.payment = { ...this.payment, open: true };
    this.touch();
  }

  private undecided(): Attempt | undefined {
    const last = lastAttempt(this.payment);
    const open = this.payment.status === 'processing' && !last?.bank && !last?.gave_up_at;
    return open ? last : undefined;
  }

  private turnBack(): void {
    const attempt = this.undecided();
    if (attempt) this.write(attempt, { turned_back_at: this.now });
  }

  private decide(outcome: SandboxOutcomeName): void {
    const attempt = this.undecided();
    if (attempt) this.write(attempt, { bank: sandboxDecision(outcome, this.now) });
  }
}
