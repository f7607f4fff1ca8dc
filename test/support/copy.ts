/** A copy of a database, as of a moment when nobody writes to it. */
import type { Mongo } from '../../store/mongo.ts';

/** Replaces every document of `to` by those of `from`. The indexes stay. */
export async function copyDatabase(from: Mongo, to: Mongo): Promise<void> {
  const names = (await from.db.listCollections().toArray()).map(({ name }) => name);
  for (const name of names) {
    const documents = await from.db.collection(name).find().toArray();
    await to.db.collection(name).deleteMany({});
    if (documents.length > 0) await to.db.collection(name).insertMany(documents);
  }
}
