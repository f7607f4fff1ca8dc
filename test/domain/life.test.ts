import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SANDBOX_OUTCOMES, sandboxDecision } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import {
  MAX_ATTEMPTS,
  TRANSITIONS,
  isFinal,
  lastAttempt,
  lateApproval,
  mayOpenAttempt,
} from '../../domain/payment.ts';
import type { Attempt, Payment, TransitionName } from '../../domain/payment.ts';
import { afterTransition, declineOf, judge } from '../../domain/verdict.ts';
import type { Message, Verdict } from '../../domain/verdict.ts';
import { BANK_TIMEOUT_MS, at, openedAttempt, paymentAtNoon } from './situation.ts';

/** Steps of one settling: more would mean that it turns in circles. */
const MAX_STEPS = 12;
const LATE_MS = 5_000;

type Step =
  | { do: 'pass'; seconds: number }
  | { do: 'go to the bank' | 'turn back' | 'look' | 'cancel' | 'expire' }
  | { do: 'decide'; outcome: SandboxOutcomeName };

/** A payment, its clock and all that was told of it: what settling does, without a database. */
class Life {
  now = at(0);
  payment: Payment = paymentAtNoon();
  readonly changes: TransitionName[] = [];

  take(step: Step): void {
    if (step.do === 'pass') this.now = new Date(this.now.getTime() + step.seconds * 1000);
    else if (step.do === 'go to the bank') this.goToBank();
    else if (step.do === 'turn back') this.turnBack();
    else if (step.do === 'decide') this.decide(step.outcome);
    else if (step.do === 'cancel') {
      this.settle({ kind: 'cancel', by: 'customer', request_id: 'req_1' });
    } else if (step.do === 'expire') this.settle({ kind: 'expire', request_id: 'req_1' });
    else this.settle({ kind: 'look' });
  }

  /** Settles and answers when it wants to look again; undefined when nothing is outstanding. */
  settle(message: Message): Date | undefined {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const verdict = judge(this.payment, message, {
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
    throw new Error('The payment does not come to rest.');
  }

  private carryOut(verdict: Exclude<Verdict, { kind: 'wait' | 'done' }>): void {
    if (verdict.kind === 'change') {
      this.change(verdict.transition, verdict.code);
    } else if (verdict.kind === 'reverse') {
      this.write(verdict.attempt, { status: 'reversed' });
    } else if (verdict.kind === 'ask_bank') {
      this.write(verdict.attempt, { gave_up_at: this.now });
    } else {
      const { bank } = verdict.attempt;
      if (bank?.outcome === 'approve_after_timeout' && bank.says.answer === 'none') {
        const dueAt = new Date(this.now.getTime() + LATE_MS);
        const late = { ...bank, says: { answer: 'approved' } as const, due_at: dueAt };
        this.write(verdict.attempt, { bank: late });
      }
      const { transition, code } = declineOf(this.payment, 'bank_timeout', this.now);
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
      each.id === attempt.id ? { ...each, ...fields } : each,
    );
    this.payment = { ...this.payment, attempts };
  }

  private goToBank(): void {
    if (!mayOpenAttempt(this.payment, this.now)) return;
    this.changes.push('attempt_opened');
    const last = lastAttempt(this.payment);
    if (last?.status === 'turned_back') {
      this.write(last, { status: 'pending', opened_at: this.now });
    } else {
      const number = this.payment.attempts.length + 1;
      const times = { created_at: this.now, opened_at: this.now };
      const attempt = openedAttempt({ id: `att_${number}`, number, ...times });
      this.payment = { ...this.payment, attempts: [...this.payment.attempts, attempt] };
    }
    this.payment = { ...this.payment, status: 'processing' };
  }

  private undecided(): Attempt | undefined {
    const last = lastAttempt(this.payment);
    const open = this.payment.status === 'processing' && !last?.bank && !last?.gave_up_at;
    return open ? last : undefined;
  }

  private turnBack(): void {
    const attempt = this.undecided();
    if (!attempt) return;
    this.changes.push('turned_back');
    this.write(attempt, { status: 'turned_back' });
    this.payment = { ...this.payment, status: 'created' };
  }

  private decide(outcome: SandboxOutcomeName): void {
    const attempt = this.undecided();
    if (attempt) this.write(attempt, { bank: sandboxDecision(outcome, this.now) });
  }
}

const outcomes = Object.keys(SANDBOX_OUTCOMES) as SandboxOutcomeName[];
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>({ do: 'go to the bank' }) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...outcomes).map((outcome): Step => ({ do: 'decide', outcome })),
    },
    { weight: 4, arbitrary: fc.constant<Step>({ do: 'look' }) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(1, 5, 31, 60, 300, 900, 1_900)
        .map((seconds): Step => ({ do: 'pass', seconds })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Step>({ do: 'turn back' }, { do: 'cancel' }, { do: 'expire' }),
    },
  ),
  { maxLength: 60 },
);

