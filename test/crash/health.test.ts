/** A server's report on its dependencies while they die, freeze and lose their data. */
import { afterAll, describe, expect, it } from 'vitest';
import { MongoClient } from 'mongodb';
import { lazyConnection } from '../../temporal/client.ts';
import { startClock } from '../support/clock.ts';
import { startDatabases } from '../support/servers/databases.ts';
import { openStage, withDatabase } from '../support/servers/processes.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/file.ts';

/**
 * Five seconds on a quiet machine, three times as many on a busy one, where the databases' own
 * processes are slow to start. In tenths of test/support/clock.ts.
 */
const LIMIT_TENTHS = 150;
const TEST_LIMIT_MS = 120_000;
const NAMESPACE = 'shop';

const databases = forFile(await startDatabases());
const stage = forFile(
  await openStage({
    file: 'crash-health',
    env: {
      TEMPORAL_ADDRESS: databases.temporalAddress,
      TEMPORAL_NAMESPACE: NAMESPACE,
      MONGODB_URI: withDatabase(databases.mongoUri, 'tollgate'),
    },
  }),
);
await stage.server.start();
const clock = startClock(async () => fetch(`${stage.apiUrl}/livez`));

afterAll(async () => {
  await clock?.stop();
});

/** The status and the word of `GET /readyz`. */
async function readiness(): Promise<string> {
  const answer = await fetch(`${stage.apiUrl}/readyz`);
  const { status } = (await answer.json()) as { status: string };
  return `${answer.status} ${status}`;
}

/** Waits until the server says so, and returns how many tenths of a second it took. */
async function tenthsUntil(said: string): Promise<number> {
  const begun = clock.read();
  await until(readiness, (now) => now === said);
  return clock.read() - begun;
}

/** Whether Temporal answers others, whatever it knows of our namespace. */
async function temporalAnswers(): Promise<boolean> {
  const connection = lazyConnection({ address: databases.temporalAddress, interceptors: [] });
  const asked = connection.withDeadline(Date.now() + 1_000, async () =>
    connection.workflowService.getSystemInfo({}),
  );
  const isThere = await asked.then(Boolean, () => false);
  await connection.close();
  return isThere;
}

/** Whether MongoDB takes writes of others. */
async function mongoAnswers(): Promise<boolean> {
  const options = { serverSelectionTimeoutMS: 500, directConnection: true };
  const client = new MongoClient(databases.mongoUri, options);
  const hello = client.db('admin').command({ hello: 1 });
  const isThere = await hello.then(
    (found) => found['isWritablePrimary'] === true,
    () => false,
  );
  await client.close();
  return isThere;
}

const answers = { temporal: temporalAnswers, mongo: mongoAnswers };

describe.each([
  ['temporal', '200 degraded'],
  ['mongo', '503 unavailable'],
] as const)('GET /readyz, when %s', (which, said) => {
  it(
    'is frozen, reports it within seconds, and reports its return within seconds',
    async () => {
      expect(await tenthsUntil('200 ok')).toBeLessThan(LIMIT_TENTHS);
      await databases.freeze(which);
      const there = await tenthsUntil(said);
      databases.thaw(which);
      const back = await tenthsUntil('200 ok');
      expect([there, back].filter((tenths) => tenths > LIMIT_TENTHS)).toEqual([]);
    },
    TEST_LIMIT_MS,
  );

  it(
    'is killed, reports it within seconds, and reports its return within seconds',
    async () => {
      await tenthsUntil('200 ok');
      await databases.strike(which);
      // It would be back before anyone asks.
      await databases.freeze(which);
      const there = await tenthsUntil(said);
      databases.thaw(which);
      await until(answers[which], Boolean);
      const back = await tenthsUntil('200 ok');
      expect([there, back].filter((tenths) => tenths > LIMIT_TENTHS)).toEqual([]);
    },
    TEST_LIMIT_MS,
  );
});

describe('a namespace that Temporal has lost', () => {
  it('is registered again by the server, though nobody asks whether it is ready', async () => {
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

describe('GET /readyz, when Temporal has lost its data', () => {
  it(
    'reports within seconds that it is back, with a namespace that takes payments again',
    async () => {
      const merchant = await stage.hire();
      const lost = databases.loseTemporal();
      const there = await tenthsUntil('200 degraded');
      await until(temporalAnswers, Boolean);
      const back = await tenthsUntil('200 ok');
      await lost;
      expect([there, back].filter((tenths) => tenths > LIMIT_TENTHS)).toEqual([]);
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
