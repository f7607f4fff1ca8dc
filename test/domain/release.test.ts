/** What becomes of attempts that are declined or released. */
import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, MAX_VISITS } from '../../domain/payment.ts';
import { declineOf, releaseOf } from '../../domain/verdict.ts';
import { at, declinedAttempts, openedAttempt, paymentAtNoon } from './situation.ts';

const NOW = at(10);
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
