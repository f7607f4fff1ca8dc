import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Tollgate, TollgateUsageError } from '../../sdk/index.ts';
import type { RequestOptions, TollgateOptions } from '../../sdk/index.ts';
import { API_KEY, errorOf, PAYMENT, Service } from './service.ts';

const service = new Service();
beforeAll(() => service.start());
afterAll(() => service.stop());

const BODY = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' } as const;
const good = { apiKey: API_KEY, baseUrl: 'https://api.pay.example' };

describe('new Tollgate', () => {
  it.each([
    ['no key', { apiKey: undefined }, /apiKey is missing/],
    ['an empty key', { apiKey: ' ' }, /apiKey is missing/],
    ['a publishable key', { apiKey: 'pk_test_abc' }, /publishable/],
    ['a webhook secret', { apiKey: 'whsec_abc' }, /webhook secret/],
    ['a key with a line break', { apiKey: `${API_KEY}\n` }, /without spaces/],
    ['a key of another service', { apiKey: 'rk_test_abc' }, /sk_test_/],
    ['no address', { baseUrl: undefined }, /baseUrl/],
    ['an address without a protocol', { baseUrl: 'api.pay.example' }, /http or https/],
    ['another protocol', { baseUrl: 'ftp://api.pay.example' }, /http or https/],
    ['a user in the address', { baseUrl: 'https://me:pw@api.pay.example' }, /user/],
    ['a query', { baseUrl: 'https://api.pay.example/?a=1' }, /query/],
    ['the version', { baseUrl: 'https://api.pay.example/v1/' }, /\/v1/],
    ['a timeout of 0', { timeoutMs: 0 }, /timeoutMs/],
    ['an infinite timeout', { timeoutMs: Infinity }, /timeoutMs/],
    ['a fetch that is not a function', { fetch: {} }, /fetch/],
    ['a fractional number of retries', { maxRetries: 0.5 }, /maxRetries/],
    ['a negative number of retries', { maxRetries: -1 }, /maxRetries/],
    ['a wait that is NaN', { retryDelayMs: Number.NaN }, /retryDelayMs/],
  ])('refuses %s, without showing the key', (_, wrong, message) => {
    const options = { ...good, ...wrong } as TollgateOptions;
    const construct = () => new Tollgate(options);
    expect(construct).toThrow(TollgateUsageError);
    expect(construct).toThrow(message);
    expect(construct).not.toThrow(/abc/);
  });

  it('refuses missing options', () => {
    expect(() => new Tollgate(undefined as never)).toThrow(TollgateUsageError);
  });

  it('accepts an address with a path and trailing slashes', async () => {
    const client = service.client({ baseUrl: `${service.url}/pay//` });
    await client.payments.retrieve(PAYMENT.id);
    expect(service.seen.at(-1)?.path).toBe(`/pay/v1/payments/${PAYMENT.id}`);
  });

  it('uses the given fetch', async () => {
    const urls: string[] = [];
    const client = service.client({
      fetch: async (input, init) => {
        urls.push(input as string);
        return fetch(input, init);
      },
    });
    await client.payments.retrieve(PAYMENT.id);
    expect(urls).toEqual([`${service.url}/v1/payments/${PAYMENT.id}`]);
  });
});

describe('a call', () => {
  it.each(['', ' ', '..', '.', '\ud800', undefined, null])('refuses the id %j', async (wrong) => {
    const id = wrong as string;
    const client = service.client();
    const before = service.seen.length;
    const calls = [
      client.payments.retrieve(id),
      client.payments.cancel(id),
      client.refunds.retrieve(id),
      client.events.retrieve(id),
      client.webhookEndpoints.retrieve(id),
      client.test.outcome(id, 'approve'),
      client.test.advance(id, 'expiry'),
    ];
    for (const call of calls) expect(await errorOf(call)).toBeInstanceOf(TollgateUsageError);
    expect(service.seen).toHaveLength(before);
  });

  it('encodes the id, so that it cannot change the path', async () => {
    await service.client().payments.retrieve('../refunds?x=1#ü');
    expect(service.seen.at(-1)?.path).toBe('/v1/payments/..%2Frefunds%3Fx%3D1%23%C3%BC');
  });

  it.each<[string, RequestOptions]>([
    ['an empty key', { idempotencyKey: '' }],
    ['a key with a space', { idempotencyKey: 'order 1' }],
    ['a key of 256 characters', { idempotencyKey: 'x'.repeat(256) }],
    ['a negative timeout', { timeoutMs: -1 }],
    ['too many retries', { maxRetries: 21 }],
  ])('refuses %s, and sends no request', async (_, options) => {
    const before = service.seen.length;
    const error = await errorOf(service.client().payments.create(BODY, options));
    expect(error).toBeInstanceOf(TollgateUsageError);
    expect(service.seen).toHaveLength(before);
  });

  it('refuses parameters that JSON cannot represent', async () => {
    const body = { ...BODY, amount: 12_500n as never };
    expect(await errorOf(service.client().payments.create(body))).toBeInstanceOf(
      TollgateUsageError,
    );
  });

  it('sends the given key, and otherwise a new one for each call', async () => {
    const { payments } = service.client();
    await payments.create(BODY, { idempotencyKey: 'order-1001' });
    await payments.create(BODY);
    await payments.cancel(PAYMENT.id);
    const keys = service.seen.slice(-3).map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe('order-1001');
    expect(new Set(keys).size).toBe(3);
  });
});
