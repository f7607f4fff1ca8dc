import { describe, expect, it } from 'vitest';
import { MAX_PAIR_CHARS, pairTerm, searchTerms } from '../../domain/search.ts';
import { makePayment } from '../support/rows/payment.ts';

describe('pairTerm', () => {
  it('is a term of every payment with the pair, whatever its case and spaces', () => {
    const { metadata } = makePayment({ metadata: { Customer: 'Ann  S', 'a.b': 'x:y' } });
    const terms = searchTerms(makePayment({ metadata }));
    expect(terms).toContain(pairTerm('customer', ' ANN s'));
    expect(terms).toContain(pairTerm('a.b', 'x:y'));
  });

  it('is undefined if it could be the beginning of a longer value', () => {
    const value = 'v'.repeat(MAX_PAIR_CHARS - 1);
    const cut = searchTerms(makePayment({ metadata: { k: value.repeat(2) } })).at(-1) ?? '';
    const whole = pairTerm('k', value) ?? '';
    expect([whole.length, cut.length]).toEqual([MAX_PAIR_CHARS + 1, MAX_PAIR_CHARS + 2]);
    expect(pairTerm('k', `${value}v`)).toBeUndefined();
  });
});
