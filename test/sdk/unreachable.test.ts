import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/port.ts';
import { errorOf, PAYMENT, Service } from './service.ts';

const service = new Service();
beforeAll(() => service.start());
afterAll(() => service.stop());

describe('the message of a TollgateConnectionError', () => {
  it('names the address, the cause and what to check', async () => {
    const messageAt = async (baseUrl: string): Promise<string> => {
      const client = service.client({ baseUrl, maxRetries: 0 });
      return ((await errorOf(client.payments.retrieve(PAYMENT.id))) as Error).message;
    };
    const closed = `http://127.0.0.1:${await freePort()}`;
    expect(await messageAt(closed)).toBe(
      `${closed} refused the connection. Check that the service runs there, and check baseUrl.`,
    );
    const secure = service.url.replace('http', 'https');
    expect(await messageAt(secure)).toBe(
      `${secure} does not respond with TLS. Check baseUrl: perhaps it must begin with http.`,
    );
    service.play('reset');
    expect(await messageAt(service.url)).toBe(
      `${service.url} closed the connection without a response. Check baseUrl and any proxy.`,
    );
  });

  it.each([
    ['ENOTFOUND', /^https:\/\/pay\.example has a host name that was not found\. Check baseUrl/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate that is not accepted\. Check baseUrl .*_CERT\)/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate that is not accepted/],
    ['toString', /^https:\/\/pay\.example could not be reached\. Check baseUrl/],
  ])('explains %s of the runtime', async (code, message) => {
    const cause = Object.assign(new Error('secret detail'), { code });
    const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause }));
    const client = service.client({ baseUrl: 'https://pay.example', maxRetries: 0, fetch });
    const error = (await errorOf(client.payments.retrieve(PAYMENT.id))) as Error;
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret');
  });
});
