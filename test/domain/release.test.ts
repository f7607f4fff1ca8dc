/** Ends of attempts that are declined or released, and delays that another clock began. */
import { describe, expect, it } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import { MAX_ATTEMPTS, MAX_VISITS } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { declineOf, judgePayment, releaseOf } from '../../domain/verdict.ts';
import {
  BANK_TIMEOUT_MS,
  at,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from './situation.ts';

const NOW = at(10);
const look = (payment: Payment) =>
  judgePayment(payment, { kind: 'look' }, { now: NOW, bankTimeoutMs: BANK_TIMEOUT_MS });

describe('a delay that a clock ahead of ours has begun', () => {
  it('counts from now, once, and is as long as it was', () => {
    const ahead = openedAttempt({ bank: sandboxDecision('approve_after_30s', at(99)) });
    const payment = paymentAtNoon({ status: 'processing', attempts: [ahead] });
    const verdict = look(payment);
    const bank = sandboxDecision('approve_after_30s', NOW);
    expect(verdict).toEqual({ kind: 'restart_delay', attempt: ahead, bank });
    const restarted = { ...payment, attempts: [{ ...ahead, bank }] };
    expect(look(restarted)).toEqual({ kind: 'wait', until: at(10.5) });
  });

  it('counts from now for a late approval as well', () => {
    const late = lateAttempt(at(99.5));
    const attempts = [{ ...late, bank: { ...late.bank!, decided_at: at(99) } }];
    const verdict = look(paymentAtNoon({ attempts }));
    expect(verdict).toMatchObject({ kind: 'restart_delay', bank: { due_at: at(10.5) } });
  });
});

describe('releaseOf', () => {
  it.each([
    ['turns the attempt back when the customer asked for it', { turned_back_at: at(1) }, null],
    ['declines it when the bank was silent', {}, 'bank_timeout'],
  ])('%s', (_, how, code) => {
    const attempt = openedAttempt(how);
    const verdict = releaseOf(paymentAtNoon({ attempts: [attempt] }), attempt, NOW);
    const transition = code ? 'declined' : 'turned_back';
    expect(verdict).toEqual({ kind: 'change', transition, code });
  });
});

describe('declineOf', () => {
  it('ends a payment whose last attempt the bank never answered', () => {
    const payment = paymentAtNoon({ attempts: declinedAttempts(MAX_ATTEMPTS) });
    const verdict = declineOf(payment, 'bank_timeout', at(1));
    expect(verdict).toMatchObject({ transition: 'declined_for_good', code: 'bank_timeout' });
  });

  it('counts no attempt that was turned back', () => {
    const turnedBack = openedAttempt({ status: 'turned_back' });
    const attempts = [...declinedAttempts(3), turnedBack, turnedBack, openedAttempt()];
    const verdict = declineOf(paymentAtNoon({ attempts }), 'card_declined', at(1));
    expect(verdict.transition).toBe('declined');
  });

  it('ends a payment whose customer has no visits left', () => {
    const visits = Array.from({ length: MAX_VISITS - 1 }, () =>
      openedAttempt({ status: 'turned_back' }),
    );
    const payment = paymentAtNoon({ attempts: [...visits, openedAttempt()] });
    expect(declineOf(payment, 'card_declined', at(1)).transition).toBe('declined_for_good');
  });
});
