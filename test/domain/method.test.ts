import { describe, expect, it } from 'vitest';
import {
  METHOD_TYPES,
  isSilenceOver,
  lastCard,
  lastMethod,
  lastReference,
  methodOf,
  methodsFor,
  tenderedBy,
} from '../../domain/method.ts';
import { makeAttempt, makeTransfer } from '../support/rows/payment.ts';
import { BANK_TIMEOUT_MS, at, decidedAttempt, openedAttempt, paymentAtNoon } from './situation.ts';

const CARD = { brand: 'visa', last4: '4242' };

describe('methodsFor', () => {
  it('offers a bank transfer in test mode only, after the card', () => {
    expect(methodsFor({ livemode: false })).toEqual(['card', 'bank_transfer']);
    expect(methodsFor({ livemode: true })).toEqual(['card']);
    expect(METHOD_TYPES[0]).toBe('card');
  });
});

describe('methodOf', () => {
  it('reads an attempt of an earlier version as a card', () => {
    const old = makeAttempt();
    expect(old).not.toHaveProperty('method');
    expect(methodOf(old)).toEqual({ type: 'card', card: CARD });
  });

  it.each(['card', 'bank_transfer'] as const)('reads a new attempt by %s', (type) => {
    const tender = type === 'card' ? { type, card: CARD } : { type };
    const fields = tenderedBy(tender, 'att_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    const reference = { reference: 'TG-Q69G-5FAV' };
    const { card: _, ...rest } = makeAttempt() as ReturnType<typeof makeAttempt> & { card: object };
    expect(methodOf({ ...rest, ...fields })).toEqual(
      type === 'card' ? tender : { type, bank_transfer: reference },
    );
  });
});

describe('the last method', () => {
  it('is that of the last attempt', () => {
    const [card, transfer] = [makeAttempt(), makeTransfer()];
    const reference = 'TG-7K3M-9P2A';
    expect(lastMethod({ attempts: [] })).toBeUndefined();
    expect(lastCard({ attempts: [transfer, card] })).toEqual(CARD);
    expect(lastReference({ attempts: [transfer, card] })).toBeNull();
    expect(lastCard({ attempts: [card, transfer] })).toBeUndefined();
    expect(lastReference({ attempts: [card, transfer] })).toBe(reference);
  });
});

describe('isSilenceOver', () => {
  const justBefore = new Date(at(16).getTime() - 1);
  const payment = paymentAtNoon();
  const isOver = (attempt: ReturnType<typeof makeAttempt>, now: Date) =>
    isSilenceOver(payment, attempt, { now, bankTimeoutMs: BANK_TIMEOUT_MS });

  it.each([
    ['nothing', openedAttempt()],
    ['that the bank stays silent', decidedAttempt('never_answer')],
    ['that the bank is silent for now', decidedAttempt('approve_after_timeout')],
  ])('is true 16 minutes after the answer %s', (_, attempt) => {
    expect(isOver(attempt, justBefore)).toBe(false);
    expect(isOver(attempt, at(16))).toBe(true);
  });

  it.each(['approve', 'card_declined', 'approve_after_30s'] as const)(
    'is false after the answer %s',
    (outcome) => {
      expect(isOver(decidedAttempt(outcome), at(999))).toBe(false);
    },
  );

  it('counts from the time when the customer went to the bank', () => {
    const reopened = openedAttempt({ opened_at: at(10) });
    expect(isOver(reopened, at(24))).toBe(false);
    expect(isOver(reopened, at(25))).toBe(true);
  });

  it('is true for a transfer when the payment expires, long after the limit of cards', () => {
    const transfer = makeTransfer({ created_at: at(1) });
    expect(isOver(transfer, new Date(at(30).getTime() - 1))).toBe(false);
    expect(isOver(transfer, at(30))).toBe(true);
  });
});
