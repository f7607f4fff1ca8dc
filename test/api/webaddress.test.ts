import { describe, expect, it } from 'vitest';
import { parseHttpUrl } from '../../api/webaddress.ts';

const isAccepted = (text: string): boolean => parseHttpUrl(text) !== undefined;

const sized = (unit: string, length: number): string => 'https://a.am/'.padEnd(length, unit);

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
    'https://shop.example/@me?to=a@b.example',
    'https://xn--80aaxitdbjk.xn--p1ai/',
    'https://խանութ.հայ/',
    'https://магазин.рф/',
    'https://bücher.example/ü',
    'https://हिन्दी.example/',
    'https://お店.example/',
    'https://متجر.example/',
    'https://cửahàng.example/',
    'https://বাংলা.বাংলা/',
    'https://தமிழ்.இந்தியா/',
    'https://ሱቅ.example/',
    'https://ร้าน.ไทย/',
    'https://ಅಂಗಡಿ.ಭಾರತ/',
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
    'https://@shop.example/',
    'https://:@shop.example/',
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
    'https:///shop.example/',
    'https:shop.example/',
    'https:\\\\shop.example/',
    'https://shop.example\\@evil.example/',
  ])('may not be %p', (text) => {
    expect(isAccepted(text)).toBe(false);
  });

  it('has at most 2,048 characters, both before and after encoding', () => {
    expect([sized('a', 2_048), sized('a', 2_050)].map(isAccepted)).toEqual([true, false]);
    expect([sized('я', 300), sized('я', 400)].map(isAccepted)).toEqual([true, false]);
    expect(isAccepted(sized('a/../', 2_050))).toBe(false);
  });

  it('is parsed to the same result every time', () => {
    const asked = Array.from({ length: 20_000 }, () => isAccepted('https://b\u00fccher.example'));
    expect(asked.every(Boolean)).toBe(true);
  });
});
