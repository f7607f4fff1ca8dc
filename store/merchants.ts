/** Merchants and their staff. */
import type { AuditEntry } from '../domain/audit.ts';
import type { ApiKey, Merchant } from '../domain/merchant.ts';
import type { InviteLink, User } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import type { Mongo, Session } from './mongo.ts';

interface NewMerchant {
  readonly merchant: Merchant;
  readonly user: User;
  readonly key?: ApiKey;
  /** The link by which the merchant is created. It is used up. */
  readonly invite?: InviteLink;
  readonly entries: readonly AuditEntry[];
}

/**
 * Inserts a merchant with its first user. Returns false if the link was used meanwhile. Throws the
 * duplicate of `email` if it is taken.
 */
export async function insertMerchant(
  mongo: Mongo,
  { merchant, user, key, invite, entries }: NewMerchant,
): Promise<boolean> {
  return mongo.transact(async (session) => {
    if (invite) {
      const used = await mongo.invites.deleteOne({ _id: invite._id }, { session });
      if (used.deletedCount === 0) return false;
    }
    await mongo.merchants.insertOne(merchant, { session });
    await mongo.users.insertOne(user, { session });
    if (key) await mongo.keys.insertOne(key, { session });
    await insertAudit(mongo, session, ...entries);
    return true;
  });
}

/**
 * Locks the merchant by a write, before an insertion under a limit: of two concurrent insertions,
 * the second then counts the row of the first. Throws if there is no such merchant.
 */
export async function lockMerchant(
  mongo: Mongo,
  session: Session,
  {
    merchantId,
    counter,
  }: { merchantId: string; counter: `${string}_insertions` | `${string}_changes` },
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
