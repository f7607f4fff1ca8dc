import { describe, expect, it } from 'vitest';
import { MAX_ENDPOINTS } from '../../domain/endpoint.ts';
import { timeOf } from '../../domain/id.ts';
import { mintId } from '../../store/mint.ts';
import { createEndpoint } from '../../operations/create-endpoint.ts';
import { makeEndpoint, sealer } from '../support/rows/endpoint.ts';
import { refusalOf, useGround } from './endpoints.ts';
import { tenantOf } from '../../domain/merchant.ts';

const ground = await useGround('webhooks_create');
const URL_OF_SHOP = 'https://93.184.215.14/hooks';

const create = async (over: Partial<Parameters<typeof createEndpoint>[1]> = {}) =>
  createEndpoint(ground.services, {
    merchant: ground.merchant,
    url: URL_OF_SHOP,
    events: '*',
    ...over,
  });

describe('createEndpoint', () => {
  it.each<[string, object, string, string]>([
    ['an unknown merchant', { merchant: 'mer_1' }, 'resource_missing', 'merchant'],
    ['an unknown event', { events: 'payment.*, payment.made' }, 'parameter_invalid', 'events'],
    ['a private address', { url: 'http://10.0.0.1/' }, 'url_invalid', 'url'],
    ['userinfo', { url: 'https://user@93.184.215.14/' }, 'url_invalid', 'url'],
    ['another protocol', { url: 'ftp://93.184.215.14/' }, 'url_invalid', 'url'],
    [
      'a description that is too long',
      { description: 'x'.repeat(256) },
      'parameter_invalid',
      'description',
    ],
  ])('refuses %s, and writes nothing', async (_, over, code, param) => {
    expect(await refusalOf(create(over))).toEqual([code, param]);
    expect(await ground.mongo.endpoints.countDocuments({ m: ground.m })).toBe(0);
  });

  it('refuses more endpoints than the maximum, not counting deleted ones', async () => {
    const rows = Array.from({ length: MAX_ENDPOINTS }, () => makeEndpoint({ m: ground.m }));
    await ground.mongo.endpoints.insertMany(rows);
    expect(await refusalOf(create())).toEqual(['parameter_invalid', null]);
    await ground.mongo.endpoints.updateOne({ m: ground.m }, { $set: { status: 'deleted' } });
    expect(await create()).toMatchObject({ id: expect.stringMatching(/^we_/) });
  });

  it('refuses if an endpoint was registered since the person looked', async () => {
    const { id: newest } = await create({ newest: '' });
    expect(await refusalOf(create({ newest: '' }))).toEqual(['parameter_invalid', null]);
    await create({ newest });
    expect(await ground.mongo.endpoints.countDocuments({ m: ground.m })).toBe(2);
  });

  it('returns the secret, and stores it sealed', async () => {
    const { id, secret } = await create({ events: 'payment.*,refund.failed', description: 'Till' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const row = await ground.read({ _id: id });
    expect(row).toMatchObject({
      m: tenantOf(ground.merchant, 'test'),
      url: URL_OF_SHOP,
      description: 'Till',
      enabled_events: ['payment.*', 'refund.failed'],
      status: 'enabled',
      secret_hint: secret.slice(-4),
      created_at: new Date(timeOf(id)),
      failing_since: null,
    });
    expect(JSON.stringify(row)).not.toContain(secret.slice(6, -4));
    expect(sealer.unseal(row.secret, id)).toBe(secret);
    expect(() => sealer.unseal(row.secret, mintId('endpoint'))).toThrow();
  });

  it('accepts a private address in an opened range', async () => {
    const { id } = await create({ url: 'http://127.0.0.1:9000/hooks' });
    expect((await ground.read({ _id: id })).url).toBe('http://127.0.0.1:9000/hooks');
  });
});