const RUNS = { numRuns: 500 };

function afterEveryStep(check: (life: Life, before: Payment) => void): void {
  const property = fc.property(steps, (taken) => {
    const life = new Life();
    for (const step of taken) {
      const before = life.payment;
      life.take(step);
      check(life, before);
    }
  });
  fc.assert(property, RUNS);
}

function afterAllSteps(check: (life: Life) => void): void {
  const property = fc.property(steps, (taken) => {
    const life = new Life();
    for (const step of taken) life.take(step);
    check(life);
  });
  fc.assert(property, RUNS);
}

describe('a payment, whatever is done to it and whenever', () => {
  it('never leaves a final status', () => {
    afterEveryStep((life: Life, before: Payment) => {
      if (isFinal(before.status)) expect(life.payment.status).toBe(before.status);
    });
  });

  it('moves along the edges of the table, each beginning where the last one ended', () => {
    afterAllSteps((life) => {
      let status: Payment['status'] = 'created';
      for (const name of life.changes) {
        expect(TRANSITIONS[name].from).toBe(status);
        status = TRANSITIONS[name].to;
      }
    });
  });

  it('tells of its end once, and of nothing after it', () => {
    afterAllSteps((life) => {
      const ends = life.changes.filter((name) => isFinal(TRANSITIONS[name].to));
      expect(ends).toHaveLength(isFinal(life.payment.status) ? 1 : 0);
      if (ends.length > 0) expect(life.changes.at(-1)).toBe(ends[0]);
    });
  });

  it('has at most five attempts, and none after the fifth answer', () => {
    afterEveryStep(({ payment }: Life) => {
      const answered = payment.attempts.filter(({ status }) =>
        ['approved', 'declined', 'reversed'].includes(status),
      );
      expect(payment.attempts.length).toBeLessThanOrEqual(MAX_ATTEMPTS);
      if (answered.length === MAX_ATTEMPTS) expect(isFinal(payment.status)).toBe(true);
    });
  });

  it('is approved at most once, and by the attempt that completed it', () => {
    afterEveryStep(({ payment }: Life) => {
      const approved = payment.attempts.filter(({ status }) => status === 'approved');
      expect(approved).toHaveLength(payment.status === 'completed' ? 1 : 0);
    });
  });

  it('is over, with nothing outstanding, soon after its lifetime and the bank’s time', () => {
    afterAllSteps((life) => {
      const latest = Math.max(life.now.getTime(), life.payment.expires_at.getTime());
      for (let until = life.settle({ kind: 'look' }); until;) {
        life.now = until;
        until = life.settle({ kind: 'look' });
      }
      expect(isFinal(life.payment.status)).toBe(true);
      expect(lateApproval(life.payment)).toBeUndefined();
      expect(life.now.getTime()).toBeLessThanOrEqual(latest + BANK_TIMEOUT_MS + LATE_MS);
    });
  });
});
