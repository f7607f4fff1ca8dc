/** Temporal loses its data, and both databases are killed under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { payWithOutcome } from '../support/customer.ts';
import { startDatabases } from '../support/servers/databases.ts';
import type { Merchant, PublicEvent } from '../support/merchant.ts';
import { openDeployment, withDatabase } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import {
  STORM_LIMIT_MS,
  buyDuring,
  createWithRetries,
  expectConsistent,
  payWithRetries,
} from './paymentstorm.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

/** A worker checks the schedule of the sweep every 30 s. The sweep then starts what is due. */
const REBUILD_LIMIT_MS = 180_000;
/** Restarts take a second or two, so the next kill often hits running programs. */
const MAX_PAUSE_MS = 4_000;
/** Long enough to be accepted by a busy server. Temporal has lost the payment by then. */
const LIFETIME_MS = 20_000;
const CLIENTS = 8;

const databases = closeAfterTests(await startDatabases());
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'crash-databases',
    env: {
      TEMPORAL_ADDRESS: databases.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      MONGODB_URI: withDatabase(databases.mongoUri, 'tollgate'),
      // The second attempt is due after Temporal has lost its data.
      WEBHOOK_SCHEDULE: '0,20,20,20',
    },
  }),
);
await deployment.start();

/** Waits for the status. Returns the payment's events. */
async function untilStatus(merchant: Merchant, id: string, status: string): Promise<PublicEvent[]> {
  const read = async () => (await merchant.retrieve(id)).status;
  await until(read, (now) => now === status, REBUILD_LIMIT_MS);
  return merchant.events(id);
}

describe('Temporal that has lost its data', () => {
  it(
    'is rebuilt: open payments can be paid and expire, and pending deliveries continue',
    async () => {
      const merchant = await deployment.createMerchant(receiver.url);
      const requestsAbout = (id: string) =>
        receiver.requests.filter((request) => {
          return verify(request, merchant.secret).data.object.id === id;
        });
      const [finished, pending, paid] = await Promise.all(
        ['finished', 'pending', 'paid'].map(async (key) => merchant.create(key)),
      );
      // The first attempt fails, a later one succeeds.
      receiver.respond = (_, { headers }) => ({
        status: headers['service-attempt'] === '1' ? 503 : 200,
      });
      await payWithOutcome(pending!, 'approve');
      await until(() => requestsAbout(pending!.id).length, Boolean, REBUILD_LIMIT_MS);
      receiver.respond = () => ({ status: 200 });
      await payWithOutcome(finished!, 'approve');
      await untilStatus(merchant, finished!.id, 'completed');
      await until(() => requestsAbout(finished!.id).length, Boolean, REBUILD_LIMIT_MS);
      const before = [await merchant.retrieve(finished!.id), await merchant.events(finished!.id)];
      const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
      const expiring = await merchant.create('expiring', { expires_at: expiresAt });

      await databases.loseTemporal();

      await payWithRetries(merchant, paid!);
      expect(await untilStatus(merchant, paid!.id, 'completed')).toHaveLength(1);
      const fresh = await createWithRetries(merchant, 'fresh');
      await payWithRetries(merchant, fresh);
      expect(await untilStatus(merchant, expiring.id, 'expired')).toHaveLength(1);
      await until(
        () => requestsAbout(pending!.id).length,
        (count) => count >= 2,
        REBUILD_LIMIT_MS,
      );
      expect(requestsAbout(pending!.id).map(({ headers }) => headers['service-attempt'])).toEqual([
        '1',
        '2',
      ]);
      for (const { id } of [paid!, fresh, expiring]) {
        await until(() => requestsAbout(id).length, Boolean, REBUILD_LIMIT_MS);
        expect(requestsAbout(id)).toHaveLength(1);
      }
      const after = [await merchant.retrieve(finished!.id), await merchant.events(finished!.id)];
      expect(after).toEqual(before);
      expect(requestsAbout(finished!.id)).toHaveLength(1);
    },
    4 * REBUILD_LIMIT_MS,
  );
});

/** Kills each database twice. */
async function killDatabases(): Promise<void> {
  for (const which of ['mongo', 'temporal', 'mongo', 'temporal'] as const) {
    await databases.kill(which);
    await sleep(Math.random() * MAX_PAUSE_MS);
  }
}

describe('databases that are killed under load', () => {
  it(
    'lose no accepted payment, and leave none unfinished',
    async () => {
      receiver.respond = () => ({ status: 200 });
      const own = await openReceiver();
      const merchant = await deployment.createMerchant(own.url);
      const buy = async (key: string) => {
        const payment = await createWithRetries(merchant, key);
        await payWithRetries(merchant, payment);
        return payment;
      };
      const payments = await buyDuring(killDatabases(), { count: CLIENTS, buy });
      await expectConsistent(deployment, { merchant, receiver: own }, payments);
      await own.close();
    },
    2 * STORM_LIMIT_MS,
  );
});
