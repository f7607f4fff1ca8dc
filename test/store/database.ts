/** A separate database for each test file, dropped when the file is done. */
import { afterAll, describe } from 'vitest';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import type { Mongo } from '../../store/mongo.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { testServers } from '../support/run.ts';

export interface Database {
  readonly uri: string;
  readonly name: string;
  /** The database as the program uses it. */
  readonly mongo: Mongo;
  /** The database over another connection, to check it. */
  readonly raw: Db;
}

/** Opens a database for the calling file, and drops it after the file's tests. */
export async function useDatabase(file: string): Promise<Database> {
  const { mongoUri: uri } = testServers();
  const mongo = closeAfterTests(await openDatabase(file));
  const name = mongo.db.databaseName;
  const observer = closeAfterTests(new MongoClient(uri));
  const raw = observer.db(name);
  afterAll(async () => raw.dropDatabase());
  return { uri, name, mongo, raw };
}

/**
 * Returns `describe`, or `describe.skip` without a real MongoDB. Its stand-in has another query
 * planner, so the plans of `explain` cannot be tested there.
 */
export async function describeOnRealServer({
  uri,
}: Database): Promise<(name: string, tests: () => void) => void> {
  const client = new MongoClient(uri);
  const { secantusVersion } = await client.db().command({ buildInfo: 1 });
  await client.close();
  return secantusVersion === undefined ? describe : describe.skip;
}

/** Returns the rejection of a promise. Throws if the promise is fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('The promise was fulfilled.');
    },
    (error: unknown) => error,
  );
}
