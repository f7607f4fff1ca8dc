import { describe, expect, it } from 'vitest';
import {
  CHOICES,
  FAILURE_MESSAGES,
  SANDBOX_OUTCOMES,
  TEST_CARDS,
  findTestCard,
  isDue,
  isHardDecline,
  sandboxDecision,
} from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { at } from './situation.ts';

/** The answer to each choice on the sandbox bank's page, and its delay in seconds. */
const OUTCOMES = {
  approve: ['approved', 0],
  approve_3ds: ['approved', 0],
  insufficient_funds: ['insufficient_funds', 0],
  card_declined: ['card_declined', 0],
  expired_card: ['expired_card', 0],
  incorrect_cvc: ['incorrect_cvc', 0],
  limit_exceeded: ['limit_exceeded', 0],
  issuer_unavailable: ['issuer_unavailable', 0],
  suspected_fraud: ['suspected_fraud', 0],
  lost_or_stolen: ['lost_or_stolen', 0],
  approve_after_5s: ['approved', 5],
  approve_after_30s: ['approved', 30],
  decline_after_30s: ['card_declined', 30],
  approve_after_timeout: ['none', 0],
  never_answer: ['none', 0],
} as const;

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

describe('SANDBOX_OUTCOMES', () => {
  it('has exactly the published names', () => {
    expect(Object.keys(SANDBOX_OUTCOMES)).toEqual(Object.keys(OUTCOMES));
    expect(CHOICES).toEqual([...Object.keys(OUTCOMES), 'turn_back']);
  });

  it.each(Object.entries(OUTCOMES))('%s leads to %s', (name, [answer, seconds]) => {
    const { says, delayMs } = SANDBOX_OUTCOMES[name as keyof typeof OUTCOMES];
    expect(says.answer === 'declined' ? says.code : says.answer).toBe(answer);
    expect(delayMs).toBe(seconds * 1000);
  });
});

describe('sandboxDecision', () => {
  it('declines a wrong 3-D Secure code at once', () => {
    const says = { answer: 'declined', code: 'authentication_failed' };
    const decision = sandboxDecision('authentication_failed', at(2));
    expect(decision).toMatchObject({ says, due_at: at(2) });
  });

  it('is due after the delay of its outcome', () => {
    expect(sandboxDecision('approve_after_30s', at(2), 'req_1')).toEqual({
      outcome: 'approve_after_30s',
      says: { answer: 'approved' },
      decided_at: at(2),
      due_at: at(2.5),
      request_id: 'req_1',
    });
  });

  it("has no request id if it was made on the bank's page", () => {
    expect(sandboxDecision('approve', at(2)).request_id).toBeNull();
  });
});

describe('isDue', () => {
  it.each([at(-60), at(1), at(2), at(3)])(
    'is true for an answer without a delay, whatever the clock: %p',
    (now) => expect(isDue(sandboxDecision('approve', at(2)), now)).toBe(true),
  );

  it('is false for a delayed answer until its time', () => {
    const decision = sandboxDecision('approve_after_30s', at(2));
    expect(isDue(decision, new Date(at(2.5).getTime() - 1))).toBe(false);
    expect(isDue(decision, at(2.5))).toBe(true);
  });
});

describe('isHardDecline', () => {
  it('is true for fraud and for lost or stolen cards only', () => {
    const codes = Object.keys(FAILURE_MESSAGES) as FailureCode[];
    expect(codes.filter(isHardDecline)).toEqual(['suspected_fraud', 'lost_or_stolen']);
  });
});

describe('FAILURE_MESSAGES', () => {
  it('has a sentence for every published code', () => {
    expect(Object.keys(FAILURE_MESSAGES)).toEqual([
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'incorrect_cvc',
      'authentication_failed',
      'limit_exceeded',
      'issuer_unavailable',
      'processing_error',
      'bank_timeout',
      'suspected_fraud',
      'lost_or_stolen',
    ]);
    for (const text of Object.values(FAILURE_MESSAGES)) expect(text).toMatch(/^[A-Z].+\.$/);
  });
});

describe('findTestCard', () => {
  it.each([
    ['a card that is not on the list', '4242424242424241'],
    ['part of a number', '424242424242'],
    ['letters between the digits', '4242x4242x4242x4242'],
    ['nothing', ''],
  ])('does not find %s', (_, typed) => expect(findTestCard(typed)).toBeUndefined());

  it('ignores spaces and hyphens between the digits', () => {
    expect(findTestCard(' 4000 0000-0000 0002 ')?.preselects).toBe('card_declined');
  });
});

describe('TEST_CARDS', () => {
  it.each(TEST_CARDS)('$number is well-formed and preselects an outcome', (card) => {
    expect(card.number).toMatch(/^\d{15,16}$/);
    expect(passesLuhn(card.number)).toBe(true);
    expect(SANDBOX_OUTCOMES).toHaveProperty(card.preselects);
    expect(findTestCard(card.number)).toBe(card);
  });

  it('lists no number twice', () => {
    expect(new Set(TEST_CARDS.map((card) => card.number)).size).toBe(TEST_CARDS.length);
  });
});
