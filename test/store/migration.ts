/** A database for tests of migrations, with a connection that can fail. */
import { beforeEach, expect } from 'vitest';
import type { Collection, IndexDescription } from 'mongodb';
import type { IndexChange } from '../../store/migrate.ts';
import { openMongo } from '../../store/mongo.ts';
import type { CollectionName, Mongo } from '../../store/mongo.ts';
import { requireIndexes, surveyIndexes } from '../../store/survey.ts';
import { closeAfterTests } from '../support/close.ts';
import { openWire } from '../support/servers/wire.ts';
import type { Wire } from '../support/servers/wire.ts';
import { useDatabase } from './database.ts';
import type { Database } from './database.ts';

export interface Ground {
  readonly database: Database;
  readonly wire: Wire;
  /** The database over the connection that can fail. */
  readonly mongo: Mongo;
  /** Returns a collection over another connection. */
  raw(name: CollectionName): Collection;
  namesOf(name: CollectionName): Promise<string[]>;
  /** Replaces the index of that name by another one. */
  putInPlace(name: CollectionName, spec: IndexDescription & { name: string }): Promise<void>;
  /** Expects the indexes of this version, and none of earlier versions. */
  expectMigrated(): Promise<void>;
}

/** Opens a database for the calling file, and empties it before each test. */
export async function useGround(file: string): Promise<Ground> {
  const database = await useDatabase(file);
  const wire = closeAfterTests(await openWire(database.uri));
  const at = { uri: wire.uri, dbName: database.name, patient: true };
  const mongo = closeAfterTests(await openMongo(at));
  const raw: Ground['raw'] = (collection) =>
    database.raw.collection(database.mongo[collection].collectionName);
  const namesOf: Ground['namesOf'] = async (collection) =>
    (await raw(collection).indexes()).map(({ name: index }) => index ?? '');
  beforeEach(async () => {
    wire.setRules();
    await database.raw.dropDatabase();
    wire.seen.length = 0;
  });
  return {
    database,
    wire,
    mongo,
    raw,
    namesOf,
    async putInPlace(collection, { name: index, ...spec }) {
      if ((await namesOf(collection)).includes(index)) await raw(collection).dropIndex(index);
      await raw(collection).createIndexes([{ ...spec, name: index }]);
    },
    async expectMigrated() {
      await requireIndexes(mongo);
      const findings = await surveyIndexes(mongo);
      expect(findings.filter(({ state }) => state !== 'foreign')).toEqual([]);
    },
  };
}

/** Returns the indexes of that state, with their collections. */
export function ofState(
  changes: readonly IndexChange[],
  state: IndexChange['state'],
): readonly string[] {
  return changes
    .filter((change) => change.state === state)
    .map(({ collection, index }) => `${collection}.${index}`);
}
