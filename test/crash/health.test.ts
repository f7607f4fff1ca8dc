/** A server reports the state of databases that are killed, frozen or lose their data. */
import { afterAll, describe, expect, it } from 'vitest';
import { MongoClient } from 'mongodb';
import { lazyConnection } from '../../temporal/client.ts';
import { startClock } from '../support/clock.ts';
import { startDatabases } from '../support/servers/databases.ts';
import { openDeployment, withDatabase } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

/**
 * In tenths of a second of test/support/clock.ts: five seconds on an idle machine, and three times
 * as long on a busy one, where the databases start slowly.
 */
const LIMIT_TENTHS = 150;
const TEST_LIMIT_MS = 480_000;
/** The time limit of one call to a database that is up. */
const CALL_LIMIT_MS = 4_000;
const NAMESPACE = 'shop';

const databases = closeAfterTests(await startDatabases());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'crash-health',
    env: {
      TEMPORAL_ADDRESS: databases.temporalAddress,
      TEMPORAL_NAMESPACE: NAMESPACE,
      MONGODB_URI: withDatabase(databases.mongoUri, 'tollgate'),
    },
  }),
);
await deployment.server.start();
const clock = startClock(async () => fetch(`${deployment.apiUrl}/livez`));

afterAll(async () => {
  await clock?.stop();
});

/** Returns the HTTP status and the `status` of `GET /readyz`. */
async function readiness(): Promise<string> {
  const response = await fetch(`${deployment.apiUrl}/readyz`);
  const { status } = (await response.json()) as { status: string };
  return `${response.status} ${status}`;
}

/** Waits until the server reports `expected`. Returns the time it took, in tenths of a second. */
async function tenthsUntil(expected: string): Promise<number> {
  const begun = clock.read();
  await until(readiness, (now) => now === expected);
  return clock.read() - begun;
}

/** Returns true if Temporal responds to a new client, with or without the namespace. */
async function isTemporalUp(): Promise<boolean> {
  const connection = lazyConnection({ address: databases.temporalAddress, interceptors: [] });
  const info = connection.withDeadline(Date.now() + CALL_LIMIT_MS, async () =>
    connection.workflowService.getSystemInfo({}),
  );
  const isUp = await info.then(Boolean, () => false);
  await connection.close();
  return isUp;
}

/** Returns true if MongoDB accepts writes from a new client. */
async function isMongoUp(): Promise<boolean> {
  const options = { serverSelectionTimeoutMS: CALL_LIMIT_MS, directConnection: true };
  const client = new MongoClient(databases.mongoUri, options);
  const hello = client.db('admin').command({ hello: 1 });
  const isUp = await hello.then(
    (found) => found['isWritablePrimary'] === true,
    () => false,
  );
  await client.close();
  return isUp;
}

const checks = { temporal: isTemporalUp, mongo: isMongoUp };

describe.each([
  ['temporal', '200 degraded'],
  ['mongo', '503 unavailable'],
] as const)('GET /readyz when %s', (which, failure) => {
  it(
    'is frozen reports that, and later the recovery, within seconds',
    async () => {
      expect(await tenthsUntil('200 ok')).toBeLessThan(LIMIT_TENTHS);
      await databases.freeze(which);
      const failed = await tenthsUntil(failure);
      databases.thaw(which);
      const recovered = await tenthsUntil('200 ok');
      expect([failed, recovered].filter((tenths) => tenths > LIMIT_TENTHS)).toEqual([]);
    },
    TEST_LIMIT_MS,
  );

  it(
    'is killed reports that, and later the recovery, within seconds',
    async () => {
      await tenthsUntil('200 ok');
      await databases.kill(which);
      // Otherwise it would be up again before the server notices.
      await databases.freeze(which);
      const failed = await tenthsUntil(failure);
      databases.thaw(which);
      await until(checks[which], Boolean);
      const recovered = await tenthsUntil('200 ok');
      expect([failed, recovered].filter((tenths) => tenths > LIMIT_TENTHS)).toEqual([]);
    },
    TEST_LIMIT_MS,
  );
});

describe('a namespace that Temporal has lost', () => {
  it('is registered again by the server without any request', async () => {
    await until(readiness, (now) => now === '200 ok');
    const connection = lazyConnection({ address: databases.temporalAddress });
    const exists = async (): Promise<boolean> =>
      connection.workflowService.describeNamespace({ namespace: NAMESPACE }).then(
        () => true,
        () => false,
      );
    await connection.operatorService.deleteNamespace({ namespace: NAMESPACE });
    await until(exists, Boolean);
    await connection.close();
  });
});

describe('GET /readyz when Temporal has lost its data', () => {
  it(
    'reports the recovery within seconds, with a namespace that accepts payments',
    async () => {
      const merchant = await deployment.createMerchant();
      const lost = databases.loseTemporal();
      const failed = await tenthsUntil('200 degraded');
      await until(isTemporalUp, Boolean);
      const recovered = await tenthsUntil('200 ok');
      await lost;
      expect([failed, recovered].filter((tenths) => tenths > LIMIT_TENTHS)).toEqual([]);
      const { id } = await merchant.create('after');
      const connection = lazyConnection({ address: databases.temporalAddress });
      const execution = { workflowId: id };
      const found = await connection.workflowService.describeWorkflowExecution({
        namespace: NAMESPACE,
        execution,
      });
      await connection.close();
      expect(found.workflowExecutionInfo?.type?.name).toBe('payment');
    },
    TEST_LIMIT_MS,
  );
});
