/**
 * API keys. Only their hash is stored. There is no cache: a majority write revokes a key, and a
 * majority read finds it, so it is refused as soon as the revocation is acknowledged.
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AuditEntry } from '../domain/audit.ts';
import { API_KEY_FORM, MAX_ACTIVE_KEYS, base62, checksumText } from '../domain/merchant.ts';
import type { ApiKey, Mode } from '../domain/merchant.ts';
import { insertAudit } from './audit.ts';
import { lockMerchant } from './merchants.ts';
import { mintId } from './mint.ts';
import type { Mongo, Session } from './mongo.ts';

const SECRET_LENGTH = 32;
/** The number of random bytes: enough for 32 characters, although `base62` skips some bytes. */
const RANDOM_BYTES = 64;
/** The precision of the last use: enough for people, and saves a write per request. */
const LAST_USED_EVERY_MS = 60 * 60 * 1000;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Returns a new key and its secret, which is not stored. */
export function makeKey(
  merchantId: string,
  mode: Mode,
  now: Date,
): { key: ApiKey; secret: string } {
  const head = `sk_${mode}_${base62(randomBytes(RANDOM_BYTES)).slice(0, SECRET_LENGTH)}`;
  const secret = head + checksumText(crc32(head));
  const key: ApiKey = {
    _id: mintId('key'),
    merchant_id: merchantId,
    mode,
    hash: hashOf(secret),
    last4: secret.slice(-4),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
    expires_at: null,
  };
  return { key, secret };
}

/** Returns the hash under which a key is stored; null if its form or checksum is wrong. */
export function hashOfKey(secret: string): string | null {
  const form = API_KEY_FORM.exec(secret);
  const [, , , checksum = ''] = form ?? [];
  const head = secret.slice(0, -checksum.length);
  return form && checksumText(crc32(head)) === checksum ? hashOf(secret) : null;
}

/** Returns the existing keys of the hashes, active or not. */
export async function findKeys(mongo: Mongo, hashes: readonly string[]) {
  const keys = await mongo.keys.find({ hash: { $in: [...hashes] } }).toArray();
  return new Map(keys.map((key) => [key.hash, key]));
}

/** Records the use of a key, at most once an hour. */
export async function touchKey(mongo: Mongo, key: ApiKey, now: Date): Promise<void> {
  const last = key.last_used_at?.getTime() ?? 0;
  if (now.getTime() - last < LAST_USED_EVERY_MS) return;
  const stale = { _id: key._id, last_used_at: key.last_used_at };
  await mongo.keys.updateOne(stale, { $set: { last_used_at: now } });
}

const active = (now: Date) => ({
  revoked_at: null,
  $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
});

/**
 * Inserts a key. Returns false if the tenant has the maximum of active keys. Throws if there is no
 * such merchant.
 */
export async function insertKey(mongo: Mongo, key: ApiKey, entry: AuditEntry): Promise<boolean> {
  return mongo.transact(async (session) => {
    if (!(await hasRoom(mongo, session, { key }))) return false;
    await mongo.keys.insertOne(key, { session });
    await insertAudit(mongo, session, entry);
    return true;
  });
}

interface Replacement {
  readonly old: ApiKey;
  readonly end: { readonly revoked_at: Date } | { readonly expires_at: Date };
  readonly key: ApiKey;
  readonly entries: readonly AuditEntry[];
}

/**
 * Inserts a key, and sets the expiry of the key it replaces. Returns `over` if the old key already
 * has one, so only one of two concurrent replacements succeeds. Returns `full` if the tenant has
 * the maximum of active keys.
 */
export async function replaceKey(
  mongo: Mongo,
  { old, end, key, entries }: Replacement,
): Promise<'replaced' | 'over' | 'full'> {
  const unexpiring = { _id: old._id, revoked_at: null, expires_at: null };
  return mongo.transact(async (session) => {
    const replaced = 'revoked_at' in end ? old : undefined;
    if (!(await hasRoom(mongo, session, { key, replaced }))) return 'full';
    const ended = await mongo.keys.updateOne(unexpiring, { $set: end }, { session });
    if (ended.matchedCount === 0) return 'over';
    await mongo.keys.insertOne(key, { session });
    await insertAudit(mongo, session, ...entries);
    return 'replaced';
  });
}

/** Returns true if one more active key may be inserted. Does not count the one being replaced. */
async function hasRoom(
  mongo: Mongo,
  session: Session,
  { key, replaced }: { key: ApiKey; replaced?: ApiKey | undefined },
): Promise<boolean> {
  const { merchant_id: merchantId, mode, created_at: now } = key;
  await lockMerchant(mongo, session, { merchantId, counter: 'key_insertions' });
  const other = replaced ? { _id: { $ne: replaced._id } } : {};
  const others = { merchant_id: merchantId, mode, ...active(now), ...other };
  const found = mongo.keys.find(others, { session, projection: { _id: 1 } });
  return (await found.limit(MAX_ACTIVE_KEYS).toArray()).length < MAX_ACTIVE_KEYS;
}

/** Revokes a merchant's key at once. Returns false if it is already revoked or does not exist. */
export async function revokeKey(
  mongo: Mongo,
  { _id, merchant_id }: Pick<ApiKey, '_id' | 'merchant_id'>,
  { now, entry }: { now: Date; entry: AuditEntry },
): Promise<boolean> {
  return mongo.transact(async (session) => {
    const written = await mongo.keys.updateOne(
      { _id, merchant_id, revoked_at: null },
      { $set: { revoked_at: now } },
      { session },
    );
    if (written.matchedCount === 0) return false;
    await insertAudit(mongo, session, entry);
    return true;
  });
}

/** Returns a merchant's key, active or not. */
export async function findKeyOf(mongo: Mongo, merchantId: string, id: string) {
  return mongo.keys.findOne({ _id: id, merchant_id: merchantId });
}

/** Returns the merchant of a key, or undefined. */
export async function merchantOfKey(mongo: Mongo, id: string): Promise<string | undefined> {
  return (await mongo.keys.findOne({ _id: id }))?.merchant_id;
}

/** Returns the names of a merchant's keys by their ids; the last characters of those without one. */
export async function keyNamesOf(mongo: Mongo, merchantId: string, ids: readonly string[]) {
  const named = { _id: { $in: [...new Set(ids)] }, merchant_id: merchantId };
  const rows = ids.length === 0 ? [] : await mongo.keys.find(named).toArray();
  return new Map(rows.map(({ _id, name, last4 }) => [_id, name ?? `...${last4}`]));
}

/** Returns a merchant's active keys and the newest `over` of the others, newest first. */
export async function listKeys(
  mongo: Mongo,
  of: { readonly merchant_id: string; readonly mode?: Mode },
  { now, over }: { now: Date; over: number },
): Promise<ApiKey[]> {
  const past = { $or: [{ revoked_at: { $ne: null } }, { expires_at: { $lte: now } }] };
  const [working, ended] = await Promise.all([
    mongo.keys.find({ ...of, ...active(now) }).toArray(),
    mongo.keys.find({ ...of, ...past }, { sort: { _id: -1 }, limit: over }).toArray(),
  ]);
  return [...working, ...ended].toSorted((a, b) => (a._id < b._id ? 1 : -1));
}
