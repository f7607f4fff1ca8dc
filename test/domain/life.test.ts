import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { SANDBOX_OUTCOMES } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import {
  MAX_ATTEMPTS,
  TRANSITIONS,
  countAttempts,
  endedAt,
  isFinal,
  lateApproval,
} from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { BANK_TIMEOUT_MS } from './situation.ts';
import { LATE_MS, Life } from './steps.ts';
import type { Step } from './steps.ts';

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
    {
      weight: 1,
      arbitrary: fc.nat({ max: 6 }).map((back): Step => ({ do: 'approve any', back })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(1, 60)
        .map((seconds): Step => ({ do: 'set the clock back', seconds })),
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

describe('a payment after random steps at random times', () => {
  it('never leaves a final status', () => {
    afterEveryStep((life: Life, before: Payment) => {
      if (isFinal(before.status)) expect(life.payment.status).toBe(before.status);
    });
  });

  it('makes only the transitions of the table', () => {
    afterAllSteps((life) => {
      let status: Payment['status'] = 'created';
      for (const name of life.changes) {
        expect(TRANSITIONS[name].from).toBe(status);
        status = TRANSITIONS[name].to;
      }
    });
  });

  it('has one final event, and none after it', () => {
    afterAllSteps((life) => {
      const ends = life.changes.filter((name) => isFinal(TRANSITIONS[name].to));
      expect(ends).toHaveLength(isFinal(life.payment.status) ? 1 : 0);
      if (ends.length > 0) expect(life.changes.at(-1)).toBe(ends[0]);
    });
  });

  it('has five counted attempts at most, and none after the fifth decline', () => {
    afterEveryStep(({ payment }: Life) => {
      const declined = payment.attempts.filter(({ failure_code: code }) => code !== null);
      expect(countAttempts(payment)).toBeLessThanOrEqual(MAX_ATTEMPTS);
      if (declined.length === MAX_ATTEMPTS) expect(isFinal(payment.status)).toBe(true);
    });
  });

  it('has a later `updated_at` after every change, whatever the clocks', () => {
    afterEveryStep(({ payment }: Life, { updated_at: last, status, created_at: createdAt }) => {
      if (payment.status !== status) expect(payment.updated_at > last).toBe(true);
      expect(payment.updated_at >= last).toBe(true);
      const end = endedAt(payment);
      if (end) expect(end >= createdAt && end <= payment.updated_at).toBe(true);
    });
  });

  it('is approved at most once, by the attempt that completed it', () => {
    afterEveryStep(({ payment }: Life) => {
      const approved = payment.attempts.filter(({ status }) => status === 'approved');
      expect(approved).toHaveLength(payment.status === 'completed' ? 1 : 0);
    });
  });

  it('has every approval reversed except the one that completed it', () => {
    afterAllSteps((life) => {
      life.liveOn();
      const approved = life.payment.attempts.filter(
        (each) => each.bank?.says.answer === 'approved',
      );
      const fates = approved.map(({ status }) => status).toSorted();
      const paid = life.payment.status === 'completed' ? ['approved'] : [];
      const reversed = approved.slice(paid.length).map(() => 'reversed');
      expect(fates).toEqual([...paid, ...reversed]);
    });
  });

  it('ends, with nothing left to do, soon after its lifetime and the bank’s time limit', () => {
    afterAllSteps((life) => {
      const latest = Math.max(life.now.getTime(), life.payment.expires_at.getTime());
      life.liveOn();
      expect(isFinal(life.payment.status)).toBe(true);
      expect(lateApproval(life.payment)).toBeUndefined();
      expect(life.now.getTime()).toBeLessThanOrEqual(latest + BANK_TIMEOUT_MS + LATE_MS);
    });
  });
});
