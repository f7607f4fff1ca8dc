import { describe, expect, it } from 'vitest';
import { BRANDS, brandOf, cardInWords, groupDigits } from '../../checkout/brands.ts';
import { checkCard } from '../../checkout/methods/card/check.ts';
import { checkExpiry } from '../../checkout/expiry.ts';
import { TEST_CARDS } from '../../domain/bank.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const TYPED = { card_number: '4242424242424242', expiry: '12/30', cvc: '123' };

/** Returns the errors of the form with these fields. */
const errorsOf = (fields: Partial<typeof TYPED>): object => {
  const typed = new Map(Object.entries({ ...TYPED, ...fields }));
  const result = checkCard({ get: (name) => typed.get(name) }, NOW);
  return 'errors' in result ? result.errors : {};
};

describe('checkExpiry', () => {
  it.each(['', '13/30', '0/30', '12', '12/3', '12/300', '12.2.30', '2030-13', 'aa/bb', '１２/30'])(
    'refuses "%s", which is no month',
    (typed) => expect(checkExpiry(typed, NOW)).toBe('error.expiry'),
  );

  it.each(['12/30', '1230', '12 / 30', '12-30', '12.30', '12/2030', '122030', '2030-12', '1/27'])(
    'accepts "%s"',
    (typed) => expect(checkExpiry(typed, NOW)).toBeUndefined(),
  );

  it.each(['12/20', '10/26', '12/1999', '11/0026', '01/00'])('refuses %s, which is past', (typed) =>
    expect(checkExpiry(typed, NOW)).toBe('error.expiry_past'),
  );

  it('accepts a month until it has ended in the last time zone, at UTC-12', () => {
    expect(checkExpiry('11/26', new Date('2026-12-01T11:59:59.999Z'))).toBeUndefined();
    expect(checkExpiry('11/26', new Date('2026-12-01T12:00:00.000Z'))).toBe('error.expiry_past');
    expect(checkExpiry('12/26', new Date('2027-01-01T11:59:59.999Z'))).toBeUndefined();
  });

  it('accepts 20 years, counted from the first time zone in which a month begins, UTC+14', () => {
    expect(checkExpiry('11/46', NOW)).toBeUndefined();
    expect(checkExpiry('12/46', NOW)).toBe('error.expiry_far');
    expect(checkExpiry('12/46', new Date('2026-11-30T10:00:00.000Z'))).toBeUndefined();
    expect(checkExpiry('12/46', new Date('2026-11-30T09:59:59.999Z'))).toBe('error.expiry_far');
    expect(checkExpiry('12/9999', NOW)).toBe('error.expiry_far');
  });
});

describe('checkCard', () => {
  it.each([
    ['nothing', '', 'error.card_missing'],
    ['blanks', '  ', 'error.card_missing'],
    ['a missing digit', '424242424242424', 'error.card_number'],
    ['a wrong digit', '4242424242424241', 'error.card_number'],
    ['letters', 'my card', 'error.card_number'],
    ['a real number', '4539578763621486', 'error.card_refused'],
    ['a real number with blanks', '4539 5787-6362 1486', 'error.card_refused'],
    ['a real American Express number', '371449635398431', 'error.card_refused'],
  ])('has a text of its own for %s', (_, card_number, key) => {
    const cvc = card_number.startsWith('37') ? '1234' : '123';
    expect(errorsOf({ card_number, cvc })).toEqual({ card_number: key });
  });

  it.each([
    ['4242424242424242', '123', {}],
    ['4242424242424242', '1234', { cvc: 'error.cvc_3' }],
    ['4242424242424242', '', { cvc: 'error.cvc_3' }],
    ['378282246310005', '1234', {}],
    ['378282246310005', '123', { cvc: 'error.cvc_4' }],
    ['', '12345', { card_number: 'error.card_missing', cvc: 'error.cvc' }],
    ['', '1234', { card_number: 'error.card_missing' }],
  ])('knows the length of the code of %s: "%s"', (card_number, cvc, errors) => {
    expect(errorsOf({ card_number, cvc })).toEqual(errors);
  });

  it('reports every field at once', () => {
    expect(errorsOf({ card_number: '1', expiry: '12/20', cvc: 'x' })).toEqual({
      card_number: 'error.card_number',
      expiry: 'error.expiry_past',
      cvc: 'error.cvc',
    });
  });
});

describe('BRANDS', () => {
  it.each(TEST_CARDS)('recognise $number as $brand', ({ number, brand }) => {
    expect(brandOf(number)).toBe(BRANDS[brand]);
  });

  it('match no number twice', () => {
    const starts = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0'));
    const prefixes = Object.values(BRANDS).map(({ prefix }) => new RegExp(prefix));
    const counts = starts.map((start) => prefixes.filter((each) => each.test(start)).length);
    expect(Math.max(...counts)).toBe(1);
  });

  it('group the digits as they are printed', () => {
    expect(groupDigits('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(groupDigits('378282246310005')).toBe('3782 822463 10005');
    expect(groupDigits('62')).toBe('62');
  });

  it('name a card of an unknown brand by its stored name', () => {
    expect(cardInWords({ brand: 'amex', last4: '0005' })).toBe('American Express •••• 0005');
    expect(cardInWords({ brand: 'later', last4: '0005' })).toBe('later •••• 0005');
  });
});
