/** Temporal loses everything it knew, and both databases die under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { payAs } from '../support/customer.ts';
import { startDatabases } from '../support/servers/databases.ts';
import { inLanes } from '../support/lanes.ts';
import type { Merchant, PublicEvent } from '../support/merchant.ts';
import { openStage, withDatabase } from '../support/servers/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { STORM_LIMIT_MS, createForSure, expectWhole, payForSure } from './paymentstorm.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/file.ts';

/** A worker looks every 30 s whether the sweep is scheduled; then the sweep finds what is due. */
const REBUILD_LIMIT_MS = 90_000;
/** Restarts take a second or two; the second kill meets programs that work again. */
const SPELL_MS = 4_000;
/** When Temporal has long forgotten; a payment that is made a little late is still accepted. */
const EXPIRES_MS = 10_000;
const LANES = 8;

const databases = forFile(await startDatabases());
const receiver = forFile(await openReceiver());
const stage = forFile(
  await openStage({
    file: 'crash-databases',
    env: {
      TEMPORAL_ADDRESS: databases.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      MONGODB_URI: withDatabase(databases.mongoUri, 'tollgate'),
      // The second attempt is due when Temporal has long forgotten the first.
      WEBHOOK_SCHEDULE: '0,8,8,8',
      // No answer is late, however busy the machine: it would be asked for once more.
      WEBHOOK_TIMEOUT_MS: '10000',
    },
  }),
);
await stage.start();

async function untilStatus(merchant: Merchant, id: string, status: string): Promise<PublicEvent[]> {
  const read = async () => (await merchant.retrieve(id)).status;
  await until(read, (now) => now === status, REBUILD_LIMIT_MS);
  return merchant.events(id);
}

describe('Temporal that has lost its database', () => {
  it(
    'is rebuilt: open payments are paid and expire, pending deliveries go on',
    async () => {
      const merchant = await stage.hire(receiver.url);
      const of = (id: string) =>
        receiver.requests.filter((request) => {
          return verify(request, merchant.secret).data.object.id === id;
        });
      const [finished, pending, paid] = await Promise.all(
        ['finished', 'pending', 'paid'].map(async (key) => merchant.create(key)),
      );
      receiver.answer = (_, { headers }) => ({
        status: headers['service-attempt'] === '1' ? 503 : 200,
      });
      await payAs(pending!, 'approve');
      await until(() => of(pending!.id).length, Boolean, REBUILD_LIMIT_MS);
      receiver.answer = () => ({ status: 200 });
      await payAs(finished!, 'approve');
      await untilStatus(merchant, finished!.id, 'completed');
      await until(() => of(finished!.id).length, Boolean, REBUILD_LIMIT_MS);
      const before = [await merchant.retrieve(finished!.id), await merchant.events(finished!.id)];
      const expiresAt = new Date(Date.now() + EXPIRES_MS).toISOString();
      const expiring = await merchant.create('expiring', { expires_at: expiresAt });

      await databases.loseTemporal();

      await payForSure(merchant, paid!);
      expect(await untilStatus(merchant, paid!.id, 'completed')).toHaveLength(1);
      const fresh = await createForSure(merchant, 'fresh');
      await payForSure(merchant, fresh);
      expect(await untilStatus(merchant, expiring.id, 'expired')).toHaveLength(1);
      await until(
        () => of(pending!.id).length,
        (count) => count >= 2,
        REBUILD_LIMIT_MS,
      );
      expect(of(pending!.id).map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2']);
      for (const { id } of [paid!, fresh, expiring]) {
        await until(() => of(id).length, Boolean, REBUILD_LIMIT_MS);
        expect(of(id)).toHaveLength(1);
      }
      const after = [await merchant.retrieve(finished!.id), await merchant.events(finished!.id)];
      expect(after).toEqual(before);
      expect(of(finished!.id)).toHaveLength(1);
    },
    4 * REBUILD_LIMIT_MS,
  );
});

describe('databases that die under load', () => {
  it(
    'lose no payment that was accepted, and leave none stuck',
    async () => {
      receiver.answer = () => ({ status: 200 });
      const own = await openReceiver();
      const merchant = await stage.hire(own.url);
      const over = new AbortController();
      const storm = async (): Promise<void> => {
        for (const which of ['mongo', 'temporal', 'mongo', 'temporal'] as const) {
          await databases.strike(which);
          await sleep(Math.random() * SPELL_MS);
        }
        over.abort();
      };
      const payments: Awaited<ReturnType<typeof createForSure>>[] = [];
      const shop = async (lane: number): Promise<void> => {
        while (!over.signal.aborted) {
          const payment = await createForSure(merchant, `lane-${lane}-${payments.length}`);
          payments.push(payment);
          await payForSure(merchant, payment);
        }
      };
      const lanes = Array.from({ length: LANES }, (_, lane) => lane);
      await Promise.all([storm(), inLanes(lanes, LANES, shop)]);
      await expectWhole(stage, { merchant, receiver: own }, payments);
      await own.close();
    },
    2 * STORM_LIMIT_MS,
  );
});
