/** The sessions in which users of the dashboard are signed in. */
import type { AuditEntry } from '../domain/audit.ts';
import type { UserSession } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import type { Mongo } from './mongo.ts';

/** The precision of a session's last use: it saves a write for most requests. */
const SEEN_EVERY_MS = 60_000;
/** The most sessions of a user. The page of the account lists all of them. */
const MAX_SESSIONS = 50;
/** The wrong passwords in a row that end a session: it may be in the hands of a stranger. */
const MAX_MISSES = 10;

/**
 * Inserts a session, together with its audit entry if there is one. Ends the session `replaced`,
 * which the same browser had before, and the user's longest unused sessions beyond the limit.
 */
export async function insertSession(
  mongo: Mongo,
  row: UserSession,
  { entry, replaced }: { entry: AuditEntry | null; replaced: string | undefined },
): Promise<void> {
  await endUnused(mongo, row.user_id);
  if (!entry && replaced === undefined) {
    await mongo.sessions.insertOne(row);
    return;
  }
  await mongo.transact(async (session) => {
    if (replaced !== undefined) await mongo.sessions.deleteOne({ _id: replaced }, { session });
    await mongo.sessions.insertOne(row, { session });
    if (entry) await insertAudit(mongo, session, entry);
  });
}

/** Makes room for one more session of the user. */
async function endUnused(mongo: Mongo, userId: string): Promise<void> {
  const sessions = await sessionsOf(mongo, userId);
  const latestFirst = sessions.toSorted((a, b) => b.seen_at.getTime() - a.seen_at.getTime());
  const ids = latestFirst.slice(MAX_SESSIONS - 1).map(({ _id }) => _id);
  if (ids.length > 0) await mongo.sessions.deleteMany({ _id: { $in: ids } });
}

/** Returns the sessions of the hashes, with those that are over. */
export async function findSessions(
  mongo: Mongo,
  hashes: readonly string[],
): Promise<Map<string, UserSession>> {
  const rows = await mongo.sessions.find({ _id: { $in: [...hashes] } }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Returns the user's sessions, with those that are over. */
export async function sessionsOf(mongo: Mongo, userId: string): Promise<UserSession[]> {
  return mongo.sessions.find({ user_id: userId }).toArray();
}

/** Records the use of a session, at most once a minute. */
export async function touchSession(mongo: Mongo, session: UserSession, now: Date): Promise<void> {
  if (now.getTime() - session.seen_at.getTime() < SEEN_EVERY_MS) return;
  await mongo.sessions.updateOne({ _id: session._id }, { $set: { seen_at: now } });
}

/** Records that the session's user has just entered the password. Returns false if it has ended. */
export async function confirmSession(mongo: Mongo, id: string, now: Date): Promise<boolean> {
  const set = { confirmed_at: now, misses: 0 };
  const written = await mongo.sessions.updateOne({ _id: id }, { $set: set });
  return written.matchedCount === 1;
}

/**
 * Counts a wrong password that was entered in a session, and ends the session at the limit. Returns
 * false if it has ended.
 */
export async function countMiss(mongo: Mongo, id: string): Promise<boolean> {
  await mongo.sessions.updateOne({ _id: id }, { $inc: { misses: 1 } });
  const session = await mongo.sessions.findOne({ _id: id });
  if (!session) return false;
  if ((session.misses ?? 0) < MAX_MISSES) return true;
  await mongo.sessions.deleteOne({ _id: id });
  return false;
}

/** Ends one session of the user. Returns false if the user has no such session. */
export async function deleteSession(
  mongo: Mongo,
  { _id, user_id }: Pick<UserSession, '_id' | 'user_id'>,
): Promise<boolean> {
  const deleted = await mongo.sessions.deleteOne({ _id, user_id });
  return deleted.deletedCount === 1;
}

/** Signs the user out everywhere, except in the session `but`. */
export async function deleteOtherSessions(
  mongo: Mongo,
  { userId, but }: { userId: string; but: string },
): Promise<void> {
  await mongo.sessions.deleteMany({ user_id: userId, _id: { $ne: but } });
}
