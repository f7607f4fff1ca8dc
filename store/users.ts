/** Users of the dashboard, the links that invite them, and their sessions. */
import { createHash } from 'node:crypto';
import type { AuditEntry } from '../domain/audit.ts';
import { roleOf } from '../domain/user.ts';
import type { InviteLink, User, UserSession } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import { lockMerchant } from './merchants.ts';
import { mintToken } from './mint.ts';
import type { Mongo } from './mongo.ts';

/** The precision of a session's last use: it saves a write for most requests. */
const SEEN_EVERY_MS = 60_000;

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

/** Returns a merchant's users, newest first. */
export async function listUsers(mongo: Mongo, merchantId: string): Promise<User[]> {
  return mongo.users.find({ merchant_id: merchantId }).sort({ _id: -1 }).toArray();
}

/** Sets fields of a merchant's user. Returns false if the merchant has no such user. */
export async function updateUser(
  mongo: Mongo,
  { _id, merchant_id }: Pick<User, '_id' | 'merchant_id'>,
  set: Partial<Pick<User, 'locale' | 'password_hash'>>,
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
  const { _id, merchant_id: merchantId } = user;
  return mongo.transact(async (session) => {
    // Two owners who remove each other at once conflict here.
    await lockMerchant(mongo, session, { merchantId, counter: 'user_changes' });
    const all = await mongo.users.find({ merchant_id: merchantId }, { session }).toArray();
    if (!all.some((each) => each._id === _id)) return 'missing';
    const owners = all.filter((each) => roleOf(each) === 'owner');
    if (role !== 'owner' && owners.every((each) => each._id === _id)) return 'last_owner';
    if (role === null) await mongo.users.deleteOne({ _id }, { session });
    else await mongo.users.updateOne({ _id }, { $set: { role } }, { session });
    await mongo.sessions.deleteMany({ user_id: _id }, { session });
    await insertAudit(mongo, session, entry);
    return 'changed';
  });
}

/** Inserts an invitation, which replaces earlier ones to the same address. */
export async function insertInvite(
  mongo: Mongo,
  invite: InviteLink,
  entry: AuditEntry | null,
): Promise<void> {
  const { merchant_id, email } = invite;
  await mongo.transact(async (session) => {
    await mongo.invites.deleteMany({ merchant_id, email }, { session });
    await mongo.invites.insertOne(invite, { session });
    if (entry) await insertAudit(mongo, session, entry);
  });
}

/** Returns the invitation of a token, unless it is used, replaced or expired. */
export async function findInvite(
  mongo: Mongo,
  token: string,
  now: Date,
): Promise<InviteLink | null> {
  return mongo.invites.findOne({ _id: hashOfToken(token), expires_at: { $gt: now } });
}

/** Returns a merchant's invitations that are not used yet. */
export async function listInvites(mongo: Mongo, merchantId: string, now: Date) {
  const filter = { merchant_id: merchantId, expires_at: { $gt: now } };
  return mongo.invites.find(filter).toArray();
}

export async function deleteInvite(mongo: Mongo, merchantId: string, id: string): Promise<void> {
  await mongo.invites.deleteOne({ _id: id, merchant_id: merchantId });
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

export async function insertSession(mongo: Mongo, session: UserSession): Promise<void> {
  await mongo.sessions.insertOne(session);
}

/** Returns the sessions of the hashes, with those that are over. */
export async function findSessions(
  mongo: Mongo,
  hashes: readonly string[],
): Promise<Map<string, UserSession>> {
  const rows = await mongo.sessions.find({ _id: { $in: [...hashes] } }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Records the use of a session, at most once a minute. */
export async function touchSession(mongo: Mongo, session: UserSession, now: Date): Promise<void> {
  if (now.getTime() - session.seen_at.getTime() < SEEN_EVERY_MS) return;
  await mongo.sessions.updateOne({ _id: session._id }, { $set: { seen_at: now } });
}

/** Records that the session's user has just entered the password. */
export async function confirmSession(mongo: Mongo, id: string, now: Date): Promise<void> {
  await mongo.sessions.updateOne({ _id: id }, { $set: { confirmed_at: now } });
}

export async function deleteSession(mongo: Mongo, id: string): Promise<void> {
  await mongo.sessions.deleteOne({ _id: id });
}

/** Signs the user out everywhere, except in the session `but` if there is one. */
export async function deleteSessions(mongo: Mongo, userId: string, but?: string): Promise<void> {
  const kept = but === undefined ? {} : { _id: { $ne: but } };
  await mongo.sessions.deleteMany({ user_id: userId, ...kept });
}
