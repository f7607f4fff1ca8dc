/** Merchants and their staff. */
import type { AuditEntry } from '../domain/audit.ts';
import type { ApiKey, Merchant, User } from '../domain/merchant.ts';
import { insertAudit } from './audit.ts';
import type { Mongo, Session } from './mongo.ts';

interface NewMerchant {
  merchant: Merchant;
  user: User;
  key: ApiKey;
  entries: readonly AuditEntry[];
}

/**
 * Inserts a merchant with its first user and key. Throws the duplicate of `email` if it is taken.
 */
export async function insertMerchant(
  mongo: Mongo,
  { merchant, user, key, entries }: NewMerchant,
): Promise<void> {
  await mongo.transact(async (session) => {
    await mongo.merchants.insertOne(merchant, { session });
    await mongo.users.insertOne(user, { session });
    await mongo.keys.insertOne(key, { session });
    await insertAudit(mongo, session, ...entries);
  });
}

/**
 * Locks the merchant by a write, before an insertion under a limit: of two concurrent insertions,
 * the second then counts the row of the first. Throws if there is no such merchant.
 */
export async function lockMerchant(
  mongo: Mongo,
  session: Session,
  { merchantId, counter }: { merchantId: string; counter: `${string}_insertions` },
): Promise<void> {
  const written = await mongo.merchants.updateOne(
    { _id: merchantId },
    { $inc: { [counter]: 1 } },
    { session },
  );
  if (written.matchedCount === 0) throw new Error(`There is no merchant ${merchantId}.`);
}

export async function findMerchant(mongo: Mongo, id: string): Promise<Merchant | null> {
  return mongo.merchants.findOne({ _id: id });
}
