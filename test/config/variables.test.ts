import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { inConfig } from './inconfig.ts';
import type { Variables } from './inconfig.ts';

const readConfig = async (env: Variables) => inConfig('c.readConfig()', env, tmpdir());

describe('public addresses', () => {
  it('refuses an unencrypted address, with the reason and how to allow it', async () => {
    const fault = await readConfig({ CHECKOUT_URL: 'http://192.168.1.5:8081/' });
    expect(fault).toEqual([
      'ConfigError',
      'CHECKOUT_URL: http://192.168.1.5:8081 sends keys and card data unencrypted; use https, or ' +
        'set ALLOW_HTTP_HOSTS=192.168.1.5 if nobody else can listen on that network',
    ]);
  });

  it('refuses an unencrypted address of a host that is not allowed', async () => {
    const variables = { API_URL: 'http://api.internal', CHECKOUT_URL: 'http://pay.internal' };
    const fault = await readConfig({ ...variables, ALLOW_HTTP_HOSTS: 'api.internal,internal' });
    expect(fault).toEqual(['ConfigError', expect.stringMatching(/^CHECKOUT_URL: [^\n]*$/)]);
  });

  it.each([
    ['http://localhost:9000'],
    ['http://pay.localhost'],
    ['http://127.0.0.1'],
    ['http://127.9.9.9:1'],
    ['http://[::1]:9000'],
    ['http://Shop.Internal:81', 'shop.internal'],
    ['http://shop.internal', '10.0.0.5, SHOP.INTERNAL'],
    ['http://10.0.0.5', '10.0.0.5'],
    ['http://[fd00:0:0::1]', '[fd00::1]'],
  ])('accepts %s (allowed: %s)', async (address, allowed = '') => {
    const config = await readConfig({ CHECKOUT_URL: address, ALLOW_HTTP_HOSTS: allowed });
    expect(config).toMatchObject({ urls: { checkout: new URL(address).href.replace(/\/$/, '') } });
  });
});
