/** Merchants and the people of their staff. */
import type { ApiKey, Merchant, User } from '../domain/merchant.ts';
import type { Mongo } from './mongo.ts';

/**
 * Inserts a merchant with its first user and first key, all or nothing. Throws the duplicate of
 * `email` when that is taken.
 */
export async function insertMerchant(
  mongo: Mongo,
  { merchant, user, key }: { merchant: Merchant; user: User; key: ApiKey },
): Promise<void> {
  await mongo.transact(async (session) => {
    await mongo.merchants.insertOne(merchant, { session });
    await mongo.users.insertOne(user, { session });
    await mongo.keys.insertOne(key, { session });
  });
}

export async function findMerchant(mongo: Mongo, id: string): Promise<Merchant | null> {
  return mongo.merchants.findOne({ _id: id });
}
