/** Users of the dashboard, and the links by which people join or set a new password. */
import { createHash } from 'node:crypto';
import type { AuditEntry } from '../domain/audit.ts';
import { MAX_TEAM, isReset, may, roleOf } from '../domain/user.ts';
import type { InviteLink, User } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import { lockMerchant } from './merchants.ts';
import { mintToken } from './mint.ts';
import type { Mongo, Session } from './mongo.ts';

/** Returns a new token and the hash under which its session or invitation is stored. */
export function makeToken(): { token: string; hash: string } {
  const token = mintToken();
  return { token, hash: hashOfToken(token) };
}

export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

export async function userByEmail(mongo: Mongo, email: string): Promise<User | null> {
  return mongo.users.findOne({ email });
}

export async function userById(mongo: Mongo, id: string): Promise<User | null> {
  return mongo.users.findOne({ _id: id });
}

/** Returns the e-mail addresses of a merchant's users by their ids. */
export async function emailsOf(mongo: Mongo, merchantId: string, ids: readonly string[]) {
  const named = { _id: { $in: [...new Set(ids)] }, merchant_id: merchantId };
  const rows = ids.length === 0 ? [] : await mongo.users.find(named).toArray();
  return new Map(rows.map(({ _id, email }) => [_id, email]));
}

/** Returns a merchant's users, newest first. */
export async function listUsers(mongo: Mongo, merchantId: string): Promise<User[]> {
  return mongo.users.find({ merchant_id: merchantId }).sort({ _id: -1 }).toArray();
}

/** Sets fields of a merchant's user. Returns false if the merchant has no such user. */
export async function updateUser(
  mongo: Mongo,
  { _id, merchant_id }: Pick<User, '_id' | 'merchant_id'>,
  set: Pick<User, 'locale'>,
): Promise<boolean> {
  const written = await mongo.users.updateOne({ _id, merchant_id }, { $set: set });
  return written.matchedCount === 1;
}

/**
 * Changes a user's role, or removes the user if `role` is null, and ends the user's sessions.
 * Returns `last_owner` and changes nothing if no owner would be left.
 */
export async function changeMember(
  mongo: Mongo,
  user: User,
  { role, entry }: { role: NonNullable<User['role']> | null; entry: AuditEntry },
): Promise<'changed' | 'missing' | 'last_owner'> {
  const { _id, merchant_id: merchantId, email } = user;
  const epoch = mintToken();
  return mongo.transact(async (session) => {
    // Two owners who remove each other at once conflict here.
    await lockMerchant(mongo, session, { merchantId, counter: 'user_changes' });
    const all = await mongo.users.find({ merchant_id: merchantId }, { session }).toArray();
    if (!all.some((each) => each._id === _id)) return 'missing';
    const owners = all.filter((each) => roleOf(each) === 'owner');
    if (role !== 'owner' && owners.every((each) => each._id === _id)) return 'last_owner';
    if (role === null) await mongo.users.deleteOne({ _id }, { session });
    else await mongo.users.updateOne({ _id }, { $set: { role, epoch } }, { session });
    await mongo.sessions.deleteMany({ user_id: _id }, { session });
    if (role === null) {
      await mongo.passkeys.deleteMany({ user_id: _id }, { session });
      await mongo.invites.deleteMany({ merchant_id: merchantId, email }, { session });
    }
    if (role === null || !may(role, 'team.write')) {
      // Otherwise the user could come back by a link to an address of their own.
      const made = { merchant_id: merchantId, created_by: _id };
      await mongo.invites.deleteMany(made, { session });
    }
    await insertAudit(mongo, session, entry);
    return 'changed';
  });
}

/**
 * Inserts a link, which replaces earlier ones to the same address. Inserts none, and returns the
 * reason, if its maker may not change the team any more, or if the team is full.
 */
export async function insertInvite(
  mongo: Mongo,
  invite: InviteLink,
  entry: AuditEntry,
): Promise<'inserted' | 'not_allowed' | 'full'> {
  const { merchant_id, email } = invite;
  return mongo.transact(async (session) => {
    const reason = await reasonAgainst(mongo, session, invite);
    if (reason) return reason;
    await mongo.invites.deleteMany({ merchant_id, email }, { session });
    await mongo.invites.insertOne(invite, { session });
    await insertAudit(mongo, session, entry);
    return 'inserted';
  });
}

async function reasonAgainst(
  mongo: Mongo,
  session: Session,
  invite: InviteLink,
): Promise<'not_allowed' | 'full' | undefined> {
  const { merchant_id, email, created_by: maker } = invite;
  if (merchant_id === null) return undefined;
  // Two invitations at once conflict here, and so does the removal of the maker.
  await lockMerchant(mongo, session, { merchantId: merchant_id, counter: 'user_changes' });
  const users = await mongo.users.find({ merchant_id }, { session }).toArray();
  const by = users.find(({ _id }) => _id === maker);
  if (maker !== undefined && !(by && may(roleOf(by), 'team.write'))) return 'not_allowed';
  if (isReset(invite)) return undefined;
  const links = await mongo.invites.find({ merchant_id }, { session }).toArray();
  const invited = links.filter((link) => !isReset(link) && link.email !== email);
  return users.length + invited.length >= MAX_TEAM ? 'full' : undefined;
}

/** Returns the links of the hashes, with those that have expired. */
export async function findInvites(
  mongo: Mongo,
  hashes: readonly string[],
): Promise<Map<string, InviteLink>> {
  const rows = await mongo.invites.find({ _id: { $in: [...hashes] } }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Returns a merchant's invitations that are not used yet, without links of existing users. */
export async function listInvites(mongo: Mongo, merchantId: string, now: Date) {
  const filter = { merchant_id: merchantId, expires_at: { $gt: now } };
  const links = await mongo.invites.find(filter).toArray();
  return links.filter((link) => !isReset(link));
}

/** Returns a merchant's invitation; null for another merchant's, and for a link of a user. */
export async function inviteOf(
  mongo: Mongo,
  merchantId: string,
  id: string,
): Promise<InviteLink | null> {
  const link = await mongo.invites.findOne({ _id: id, merchant_id: merchantId });
  return link && isReset(link) ? null : link;
}

/** Deletes an invitation. Returns false if it is gone already. */
export async function deleteInvite(
  mongo: Mongo,
  { _id }: Pick<InviteLink, '_id'>,
  entry: AuditEntry,
): Promise<boolean> {
  return mongo.transact(async (session) => {
    const deleted = await mongo.invites.deleteOne({ _id }, { session });
    if (deleted.deletedCount === 0) return false;
    await insertAudit(mongo, session, entry);
    return true;
  });
}

/**
 * Inserts the invited user, and uses the invitation up. Returns false if it was used meanwhile.
 * Throws the duplicate of `email` if the address is taken.
 */
export async function acceptInvite(
  mongo: Mongo,
  invite: InviteLink,
  { user, entry }: { user: User; entry: AuditEntry },
): Promise<boolean> {
  return mongo.transact(async (session) => {
    const used = await mongo.invites.deleteOne({ _id: invite._id }, { session });
    if (used.deletedCount === 0) return false;
    await mongo.users.insertOne(user, { session });
    await insertAudit(mongo, session, entry);
    return true;
  });
}
