import { describe, expect, it } from '@jest/globals';
import { assert, property, stringMatching } from 'fast-check';
import { WEB_ADDRESS, parseHttpUrl } from '../../api/webaddress.ts';

const pattern = new RegExp(WEB_ADDRESS, 'u');
const isAccepted = (text: string): boolean =>
  pattern.test(text) && parseHttpUrl(text) !== undefined;

describe('a web address', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/return?order={ORDER_ID}#end',
    'HTTP://SHOP.EXAMPLE/',
    'http://localhost:3000/thanks',
    'http://127.0.0.1:65535/',
    'http://[::1]:3000/',
    'http://[2001:db8:1:2::a]/',
    'https://1shop.am/a b/заказ',
    'https://a_b.shop.example.',
    'https://xn--80aaxitdbjk.xn--p1ai/',
    'https://խանութ.հայ/',
    'https://магазин.рф/',
    'https://bücher.example/ü',
    'https://हिन्दी.example/',
    'https://お店.example/',
    'https://متجر.example/',
  ])('may be %s', (text) => {
    expect(isAccepted(text)).toBe(true);
  });

  it.each([
    '',
    'shop.example',
    '//shop.example/',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'https://',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https://shop.example/ ',
    ' https://shop.example/',
    'https://shop.example/\n',
    'https://shop example/',
    'https://{ORDER_ID}.example/',
    'https://1.2.3.4.5/',
    'https://shop.1/',
    'https://256.1.1.1/',
    'https://[::1/',
    'https://shop.example:65536/',
    'https:/shop.example/',
    'https:\\\\shop.example/',
  ])('is never %p', (text) => {
    expect(isAccepted(text)).toBe(false);
  });

  it('that fits the pattern is a URL', () => {
    assert(
      property(stringMatching(pattern), (text) => parseHttpUrl(text) !== undefined),
      { numRuns: 2_000 },
    );
  });

  it('is understood the same however often it is asked for', () => {
    const asked = Array.from({ length: 20_000 }, () => isAccepted('https://b\u00fccher.example'));
    expect(asked.every(Boolean)).toBe(true);
  });
});
