import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { MAX_BODY_CHARS, routeOf, safeText, tagOf, tagsOf } from '../../domain/call.ts';
import { containsCardNumber } from '../../domain/cardnumber.ts';
import { mintId } from '../../store/mint.ts';

const CARD = '4242424242424242';

describe('routeOf', () => {
  it.each([
    ['/v1/payments', '/v1/payments'],
    [`/v1/payments/${mintId('payment')}`, '/v1/payments/{id}'],
    [`/v1/test/payments/${mintId('payment')}/advance`, '/v1/test/payments/{id}/advance'],
    ['/v1/payments/*', '/v1/payments/*'],
  ])('of %s is %s', (path, route) => {
    expect(routeOf(path)).toBe(route);
  });
});

describe('tagsOf', () => {
  const path = `/v1/payments/${mintId('payment')}`;
  const route = '/v1/payments/{id}';

  it.each([
    [{}, true],
    [{ status: '4xx' }, true],
    [{ route }, true],
    [{ status: '4xx', route }, true],
    [{ status: '2xx' }, false],
    [{ status: '2xx', route }, false],
    [{ status: '4xx', route: '/v1/payments' }, false],
  ] as const)('has the tag of the filter %j: %s', (filter, has) => {
    expect(tagsOf({ status: 404, path }).includes(tagOf(filter))).toBe(has);
  });
});

describe('safeText', () => {
  it.each([
    [`{"description":"${CARD}"}`, '{"description":"[removed]"}'],
    ['{"a":"4242 4242 4242 4242 ok"}', '{"a":"[removed] ok"}'],
    [`{"amount":${CARD}}`, '{"amount":[removed]}'],
    ['{"a":"sk_test_0123456789abcdefABCDEF"}', '{"a":"[removed]"}'],
    ['{"a":"sk_live_x and whsec_MfKQ9r8G+/="}', '{"a":"[removed] and [removed]"}'],
    ['{"a":["4242","4242","4242","4242"]}', '[removed]'],
    ['{"a":"4242%204242%204242%204242"}', '[removed]'],
    ['{"amount":12500,"order_id":"order-1001"}', '{"amount":12500,"order_id":"order-1001"}'],
  ])('of %s is %s', (text, safe) => {
    expect(safeText(text)).toEqual({ text: safe, isCut: false });
  });

  it('keeps no part of a card number at the cut', () => {
    for (let kept = 1; kept < CARD.length; kept += 1) {
      const start = 'a'.repeat(MAX_BODY_CHARS - kept);
      expect(safeText(`${start}${CARD}`)).toEqual({ text: start, isCut: true });
    }
  });

  it('keeps no key that is cut', () => {
    const start = '-'.repeat(MAX_BODY_CHARS - 20);
    const { text } = safeText(`${start}sk_test_0123456789abcdefghij`);
    expect(text).toBe(`${start}[removed]`);
  });

  it('never keeps a card number', () => {
    const part = fc.constantFrom('4242', '424242', CARD, ' ', '-', ',', '"', 'a', '٤', '%20', '.');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        expect(containsCardNumber(safeText(parts.join('')).text)).toBe(false);
      }),
    );
  });
});
