import { describe, expect, it } from 'vitest';
import { PAYMENT, makeTenant, openStand } from './harness.ts';

const { mongo, temporal, api } = await openStand('schemas');

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('POST /v1/payments refuses', () => {
  it.each([
    ['an amount as a string', { amount: '12500' }, 'parameter_invalid', 'amount'],
    ['a fraction', { amount: 12.5 }, 'parameter_invalid', 'amount'],
    ['true as amount', { amount: true }, 'parameter_invalid', 'amount'],
    ['no amount', { amount: undefined }, 'parameter_missing', 'amount'],
    ['null for a required field', { amount: null }, 'parameter_missing', 'amount'],
    ['nothing', { amount: 0 }, 'amount_too_small', 'amount'],
    ['a negative amount', { amount: -10 }, 'amount_too_small', 'amount'],
    ['less than the minimum of the currency', { amount: 9 }, 'amount_too_small', 'amount'],
    ['more than the maximum', { amount: 100_000_000 }, 'amount_too_large', 'amount'],
    ['an unsafe integer', { amount: 2 ** 53 }, 'amount_too_large', 'amount'],
    ['no currency', { currency: undefined }, 'parameter_missing', 'currency'],
    ['a lower-case currency', { currency: 'amd' }, 'currency_unsupported', 'currency'],
    ['an unknown currency', { currency: 'XYZ' }, 'currency_unsupported', 'currency'],
    ['a number as currency', { currency: 51 }, 'parameter_invalid', 'currency'],
    ['no return_url', { return_url: undefined }, 'parameter_missing', 'return_url'],
    ['a relative URL', { return_url: '/thanks' }, 'url_invalid', 'return_url'],
    ['another scheme', { return_url: 'javascript:alert(1)' }, 'url_invalid', 'return_url'],
    ['userinfo', { return_url: 'https://u:p@shop.example/' }, 'url_invalid', 'return_url'],
    ['a line break', { return_url: 'https://shop.example/\n' }, 'url_invalid', 'return_url'],
    ['a space before', { return_url: ' https://shop.example/' }, 'url_invalid', 'return_url'],
    ['a placeholder host', { return_url: 'https://{ORDER_ID}.am/' }, 'url_invalid', 'return_url'],
    [
      'a URL that is too long',
      { return_url: `https://shop.example/${'a'.repeat(2_048)}` },
      'url_invalid',
      'return_url',
    ],
    [
      'a URL that is too long once encoded',
      { cancel_url: `https://shop.example/${'я'.repeat(700)}` },
      'url_invalid',
      'cancel_url',
    ],
    ['an object as URL', { cancel_url: { $ne: 1 } }, 'parameter_invalid', 'cancel_url'],
    ['an empty order_id', { order_id: '' }, 'parameter_invalid', 'order_id'],
    ['a long order_id', { order_id: 'o'.repeat(129) }, 'parameter_invalid', 'order_id'],
    ['an operator as order_id', { order_id: { $ne: null } }, 'parameter_invalid', 'order_id'],
    ['a long description', { description: 'd'.repeat(256) }, 'parameter_invalid', 'description'],
    ['an unknown locale', { locale: 'de' }, 'locale_unsupported', 'locale'],
    ['a list as metadata', { metadata: [] }, 'parameter_invalid', 'metadata'],
    ['51 metadata keys', { metadata: keys(51) }, 'parameter_invalid', 'metadata'],
    ['a metadata number', { metadata: { a: 1 } }, 'parameter_invalid', 'metadata.a'],
    [
      'four planned failures',
      { metadata: { test_webhook_failures: '4' } },
      'parameter_invalid',
      'metadata.test_webhook_failures',
    ],
    ['a metadata null', { metadata: { a: null } }, 'parameter_invalid', 'metadata.a'],
    ['a long value', { metadata: { a: 'v'.repeat(501) } }, 'parameter_invalid', 'metadata.a'],
    ['a bad metadata key', { metadata: { 'a b': 'v' } }, 'parameter_invalid', 'metadata.a b'],
    ['an operator as key', { metadata: { $ne: 'v' } }, 'parameter_invalid', 'metadata.$ne'],
    ['an empty metadata key', { metadata: { '': 'v' } }, 'parameter_invalid', 'metadata.'],
    [
      'a long metadata key',
      { metadata: { ['k'.repeat(41)]: 'v' } },
      'parameter_invalid',
      `metadata.${'k'.repeat(41)}`,
    ],
    [
      'a card number in the description',
      { description: 'paid by 4242 4242-4242 4242, thanks' },
      'card_number_refused',
      'description',
    ],
    [
      'a card number in metadata',
      { metadata: { note: '378282246310005' } },
      'card_number_refused',
      'metadata.note',
    ],
    [
      'a card number as a metadata key, without quoting it',
      { metadata: { '4242424242424242': 'card' } },
      'card_number_refused',
      'metadata',
    ],
    [
      'a card number in digits of another script',
      { description: '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢' },
      'card_number_refused',
      'description',
    ],
    [
      'a card number with slashes',
      { metadata: { note: '4242/4242/4242/4242' } },
      'card_number_refused',
      'metadata.note',
    ],
    [
      'a card number with underscores as a metadata key',
      { metadata: { '4242_4242_4242_4242': 'card' } },
      'card_number_refused',
      'metadata',
    ],
    [
      'a card number between 484 emojis, which are 1,000 units long',
      { metadata: { note: `${'😀'.repeat(484)}4242424242424242` } },
      'card_number_refused',
      'metadata.note',
    ],
    [
      'an order_id in the groups of a card number',
      { order_id: '4242-4242-4242-4242' },
      'card_number_refused',
      'order_id',
    ],
    [
      'a card number in the path of a URL',
      { return_url: 'https://shop.example/4242424242424242' },
      'card_number_refused',
      'return_url',
    ],
    [
      'an escaped card number in the query of a URL',
      { cancel_url: 'https://shop.example/?n=4242%204242%204242%204242' },
      'card_number_refused',
      'cancel_url',
    ],
    [
      'a card number in the fragment of a URL',
      { return_url: 'https://shop.example/#n/4242.4242.4242.4242' },
      'card_number_refused',
      'return_url',
    ],
    ['a malformed time', { expires_at: 'tomorrow' }, 'parameter_invalid', 'expires_at'],
    [
      'a time without zone',
      { expires_at: '2030-01-01T00:00:00' },
      'parameter_invalid',
      'expires_at',
    ],
    [
      'a day that does not exist',
      { expires_at: '2030-02-30T00:00:00Z' },
      'parameter_invalid',
      'expires_at',
    ],
    ['the past', { expires_at: inMs(-MINUTE) }, 'parameter_invalid', 'expires_at'],
    ['less than 5 min', { expires_at: inMs(4 * MINUTE) }, 'parameter_invalid', 'expires_at'],
    ['more than 7 days', { expires_at: inMs(7 * DAY + MINUTE) }, 'parameter_invalid', 'expires_at'],
    ['an unknown field', { colour: 'red' }, 'parameter_unknown', 'colour'],
    ['a field that only responses have', { status: 'completed' }, 'parameter_unknown', 'status'],
  ])('%s', async (_, fields, code, param) => {
    const reply = await api.send('POST', '/v1/payments', { body: { ...PAYMENT, ...fields } });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({ type: 'invalid_request', code, param });
    expect(reply.json.error.errors).toEqual([{ param, code, message: reply.json.error.message }]);
  });

  it.each(['cửahàng.example', 'বাংলা.বাংলা', 'தமிழ்.இந்தியா', 'ሱቅ.example', 'ร้าน.ไทย'])(
    'no host with a valid name in any script: %s',
    async (host) => {
      const return_url = `https://${host}/thanks`;
      const reply = await api.send('POST', '/v1/payments', { body: { ...PAYMENT, return_url } });
      expect([reply.status, reply.json.return_url]).toEqual([201, new URL(return_url).href]);
      expect(reply.json.return_url).toMatch(/^https:\/\/[a-z0-9.-]*xn--/);
    },
  );

  it('no order_id of plain digits, although one in ten has a valid check digit', async () => {
    const order_id = '4242424242424242';
    const reply = await api.send('POST', '/v1/payments', { body: { ...PAYMENT, order_id } });
    expect([reply.status, reply.json.order_id]).toEqual([201, order_id]);
    const list = await api.send('GET', `/v1/payments?order_id=${order_id}`);
    expect(list.json.data).toHaveLength(1);
  });

  it('an amount that is not an integer, and explains the unit', async () => {
    const reply = await api.send('POST', '/v1/payments', {
      body: { ...PAYMENT, amount: '125.00' },
    });
    expect(reply.json.error.message).toContain("the currency's minor unit");
  });

  it('all invalid fields at once, in the documented order', async () => {
    const body = { colour: 'red', metadata: { a: 1 }, locale: 'de', amount: 5, currency: 'AMD' };
    const reply = await api.send('POST', '/v1/payments', { body });
    const faults = reply.json.error.errors.map(({ param, code }: Record<string, string>) => [
      param,
      code,
    ]);
    expect(faults).toEqual([
      ['amount', 'amount_too_small'],
      ['return_url', 'parameter_missing'],
      ['locale', 'locale_unsupported'],
      ['metadata.a', 'parameter_invalid'],
      ['colour', 'parameter_unknown'],
    ]);
    expect(reply.json.error).toMatchObject({ param: 'amount', code: 'amount_too_small' });
  });

  it('live keys, until there is a real bank', async () => {
    const live = api.as(await makeTenant(mongo, 'live'));
    const reply = await live.send('POST', '/v1/payments', { body: PAYMENT });
    expect(reply.status).toBe(403);
    expect(reply.json.error).toMatchObject({ type: 'permission', code: 'live_mode_unavailable' });
  });

  it('without storing or starting anything', async () => {
    const before = [await mongo.payments.countDocuments({}), temporal.started.length];
    await api.send('POST', '/v1/payments', { body: { ...PAYMENT, amount: 1 }, key: 'refused' });
    expect([await mongo.payments.countDocuments({}), temporal.started.length]).toEqual(before);
    const reply = await api.send('POST', '/v1/payments', { body: PAYMENT, key: 'refused' });
    expect(reply.status).toBe(201);
  });
});
