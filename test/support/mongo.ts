/** A database that is ready for use, as `tollgate migrate` leaves it. */
import { migrateIndexes } from '../../store/migrate.ts';
import { openMongo } from '../../store/mongo.ts';
import type { Mongo, MongoOptions } from '../../store/mongo.ts';
import { insist } from './insist.ts';

/** Opens a database and makes its indexes. */
export async function openMigrated(options: MongoOptions): Promise<Mongo> {
  const mongo = await insist(async () => openMongo(options));
  // A disk that stands still for some seconds holds up the indexes of a new database.
  await insist(async () => migrateIndexes(mongo));
  return mongo;
}
