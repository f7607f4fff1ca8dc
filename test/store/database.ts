/** A database of its own for each test file, dropped when the file is done. */
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
  /** The program's view. */
  readonly mongo: Mongo;
  /** An observer's view, over a connection of its own. */
  readonly raw: Db;
}

/** Opens a database for the tests of the file that calls it, and drops it after them. */
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
