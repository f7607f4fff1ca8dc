import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../domain/event.ts';
import {
  MAX_ATTEMPTS,
  MAX_VISITS,
  PAYMENT_STATUSES,
  TRANSITIONS,
  attemptsLeft,
  changedDetails,
  countAttempts,
  differingDetails,
  endedAt,
  isFinal,
  lastAttempt,
  lateApproval,
  mayOpenAttempt,
  timeOfChange,
} from '../../domain/payment.ts';
import {
  at,
  decidedAttempt,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from './situation.ts';

const backVisits = (count: number) =>
  Array.from({ length: count }, () => openedAttempt({ status: 'turned_back' }));

const FINAL = ['completed', 'failed', 'canceled', 'expired'];

describe('TRANSITIONS', () => {
  it('has exactly these entries', () => {
    const edges = Object.entries(TRANSITIONS).map(
      ([name, { from, to, event }]) => `${name}: ${from} -> ${to}, ${event ?? 'no event'}`,
    );
    expect(edges).toEqual([
      'attempt_opened: created -> processing, no event',
      'turned_back: processing -> created, no event',
      'approved: processing -> completed, payment.completed',
      'declined: processing -> created, payment.attempt_failed',
      'declined_at_end: processing -> expired, payment.expired',
      'declined_for_good: processing -> failed, payment.failed',
      'canceled: created -> canceled, payment.canceled',
      'expired: created -> expired, payment.expired',
    ]);
  });

  it.each(Object.entries(TRANSITIONS))(
    '%s does not start from a final status',
    (_, { from, to, event }) => {
      expect(FINAL).not.toContain(from);
      if (event !== null) expect(EVENT_TYPES).toContain(event);
      if (FINAL.includes(to)) expect(event).toBe(`payment.${to}`);
    },
  );
});

describe('attemptsLeft', () => {
  it.each([
    [0, 0, MAX_ATTEMPTS],
    [0, 1, MAX_ATTEMPTS],
    [1, 0, MAX_ATTEMPTS - 1],
    [MAX_ATTEMPTS, 0, 0],
    [1, MAX_VISITS - 3, 2],
    [0, MAX_VISITS, 0],
  ])('after %i declines and %i visits that were turned back, is %i', (declines, visits, left) => {
    const attempts = [...declinedAttempts(declines), ...backVisits(visits)];
    expect(attemptsLeft({ attempts })).toBe(left);
  });
});

describe('isFinal', () => {
  it.each(PAYMENT_STATUSES)('%s', (status) => expect(isFinal(status)).toBe(FINAL.includes(status)));
});

describe('lastAttempt', () => {
  it('returns the newest attempt, or undefined', () => {
    const attempts = [...declinedAttempts(1), openedAttempt({ id: 'att_2' })];
    expect(lastAttempt({ attempts })?.id).toBe('att_2');
    expect(lastAttempt({ attempts: [] })).toBeUndefined();
  });
});

describe('countAttempts', () => {
  it('does not count an attempt that was turned back, even if its approval came late', () => {
    const attempts = [
      ...declinedAttempts(1),
      { ...lateAttempt(at(5)), status: 'reversed' as const },
      openedAttempt({ status: 'turned_back' }),
      decidedAttempt('approve', { status: 'reversed', turned_back_at: at(2) }),
      openedAttempt(),
    ];
    expect(countAttempts({ attempts })).toBe(3);
    const paid = decidedAttempt('approve', { status: 'approved' });
    expect(countAttempts({ attempts: [...attempts.slice(0, 4), paid] })).toBe(3);
  });
});

describe('timeOfChange', () => {
  const justAfter = new Date(at(2).getTime() + 1);

  it.each([
    ['now', at(1), at(2), at(2)],
    ['just after the last change if a clock is behind', at(2), at(1), justAfter],
    ['just after the last change within a millisecond', at(2), at(2), justAfter],
  ])('is %s', (_, last, now, expected) => {
    expect(timeOfChange({ updated_at: last }, now)).toEqual(expected);
  });
});

describe('endedAt', () => {
  it.each(PAYMENT_STATUSES)('%s', (status) => {
    const payment = paymentAtNoon({ status, updated_at: at(7) });
    expect(endedAt(payment)).toEqual(FINAL.includes(status) ? at(7) : null);
  });
});

describe('mayOpenAttempt', () => {
  const turnedBack = openedAttempt({ status: 'turned_back', number: MAX_ATTEMPTS });
  const before = declinedAttempts(MAX_ATTEMPTS - 1);

  it.each(PAYMENT_STATUSES.filter((status) => status !== 'created'))(
    'is false for %s',
    (status) => {
      expect(mayOpenAttempt(paymentAtNoon({ status }), at(1))).toBe(false);
    },
  );

  it('is false from the end of its lifetime on, to the millisecond', () => {
    const justBefore = new Date(at(30).getTime() - 1);
    expect(mayOpenAttempt(paymentAtNoon(), at(30))).toBe(false);
    expect(mayOpenAttempt(paymentAtNoon(), justBefore)).toBe(true);
  });

  it('is false after the last decline', () => {
    const attempts = declinedAttempts(MAX_ATTEMPTS);
    expect(mayOpenAttempt(paymentAtNoon({ attempts }), at(1))).toBe(false);
    expect(mayOpenAttempt(paymentAtNoon({ attempts: before }), at(1))).toBe(true);
  });

  it('is true if the customer turned back from the last attempt', () => {
    const payment = paymentAtNoon({ attempts: [...before, turnedBack] });
    expect(mayOpenAttempt(payment, at(1))).toBe(true);
  });

  it('is false at the maximum number of visits', () => {
    const attempts = Array.from({ length: MAX_VISITS }, () => turnedBack);
    expect(mayOpenAttempt(paymentAtNoon({ attempts }), at(1))).toBe(false);
    expect(mayOpenAttempt(paymentAtNoon({ attempts: attempts.slice(1) }), at(1))).toBe(true);
  });
});

describe('lateApproval', () => {
  const late = lateAttempt(at(5));

  it.each([
    ['no attempt', []],
    ['only declines', declinedAttempts(2)],
    ['an approval that completed the payment', [decidedAttempt('approve', { status: 'approved' })]],
    ['an attempt that is still open', [decidedAttempt('approve')]],
    ['an approval that was reversed', [{ ...late, status: 'reversed' as const }]],
  ])('returns undefined for %s', (_, attempts) =>
    expect(lateApproval({ attempts })).toBeUndefined(),
  );

  it.each([
    ['earlier declined by the bank', decidedAttempt('approve', { status: 'declined' })],
    ['given up on', late],
    ['turned back', decidedAttempt('approve', { status: 'turned_back' })],
  ])('finds an attempt before later ones: %s', (_, attempt) => {
    expect(lateApproval({ attempts: [attempt, ...declinedAttempts(2)] })).toBe(attempt);
  });
});

describe('changedDetails', () => {
  const before = { description: 'Tea', metadata: { a: '1', toString: '2' } };
  it.each([
    [{}, before],
    [{ description: null }, { ...before, description: null }],
    [{ metadata: {} }, before],
    [{ metadata: null }, { ...before, metadata: {} }],
    [{ metadata: { a: null, b: '' } }, { ...before, metadata: { toString: '2', b: '' } }],
    [{ metadata: { toString: '3' } }, { ...before, metadata: { a: '1', toString: '3' } }],
    [{ metadata: { valueOf: null } }, before],
  ])('of %j', (changes, after) => {
    expect(changedDetails(before, changes)).toEqual(after);
  });

  it.each([
    [{ metadata: { a: '1', valueOf: null } }, []],
    [{ description: 'Mugs', metadata: { a: null } }, ['description', 'metadata.a']],
    [{ metadata: { b: '2', toString: null } }, ['metadata.toString', 'metadata.b']],
  ])('are named by differingDetails: %j', (changes, names) => {
    expect(differingDetails(before, changedDetails(before, changes))).toEqual(names);
  });
});
