/** The behaviour of `migrate` with a server that refuses, is busy, or takes long. */
import { describe, expect, it } from 'vitest';
import type { Document } from 'mongodb';
import { INDEXES } from '../../store/indexes.ts';
import { migrateIndexes } from '../../store/migrate.ts';
import type { IndexProgress } from '../../store/migrate.ts';
import { isUnavailable } from '../../store/mongo.ts';
import { until } from '../support/until.ts';
import { failing, failingLate } from '../support/servers/wire.ts';
import { rejection } from './database.ts';
import { ofState, useGround } from './migration.ts';

const ground = await useGround('migrate-refused');

describe('migrateIndexes during another migration', () => {
  it.each([
    [285, 'IndexBuildAlreadyInProgress'],
    [12_587, 'BackgroundOperationInProgressForNamespace'],
  ])('waits while the server returns %i %s', async (code, name) => {
    ground.wire.setRules({ commands: ['createIndexes'], times: 2, reply: failing(code, name) });
    expect(ofState(await migrateIndexes(ground.mongo), 'failed')).toEqual([]);
    await ground.expectMigrated();
  });

  it.each([
    [85, 'IndexOptionsConflict'],
    [86, 'IndexKeySpecsConflict'],
    [276, 'IndexBuildAborted'],
  ])('surveys again after %i %s', async (code, name) => {
    // The other migration has built the indexes meanwhile.
    ground.wire.setRules({ commands: ['createIndexes'], times: 1, reply: failingLate(code, name) });
    expect(ofState(await migrateIndexes(ground.mongo), 'failed')).toEqual([]);
    await ground.expectMigrated();
  });

  it('counts a missing index as dropped', async () => {
    await migrateIndexes(ground.mongo);
    await ground.putInPlace('users', { key: { email: 1, name: 1 }, name: 'email_1_2' });
    const reply = failingLate(27, 'IndexNotFound');
    ground.wire.setRules({ commands: ['dropIndexes'], times: 1, reply });
    expect(await migrateIndexes(ground.mongo)).toEqual([]);
    await ground.expectMigrated();
  });
});

describe('migrateIndexes on a server that refuses', () => {
  it('drops the old index first if both cannot exist together', async () => {
    await migrateIndexes(ground.mongo);
    const old = { key: { created_at: 1 }, expireAfterSeconds: 60 } as const;
    await ground.putInPlace('requests', { ...old, name: 'created_at_1' });
    // MongoDB refuses a second index that differs only in its lifetime. The stand-in does not.
    const reply = failing(85, 'IndexOptionsConflict');
    ground.wire.setRules({ commands: ['createIndexes'], times: 1, reply });
    const changes = await migrateIndexes(ground.mongo);
    expect(changes.map(({ state }) => state)).toEqual(['dropped', 'created']);
    await ground.expectMigrated();
  });

  it('reports an error that is repeated, for each index', async () => {
    ground.wire.setRules({
      commands: ['createIndexes'],
      reply: failing(86, 'IndexKeySpecsConflict'),
    });
    const changes = await migrateIndexes(ground.mongo);
    expect(ofState(changes, 'failed')).toHaveLength(Object.values(INDEXES).flat().length);
    const reasons = new Set(changes.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(['IndexKeySpecsConflict for the test']));
  });

  it('rejects during an election, and succeeds if it is run again', async () => {
    const reply = failingLate(11_602, 'InterruptedDueToReplStateChange');
    ground.wire.setRules({ commands: ['createIndexes'], times: 1, reply });
    expect(isUnavailable(await rejection(migrateIndexes(ground.mongo)))).toBe(true);
    await migrateIndexes(ground.mongo);
    await ground.expectMigrated();
  });
});

describe('migrateIndexes during a long build', () => {
  it.each<[string, Document, object]>([
    [
      'reports the progress that the server returns',
      {
        ok: 1,
        cursor: {
          id: 0n,
          ns: 'admin.$cmd.aggregate',
          firstBatch: [{ progress: { done: 5, total: 9 } }],
        },
      },
      { collection: 'payments', seconds: expect.any(Number), done: 5, total: 9 },
    ],
    [
      'reports only the time if the server does not permit more',
      failing(13, 'Unauthorized'),
      { collection: 'payments', seconds: expect.any(Number) },
    ],
  ])('%s', async (_, reply, expected) => {
    const reported: IndexProgress[] = [];
    const hold = async (real: Document): Promise<Document> => {
      await until(() => reported.length, Boolean);
      return real;
    };
    ground.wire.setRules(
      { commands: ['createIndexes'], times: 1, reply: hold },
      { commands: ['aggregate'], reply },
    );
    await migrateIndexes(ground.mongo, (progress) => reported.push(progress));
    expect(reported[0]).toEqual(expected);
    await ground.expectMigrated();
  });
});
