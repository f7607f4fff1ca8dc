import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { MAX_KEPT_CHARS, routeOf, safeBody, tagOf, tagsOf } from '../../domain/call.ts';
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

const KNOWN = new Set(['description', 'amount', 'metadata', 'order_id']);
const safe = (body: object) => safeBody(JSON.stringify(body), KNOWN);

describe('safeBody', () => {
  it.each([
    [{ description: `card ${CARD} 12/27 123` }, { description: '[removed]' }],
    [{ metadata: { a: '4242 4242 4242 4242' } }, { metadata: { a: '[removed]' } }],
    [{ amount: Number(CARD) }, { amount: '[removed]' }],
    [{ description: 'sk_test_0123456789abcdefABCDEF' }, { description: '[removed]' }],
    [{ description: 'sk_live_x, whsec_Mf9r8G+/=' }, { description: '[removed], [removed]' }],
    [
      { cvc: '123', amount: 5 },
      { cvc: '[removed]', amount: 5 },
    ],
    [
      { cvc: { code: '123' }, [CARD]: 1 },
      { [`[removed]`]: '[removed]', cvc: '[removed]' },
    ],
    [
      { amount: 12_500, order_id: 'order-1001' },
      { amount: 12_500, order_id: 'order-1001' },
    ],
    [{ amount: [null, true] }, { amount: [null, true] }],
  ])('of %j is %j', (body, kept) => {
    const { text, isCut } = safe(body);
    expect([JSON.parse(text), isCut]).toEqual([kept, false]);
  });

  it('keeps nothing of a number that is spread over several values', () => {
    const metadata = { a: '4242', b: '4242', c: '4242', d: '4242' };
    for (const body of [{ amount: Object.values(metadata) }, { description: CARD.split('') }]) {
      expect(safe(body).text).not.toMatch(/4.*2.*4.*2/);
    }
  });

  it('is cut at the limit, without the beginning of a number there', () => {
    const start = '{"description":"';
    const rest = MAX_KEPT_CHARS - start.length;
    for (let digits = 1; digits < 20; digits += 1) {
      const description = `${'a'.repeat(rest - digits)}${'7'.repeat(30)}`;
      const { text, isCut } = safe({ description });
      expect([text, isCut]).toEqual([start + 'a'.repeat(rest - digits), true]);
    }
  });

  it('never keeps a card number', () => {
    const part = fc.constantFrom('4242', '424242', CARD, ' ', '-', ',', '"', 'a', '٤', '%20', '.');
    const words = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    const values = fc.oneof(words, fc.array(words), fc.dictionary(words, words));
    fc.assert(
      fc.property(values, words, (description, order_id) => {
        expect(containsCardNumber(safe({ description, order_id }).text)).toBe(false);
      }),
    );
  });
});
