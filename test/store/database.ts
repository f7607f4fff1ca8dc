/** A database of its own for each test file, dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import type { Mongo } from '../../store/mongo.ts';
import { openMigrated } from '../support/mongo.ts';

export interface Database {
  readonly uri: string;
  readonly name: string;
  /** As the program sees it. */
  mongo: Mongo;
  /** As an onlooker sees it. */
  raw: Db;
}

/** Opens a fresh database before the tests of the file that calls it. */
export function useDatabase(name: string): Database {
  const uri = process.env['TEST_MONGODB_URI'] ?? '';
  const database = { uri, name: `${name}_${randomBytes(4).toString('hex')}` } as Database;
  const onlooker = new MongoClient(uri);
  beforeAll(async () => {
    database.mongo = await openMigrated({ uri, dbName: database.name });
    database.raw = onlooker.db(database.name);
  });
  afterAll(async () => {
    await database.raw.dropDatabase();
    await Promise.all([database.mongo.close(), onlooker.close()]);
  });
  return database;
}

/**
 * `describe` where a real MongoDB serves. Its stand-in has a planner of its own, whose plans say
 * nothing about the real one: what `explain` answers cannot be tested there.
 */
export async function describeOnRealServer({
  uri,
}: Database): Promise<(name: string, tests: () => void) => void> {
  const client = new MongoClient(uri);
  const { secantusVersion } = await client.db().command({ buildInfo: 1 });
  await client.close();
  return secantusVersion === undefined ? describe : describe.skip;
}

/** The rejection of a promise that must not be fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('This was expected to be refused.');
    },
    (error: unknown) => error,
  );
}
