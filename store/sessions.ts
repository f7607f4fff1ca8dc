/** The sessions in which users of the dashboard are signed in. */
import type { AuditEntry } from '../domain/audit.ts';
import type { UserSession } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import type { Mongo } from './mongo.ts';

/** The precision of a session's last use: it saves a write for most requests. */
const SEEN_EVERY_MS = 60_000;
/** The most sessions that a user's page lists. */
const LISTED = 50;

/**
 * Inserts a session, together with its audit entry if there is one. Ends the session `replaced`,
 * which the same browser had before.
 */
export async function insertSession(
  mongo: Mongo,
  row: UserSession,
  { entry, replaced }: { entry: AuditEntry | null; replaced: string | undefined },
): Promise<void> {
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
  return mongo.sessions.find({ user_id: userId }).limit(LISTED).toArray();
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
