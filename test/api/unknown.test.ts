import { describe, expect, it } from 'vitest';
import { PAYMENT, openStand } from './harness.ts';

const { api } = await openStand('unknown');

const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('POST /v1/payments refuses', () => {
  it.each([
    [
      'orderId',
      { orderId: 'o-1' },
      'orderId is not a parameter of this call. Did you mean order_id?',
    ],
    ['amd', { currency: 'amd' }, 'currency has an unknown value. Did you mean AMD?'],
    [
      'retrun_url',
      { return_url: undefined, retrun_url: 'https://shop.example/' },
      'return_url is required. The request has retrun_url instead.',
    ],
    [
      '/thanks',
      { return_url: '/thanks' },
      'return_url must be absolute, such as https://shop.example/thanks.',
    ],
    [
      'unknown names',
      { colour: 'red' },
      'colour is not a parameter of this call. It has: amount, currency, return_url, order_id, description, cancel_url, locale, metadata, expires_at.',
    ],
  ])('%s, and says what to send', async (_, fields, message) => {
    const reply = await api.send('POST', '/v1/payments', { body: { ...PAYMENT, ...fields } });
    expect([reply.status, reply.json.error.message]).toEqual([400, message]);
  });

  it('names with a card number or a key, without quoting them', async () => {
    for (const name of ['4242424242424242', '4242 4242 4242 4242', 'sk_test_abc']) {
      const body = { ...PAYMENT, [name]: 'x', metadata: { [`${name}é`]: 1 } };
      const reply = await api.send('POST', '/v1/payments', { body });
      const params = reply.json.error.errors.map(({ param }: { param: string | null }) => param);
      expect(params).toEqual(['metadata', null]);
      expect(JSON.stringify(reply.json)).not.toMatch(/4242|sk_test_abc/);
    }
  });

  it('many unknown names, with advice for the first of them', async () => {
    const body = { ...PAYMENT, ...keys(200) };
    const { errors } = (await api.send('POST', '/v1/payments', { body })).json.error;
    expect(errors).toHaveLength(100);
    expect(
      errors.filter(({ message }: { message: string }) => message.includes('It has')),
    ).toHaveLength(5);
  });
});
