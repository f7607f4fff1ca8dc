import { describe, expect, it } from 'vitest';
import { faultOfUrl, parseHttpUrl } from '../../api/webaddress.ts';

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
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'JavaScript://shop.example/%0aalert(1)',
    'javascript:https://shop.example/',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://shop.example/1',
    'file:///etc/passwd',
    'view-source:https://shop.example/',
    '\\\\evil.example/',
    '/\\evil.example/',
    'https://\\evil.example/',
    'https://shop.example\tevil.example/',
    'https://shop\n.example/',
    'https://shop.example/\r\nLocation: https://evil.example/',
    '\u00a0https://shop.example/',
    '\u2028https://shop.example/',
    '\ufeffhttps://shop.example/',
    'https://shop.example\u2028/',
    'https://shop.example:443@evil.example/',
    'https://shop.example%40evil.example/',
    'https://shop.example%2fevil.example/',
    'https://shop.example%0d%0aevil/',
    'https://shop.example%00/',
    'https://shop.example\u0000/',
    'https://%7BORDER_ID%7D.example/',
    'https://{STATUS}/',
    'https://shop.example:{STATUS}/',
    'https://shop.example{ORDER_ID}/',
    'https://[fe80::1%25eth0]/',
    'https://[::ffff:1.2.3.4.5]/',
    'https://[shop.example]/',
    'https://xn--/',
    'https://xn--a/',
    'https://shop.example:-1/',
    'https://shop.example:1e3/',
    'https://shop..example|/',
    'https://<shop>.example/',
  ])('may not be %p', (text) => {
    expect(isAccepted(text)).toBe(false);
  });

  it.each([
    ['https://shop.example/%0d%0aLocation:%20x', 'https://shop.example/%0d%0aLocation:%20x'],
    ['https://shop.example/#https://evil.example/', 'https://shop.example/#https://evil.example/'],
    ['https://shop.example/\\evil.example', 'https://shop.example//evil.example'],
    ['https://shop.example//evil.example', 'https://shop.example//evil.example'],
    ['https://shop.example/"><script>', 'https://shop.example/%22%3E%3Cscript%3E'],
    ['https://shop.example/?a=\'"<>', 'https://shop.example/?a=%27%22%3C%3E'],
    ['https://shop.example/a/../../b', 'https://shop.example/b'],
    ['https://ｓｈｏｐ。example/', 'https://shop.example/'],
    ['https://sh\u200bop\u00ad.example/', 'https://shop.example/'],
    ['https://shop%2eexample/', 'https://shop.example/'],
    ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/'],
    ['https://shop.example:443/', 'https://shop.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[::FFFF:127.0.0.1]/', 'http://[::ffff:7f00:1]/'],
    ['https://shop.example/;url=javascript:x', 'https://shop.example/;url=javascript:x'],
  ])('%s is stored as %s, which every browser reads in the same way', (text, stored) => {
    const href = parseHttpUrl(text)?.href ?? '';
    expect(href).toBe(stored);
    expect(new URL(href).href).toBe(stored);
    // Neither an attribute nor the content of a refresh can end within it.
    expect(href).toMatch(/^https?:\/\/[^\s"'<>\\]+$/);
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

describe('the fault of a URL', () => {
  const KNOWN = 'The placeholders are {PAYMENT_ID}, {ORDER_ID}, {STATUS}';

  it.each([
    ['/thanks', 'must be absolute, such as https://shop.example/thanks'],
    ['shop.example/thanks', 'must be absolute, such as https://shop.example/thanks'],
    ['//shop.example/', 'must be absolute, such as https://shop.example/thanks'],
    ['https://u:secret@shop.example/', 'must be a URL without user name and password'],
    [sized('a', 2_050), 'must have at most 2048 characters'],
    [
      'myapp://thanks',
      'must be an http or https URL of at most 2048 characters, such as https://shop.example/thanks',
    ],
  ])('%.40s is what to send instead', (text, fault) => {
    expect(faultOfUrl(text)).toBe(fault);
  });

  it.each([
    '{order_id}',
    '{OrderId}',
    '{payment}',
    '{CHECKOUT_SESSION_ID}',
    '{order-id}',
    '%7Border_id%7D',
    '%7bPayment-Id%7d',
  ])('is an unknown placeholder: %s', (braces) => {
    for (const place of [`?id=${braces}`, `/${braces}`, `?id={ORDER_ID}#${braces}`]) {
      const fault = faultOfUrl(`https://shop.example${place}`);
      expect(fault).toBe(`has an unknown placeholder in braces. ${KNOWN}`);
    }
  });

  it.each([
    '{PAYMENT_ID}{ORDER_ID}{STATUS}',
    '%7BORDER_ID%7D',
    '%7Bcolor%7D',
    '{"a":1}',
    '{"a":{"b":[]}}',
    '{}',
    '{1}',
    '{F9168C5E-CEB2-4faa-B6BF-329BF39FA1E4}',
    '{a b}',
    '{',
    '}a{',
  ])('does not exist for other braces: %s', (braces) => {
    expect(faultOfUrl(`https://shop.example/?q=${braces}`)).toBeUndefined();
  });
});
