import { describe, expect, it } from 'vitest';
import { INDEXES, KEPT, RETIRED } from '../../store/indexes.ts';
import { migrateIndexes } from '../../store/migrate.ts';
import { openMongo } from '../../store/mongo.ts';
import type { CollectionName } from '../../store/mongo.ts';
import { surveyIndexes } from '../../store/survey.ts';
import { rejection } from './database.ts';
import { ofState, useGround } from './migration.ts';

const ground = await useGround('migrate');

describe('migrateIndexes', () => {
  it('creates every index in an empty database, and none the second time', async () => {
    const changes = await migrateIndexes(ground.mongo);
    expect(ofState(changes, 'created')).toHaveLength(Object.values(INDEXES).flat().length);
    await ground.expectMigrated();
    ground.wire.seen.length = 0;
    expect(await migrateIndexes(ground.mongo)).toEqual([]);
    expect(new Set(ground.wire.seen)).toEqual(new Set(['listIndexes']));
  });

  it('builds the indexes of one collection together', async () => {
    await migrateIndexes(ground.mongo);
    const busy = Object.values(INDEXES).filter(({ length }) => length > 0);
    const builds = ground.wire.seen.filter((each) => each === 'createIndexes');
    expect(builds).toHaveLength(busy.length);
  });

  it('builds a changed index before it drops the old one', async () => {
    await migrateIndexes(ground.mongo);
    const old = { key: { email: 1 }, name: 'email_1', unique: true, sparse: true } as const;
    await ground.putInPlace('users', old);
    ground.wire.seen.length = 0;
    const changes = await migrateIndexes(ground.mongo);
    expect(changes).toEqual([
      { collection: 'users', index: 'email_1', state: 'created' },
      { collection: 'users', index: 'email_1', state: 'dropped' },
    ]);
    const done = ground.wire.seen.filter((each) => each !== 'listIndexes');
    expect(done).toEqual(['createIndexes', 'dropIndexes']);
    await ground.expectMigrated();
    expect(await ground.namesOf('users')).toContain('email_1_2');
    // The next change of the index uses the first name again.
    await ground.putInPlace('users', { ...old, name: 'email_1_2' });
    await migrateIndexes(ground.mongo);
    await ground.expectMigrated();
    expect(await ground.namesOf('users')).toContain('email_1');
  });

  it.each(Object.entries(RETIRED).flatMap(([name, all]) => all.map((index) => [name, index])))(
    'drops what an earlier version made: %s.%s',
    async (name, index) => {
      await migrateIndexes(ground.mongo);
      await ground.putInPlace(name as CollectionName, { key: { legacy: 1 }, name: index });
      const changes = await migrateIndexes(ground.mongo);
      expect(ofState(changes, 'dropped')).toEqual([`${name}.${index}`]);
      await ground.expectMigrated();
    },
  );

  it.each(Object.entries(KEPT).flatMap(([name, all]) => all.map((index) => [name, index])))(
    'keeps what the version before needs: %s.%s',
    async (name, index) => {
      await migrateIndexes(ground.mongo);
      await ground.putInPlace(name as CollectionName, { key: { legacy: 1 }, name: index });
      expect(await migrateIndexes(ground.mongo)).toEqual([]);
      await ground.expectMigrated();
      expect(await ground.namesOf(name as CollectionName)).toContain(index);
    },
  );

  it('keeps and reports indexes of the operator', async () => {
    await ground.raw('users').createIndex({ created_at: 1 }, { name: 'by_age' });
    expect(ofState(await migrateIndexes(ground.mongo), 'foreign')).toEqual(['users.by_age']);
    expect(ofState(await migrateIndexes(ground.mongo), 'foreign')).toEqual(['users.by_age']);
    await ground.expectMigrated();
  });

  it('reports collection and key of duplicates, and builds all other indexes', async () => {
    await ground.raw('users').insertMany([{ email: 'a@b.example' }, { email: 'a@b.example' }]);
    const changes = await migrateIndexes(ground.mongo);
    const reason = expect.stringMatching(/^Two documents have the same email:/);
    expect(changes.filter(({ state }) => state === 'failed')).toEqual([
      { collection: 'users', index: 'email_1', state: 'failed', reason },
    ]);
    expect(JSON.stringify(changes)).not.toContain('a@b.example');
    const findings = await surveyIndexes(ground.mongo);
    expect(findings.map(({ index, state }) => [index, state])).toEqual([['email_1', 'missing']]);
    await ground.raw('users').deleteOne({ email: 'a@b.example' });
    expect(ofState(await migrateIndexes(ground.mongo), 'created')).toEqual(['users.email_1']);
    await ground.expectMigrated();
  });

  it('keeps the old unique index if the new one cannot be built', async () => {
    await migrateIndexes(ground.mongo);
    const old = { partialFilterExpression: { email: { $gt: 'm' } }, unique: true } as const;
    await ground.putInPlace('users', { key: { email: 1 }, name: 'email_1', ...old });
    await ground.raw('users').insertMany([{ email: 'a@b.example' }, { email: 'a@b.example' }]);
    const changes = await migrateIndexes(ground.mongo);
    expect(ofState(changes, 'failed')).toEqual(['users.email_1']);
    expect(await ground.namesOf('users')).toContain('email_1');
    await ground.raw('users').insertOne({ email: 'z@b.example' });
    expect(await rejection(ground.raw('users').insertOne({ email: 'z@b.example' }))).toMatchObject({
      code: 11_000,
    });
  });

  it('has the same result if several run at once', async () => {
    await migrateIndexes(ground.mongo);
    await ground.raw('events').dropIndexes();
    await ground.putInPlace('users', { key: { email: 1 }, name: 'email_1' });
    await ground.putInPlace('payments', { key: { due_at: -1 }, name: 'due_at_1' });
    const others = await Promise.all(
      Array.from({ length: 4 }, async () =>
        openMongo({ uri: ground.database.uri, dbName: ground.database.name }),
      ),
    );
    const all = await Promise.all(others.map(async (other) => migrateIndexes(other)));
    expect(all.flatMap((changes) => ofState(changes, 'failed'))).toEqual([]);
    await ground.expectMigrated();
    await Promise.all(others.map(async (other) => other.close()));
  });
});
