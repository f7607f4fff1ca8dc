/** Ids and keys that one client sends do not delay other merchants. */
import { describe, expect, it } from 'vitest';
import { makeKey } from '../../store/keys.ts';
import { openMongo } from '../../store/mongo.ts';
import { pendingWork } from '../support/pending.ts';
import { retryUnavailable } from '../support/retry.ts';
import { until } from '../support/until.ts';
import { makeTenant, openStand, putPayment, recordingTemporal, serveApi } from './harness.ts';
import type { Tenant } from './harness.ts';

const stand = await openStand('crowding');

describe("refunds that name another merchant's payment", () => {
  it('do not delay the refunds of that merchant', async () => {
    const { mongo, tenant, api } = stand;
    const payment = await putPayment(stand, { status: 'completed' });
    const intruder = await makeTenant(mongo);
    const body = { payment_id: payment._id, amount: 1_000 };
    const refund = async (as: Pick<Tenant, 'secret'>) =>
      (await api.as(as).send('POST', '/v1/refunds', { body })).status;
    const { payments } = mongo;
    const find = payments.find.bind(payments);
    const held = pendingWork();
    let reads = 0;
    payments.find = ((...args: Parameters<typeof find>) => {
      const found = find(...args);
      reads += 1;
      // The first query, an intruder's, hangs, as on a busy database.
      if (reads === 1) {
        const toArray = found.toArray.bind(found);
        found.toArray = async () => held.work().then(toArray);
      }
      return found;
    }) as typeof find;
    try {
      const flood = Array.from({ length: 5 }, async () => refund(intruder));
      await until(
        () => reads,
        (count) => count >= 1,
      );
      const before = await refund(tenant);
      const readsOfOne = reads - 1;
      const after = await refund(tenant);
      expect([before, after]).toEqual([201, 201]);
      // The rest of the flood waits behind the query that hangs.
      expect(reads).toBe(1 + 2 * readsOfOne);
      held.end();
      expect(await Promise.all(flood)).toEqual(Array(5).fill(404));
    } finally {
      held.end();
      Reflect.deleteProperty(payments, 'find');
    }
  });
});

const unknown = (): string => makeKey('mer_nobody', 'test', new Date()).secret;

describe('a flood of made-up keys', () => {
  const FLOOD = 300;

  it('costs few lookups, and a valid key is served at the first try', async () => {
    const uri = process.env['TEST_MONGODB_URI'] ?? '';
    const dbName = `api_guesses_${Date.now().toString(36)}`;
    let finds = 0;
    const monitor = (command: string): void => {
      if (command === 'find') finds += 1;
    };
    const mongo = await retryUnavailable(async () => openMongo({ uri, dbName, monitor }));
    const tenant = await makeTenant(mongo);
    // The address is over its limit from the first request.
    const anonymous = { perSecond: 0.001, burst: 1 };
    const merchant = { perSecond: 10_000, burst: 10_000 };
    const limits = { anonymous, merchant, trustedHops: 0 };
    const api = await serveApi(tenant, { mongo, temporal: recordingTemporal(mongo), limits });
    try {
      const ask = async (secret: string): Promise<number> =>
        (await api.as({ secret }).send('GET', '/v1/currencies')).status;
      const flood = Array.from({ length: FLOOD }, async () => ask(unknown()));
      const served = await ask(tenant.secret);
      const statuses = await Promise.all(flood);
      expect(served).toBe(200);
      expect(statuses.filter((status) => status === 429)).toHaveLength(FLOOD - 1);
      // Keys that arrive in the same tenth of a second share a lookup.
      expect(finds).toBeLessThan(FLOOD / 3);
      finds = 0;
      for (let i = 0; i < 20; i += 1) await ask(`sk_test_malformed_${i}`);
      expect(finds).toBe(0);
    } finally {
      await api.close();
      await mongo.close();
    }
  });

  it('does not delay a revocation: the key’s next request is refused', async () => {
    const { mongo, api } = stand;
    const tenant = await makeTenant(mongo);
    const ask = async (): Promise<number> =>
      (await api.as(tenant).send('GET', '/v1/currencies')).status;
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]));
    await mongo.keys.updateOne(
      { merchant_id: tenant.merchantId },
      { $set: { revoked_at: new Date(Date.now() - 1) } },
    );
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([401]));
  });
});
