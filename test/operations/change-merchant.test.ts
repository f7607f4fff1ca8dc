import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../domain/merchant.ts';
import { updateMerchant } from '../../operations/change-merchant.ts';
import { createPayment } from '../../operations/create-payment.ts';
import { mintId } from '../../store/mint.ts';
import { recordingTemporal } from '../api/harness.ts';
import { entriesAbout } from '../support/audit.ts';
import { refusalOf } from './endpoints.ts';
import { useGround } from './ground.ts';

const ground = await useGround('change-merchant');
const update = async (options: object) =>
  updateMerchant(ground.services, { merchant: ground.merchant, ...options });

const MINUTE_MS = 60_000;

/** Creates a payment without `expires_at`, and returns its lifetime in minutes. */
async function lifetimeOf(minMs: number): Promise<number> {
  const request = {
    mongo: ground.mongo,
    temporal: recordingTemporal(ground.mongo),
    links: { checkoutUrl: 'https://pay.example' },
    bankTimeoutMs: 900_000,
    lifetime: { minMs },
    tenant: tenantOf(ground.merchant, 'test'),
    initiatedBy: 'api',
    id: mintId('request'),
    key: undefined,
    canonical: '{}',
    now: new Date(),
    endsAtMs: Date.now() + MINUTE_MS,
  } as const;
  const order = { amount: 1_000, currency: 'AMD', return_url: 'https://shop.example/' };
  const { text } = await createPayment(request, { ...order, expires_at: undefined });
  const { created_at, expires_at } = JSON.parse(text) as Record<string, string>;
  return (Date.parse(expires_at!) - Date.parse(created_at!)) / MINUTE_MS;
}

describe('updateMerchant', () => {
  it('refuses an unknown merchant', async () => {
    const merchant = mintId('merchant');
    const done = updateMerchant(ground.services, { merchant, name: 'Tea' });
    expect(await refusalOf(done)).toEqual(['resource_missing', 'merchant']);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ locale: 'de' }, 'locale'],
    [{ lifetimeMinutes: '-5' }, 'lifetime'],
    [{ lifetimeMinutes: '' }, 'lifetime'],
    [{ colour: '#fff' }, 'colour'],
    [{ colour: '#ffffff' }, 'colour'],
  ])('refuses %j', async (options, param) => {
    expect((await refusalOf(update(options)))[1]).toBe(param);
    expect(await entriesAbout(ground.mongo, ground.merchant)).toEqual([]);
  });

  it('changes what is given, and leaves the rest', async () => {
    await update({ name: ' Tea house ', lifetimeMinutes: '90' });
    const shown = await update({ colour: '#0A5C36' });
    expect(shown).toEqual({
      id: ground.merchant,
      name: 'Tea house',
      locale: 'en',
      lifetime_minutes: 90,
      colour: '#0a5c36',
    });
    expect(await entriesAbout(ground.mongo, ground.merchant)).toHaveLength(2);
  });

  it('decides how long new payments live, but never less than the service allows', async () => {
    expect(await lifetimeOf(5 * MINUTE_MS)).toBe(30);
    await update({ lifetimeMinutes: '10' });
    expect(await lifetimeOf(5 * MINUTE_MS)).toBe(10);
    expect(await lifetimeOf(20 * MINUTE_MS)).toBe(20);
  });
});
