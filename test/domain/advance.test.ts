import { describe, expect, it } from 'vitest';
import { answerAhead } from '../../domain/advance.ts';
import { SANDBOX_OUTCOMES, isDue, sandboxDecision } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import { isSilenceOver } from '../../domain/method.ts';
import { makeAttempt, makePayment, makeTransfer } from '../support/rows/payment.ts';

const now = new Date('2026-05-04T12:00:00Z');
const bankTimeoutMs = 900_000;
const rules = { now, bankTimeoutMs };
/** The clock of another machine, a minute behind. */
const behind = new Date(now.getTime() - 60_000);

const atBank = (outcome: SandboxOutcomeName) => {
  const bank = sandboxDecision(outcome, now);
  return makePayment({
    status: 'processing',
    attempts: [makeAttempt({ opened_at: now, bank })],
  });
};

const NAMES = Object.keys(SANDBOX_OUTCOMES) as SandboxOutcomeName[];

describe('answerAhead', () => {
  it.each(NAMES)('makes the answer of %s due at once, on every clock', (outcome) => {
    const payment = atBank(outcome);
    const { attempt, moved } = answerAhead(payment, rules)!;
    expect(attempt).toBe(payment.attempts[0]);
    const isSilent = SANDBOX_OUTCOMES[outcome].says.answer === 'none';
    const isOver = isSilent
      ? isSilenceOver(payment, moved, { now: behind, bankTimeoutMs })
      : isDue(moved.bank!, behind);
    expect(isOver).toBe(true);
    expect({ ...moved, bank: null, opened_at: null }).toEqual({
      ...attempt,
      bank: null,
      opened_at: null,
    });
  });

  it('makes a late approval due, even if the payment has ended', () => {
    const bank = sandboxDecision('approve_after_5s', now);
    const attempts = [makeAttempt({ status: 'declined', failure_code: 'bank_timeout', bank })];
    const { moved } = answerAhead(makePayment({ status: 'expired', attempts }), rules)!;
    expect(isDue(moved.bank!, behind)).toBe(true);
  });

  it('finds nothing if no attempt waits for the bank', () => {
    const approved = makeAttempt({ status: 'approved', bank: sandboxDecision('approve', now) });
    const reversed = { ...approved, status: 'reversed' as const };
    const payments = [
      makePayment(),
      makePayment({ status: 'completed', attempts: [approved] }),
      makePayment({ status: 'created', attempts: [reversed] }),
      makePayment({ status: 'processing', attempts: [makeTransfer()] }),
    ];
    for (const payment of payments) expect(answerAhead(payment, rules)).toBeUndefined();
  });
});
