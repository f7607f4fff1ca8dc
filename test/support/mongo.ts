/** Databases of tests, with the indexes that `tollgate migrate` creates. */
import { INDEXES } from '../../store/indexes.ts';
import { openMongo } from '../../store/mongo.ts';
import type { Mongo, MongoOptions } from '../../store/mongo.ts';
import { COLLECTIONS } from '../../store/survey.ts';
import { retryUnavailable } from './retry.ts';
import { privateName, testServers } from './run.ts';

/**
 * Opens a new database with the indexes that `tollgate migrate` creates. Creates them with a third
 * of its commands, because there is nothing to survey. Retries while the database is too busy.
 */
export async function openMigrated(options: MongoOptions): Promise<Mongo> {
  const mongo = await retryUnavailable(async () => openMongo(options));
  const created = COLLECTIONS.map(async (name) =>
    // A disk that stalls for some seconds delays the indexes of a new database.
    retryUnavailable(async () => mongo[name].createIndexes([...INDEXES[name]])),
  );
  await Promise.all(created);
  return mongo;
}

/**
 * Opens a database that no other test file uses. On the run's own server, commands have no time
 * limit, because a busy machine may delay any of them.
 */
export async function openDatabase(
  file: string,
  { uri, ...options }: Partial<MongoOptions> = {},
): Promise<Mongo> {
  const server = uri === undefined ? { uri: testServers().mongoUri, patient: true } : { uri };
  return openMigrated({ ...server, dbName: `test_${privateName(file)}`, ...options });
}
