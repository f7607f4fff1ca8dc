/** Passkeys: public keys with which users sign in, and the challenges that were used. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Passkey } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import { duplicateOf } from './mongo.ts';
import type { Mongo } from './mongo.ts';

/** Returns the user's passkeys. */
export async function passkeysOf(mongo: Mongo, userId: string): Promise<Passkey[]> {
  return mongo.passkeys.find({ user_id: userId }).toArray();
}

/** Returns those of the users who have a passkey. */
export async function usersWithPasskeys(
  mongo: Mongo,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await mongo.passkeys.find({ user_id: { $in: [...userIds] } }).toArray();
  return new Set(rows.map(({ user_id }) => user_id));
}

export async function passkeyById(mongo: Mongo, id: string): Promise<Passkey | null> {
  return mongo.passkeys.findOne({ _id: id });
}

/** Uses a challenge up. Returns false if it was used before. */
export async function useChallenge(
  mongo: Mongo,
  challenge: { readonly _id: string; readonly expires_at: Date },
): Promise<boolean> {
  try {
    await mongo.challenges.insertOne(challenge);
    return true;
  } catch (error) {
    if (duplicateOf(error) === '_id') return false;
    throw error;
  }
}

/** Inserts a passkey. Throws the duplicate of `_id` if it is registered already. */
export async function insertPasskey(
  mongo: Mongo,
  passkey: Passkey,
  entry: AuditEntry,
): Promise<void> {
  await mongo.transact(async (session) => {
    await mongo.passkeys.insertOne(passkey, { session });
    await insertAudit(mongo, session, entry);
  });
}

/**
 * Records the use of a passkey. Returns false, and changes nothing, if it was used or removed
 * since `seen` was read.
 */
export async function usePasskey(
  mongo: Mongo,
  seen: Passkey,
  now: Pick<Passkey, 'counter' | 'last_used_at'>,
): Promise<boolean> {
  const asSeen = { _id: seen._id, user_id: seen.user_id, counter: seen.counter };
  const written = await mongo.passkeys.updateOne(asSeen, { $set: now });
  return written.matchedCount === 1;
}

/** Removes a user's passkey. Returns false if the user has no such passkey. */
export async function deletePasskey(
  mongo: Mongo,
  { _id, user_id }: Pick<Passkey, '_id' | 'user_id'>,
  entry: AuditEntry,
): Promise<boolean> {
  return mongo.transact(async (session) => {
    const deleted = await mongo.passkeys.deleteOne({ _id, user_id }, { session });
    if (deleted.deletedCount === 0) return false;
    await insertAudit(mongo, session, entry);
    return true;
  });
}
