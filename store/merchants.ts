/** Merchants and their staff. */
import type { AuditEntry } from '../domain/audit.ts';
import type { ApiKey, Merchant } from '../domain/merchant.ts';
import type { InviteLink, User } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import type { Mongo, Session } from './mongo.ts';
import { makeRead } from './together.ts';

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

/** The settings that a merchant can change. */
export type MerchantSettings = Partial<
  Pick<Merchant, 'name' | 'locale' | 'lifetime_ms' | 'colour' | 'requires_second_step'>
>;

/**
 * Changes settings, and inserts the audit entry that `compose` returns for the fields that differ.
 * Returns the merchant, or null if it does not exist. Writes nothing if no field differs.
 */
export async function changeMerchant(
  mongo: Mongo,
  id: string,
  {
    set,
    compose,
  }: {
    set: MerchantSettings;
    compose: (before: MerchantSettings, after: MerchantSettings) => AuditEntry;
  },
): Promise<Merchant | null> {
  return mongo.transact(async (session) => {
    const merchant = await mongo.merchants.findOne({ _id: id }, { session });
    if (!merchant) return null;
    const names = (Object.keys(set) as (keyof MerchantSettings)[]).filter(
      (name) => set[name] !== merchant[name],
    );
    if (names.length === 0) return merchant;
    const pick = (from: MerchantSettings): MerchantSettings =>
      Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
    await mongo.merchants.updateOne({ _id: id }, { $set: pick(set) }, { session });
    await insertAudit(mongo, session, compose(pick(merchant), pick(set)));
    return { ...merchant, ...set };
  });
}

export const findMerchant = makeRead<Merchant>(async (mongo, ids) =>
  mongo.merchants.find({ _id: { $in: [...ids] } }).toArray(),
);
