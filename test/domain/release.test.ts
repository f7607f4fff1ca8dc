/** Declines, releases, and decisions by a clock that is ahead of ours. */
import { describe, expect, it } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import { MAX_ATTEMPTS, MAX_VISITS } from '../../domain/payment.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { judgePayment, releaseOf } from '../../domain/verdict.ts';
import {
  BANK_TIMEOUT_MS,
  at,
  decidedAttempt,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from './situation.ts';

const NOW = at(10);
const look = (payment: Payment) =>
  judgePayment(payment, { kind: 'look' }, { now: NOW, bankTimeoutMs: BANK_TIMEOUT_MS });

describe('the delay of a decision by a clock that is ahead of ours', () => {
  it('restarts now, once, with the same length', () => {
    const ahead = openedAttempt({ bank: sandboxDecision('approve_after_30s', at(99)) });
    const payment = paymentAtNoon({ status: 'processing', attempts: [ahead] });
    const verdict = look(payment);
    const bank = sandboxDecision('approve_after_30s', NOW);
    expect(verdict).toEqual({ kind: 'restart_delay', attempt: ahead, bank });
    const restarted = { ...payment, attempts: [{ ...ahead, bank }] };
    expect(look(restarted)).toEqual({ kind: 'wait', until: at(10.5) });
  });

  it('restarts now for a late approval too', () => {
    const late = lateAttempt(at(99.5));
    const attempts = [{ ...late, bank: { ...late.bank!, decided_at: at(99) } }];
    const verdict = look(paymentAtNoon({ attempts }));
    expect(verdict).toMatchObject({ kind: 'restart_delay', bank: { due_at: at(10.5) } });
  });
});

describe('releaseOf', () => {
  it.each([
    ['turns the attempt back if the customer asked for it', { turned_back_at: at(1) }, null],
    ['declines the attempt if the bank has not decided', {}, 'bank_timeout'],
  ])('%s', (_, how, code) => {
    const attempt = openedAttempt(how);
    const verdict = releaseOf(paymentAtNoon({ attempts: [attempt] }), attempt, NOW);
    const transition = code ? 'declined' : 'turned_back';
    expect(verdict).toEqual({ kind: 'change', transition, code });
  });

  it('ends a payment whose last attempt the bank has not decided', () => {
    const attempts = declinedAttempts(MAX_ATTEMPTS);
    const verdict = releaseOf(paymentAtNoon({ attempts }), attempts.at(-1)!, NOW);
    expect(verdict).toMatchObject({ transition: 'declined_for_good', code: 'bank_timeout' });
  });
});

const transitionAfter = (...earlier: Attempt[]) => {
  const attempts = [...earlier, decidedAttempt('card_declined')];
  const verdict = look(paymentAtNoon({ status: 'processing', attempts }));
  return verdict.kind === 'change' ? verdict.transition : verdict.kind;
};

describe('a decline', () => {
  const turnedBack = openedAttempt({ status: 'turned_back' });

  it('ends the payment at the maximum number of attempts', () => {
    expect(transitionAfter(...declinedAttempts(MAX_ATTEMPTS - 2))).toBe('declined');
    expect(transitionAfter(...declinedAttempts(MAX_ATTEMPTS - 1))).toBe('declined_for_good');
  });

  it('does not count attempts that were turned back', () => {
    expect(transitionAfter(...declinedAttempts(3), turnedBack, turnedBack)).toBe('declined');
  });

  it('ends a payment whose customer has no visits left', () => {
    const visits = Array.from({ length: MAX_VISITS - 1 }, () => turnedBack);
    expect(transitionAfter(...visits.slice(1))).toBe('declined');
    expect(transitionAfter(...visits)).toBe('declined_for_good');
  });
});
