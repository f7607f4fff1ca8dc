/** API keys: only their hash is kept. There is no cache: a revoked key is dead at once. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_FORM, base62, checksumText } from '../domain/merchant.ts';
import type { ApiKey, Mode } from '../domain/merchant.ts';
import { mintId } from './mint.ts';
import type { Mongo } from './mongo.ts';

const SECRET_LENGTH = 32;
/** Enough that base62 finds 32 characters even when many bytes are left out. */
const RANDOM_BYTES = 64;
/** "Last used" is for people: once an hour is exact enough, and spares a write per request. */
const LAST_USED_EVERY_MS = 60 * 60 * 1000;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A new key and, this one time, its secret. */
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
  };
  return { key, secret };
}

/** The key of that secret, revoked or not; null for anything that is no key of ours. */
export async function findKey(mongo: Mongo, secret: string): Promise<ApiKey | null> {
  const form = API_KEY_FORM.exec(secret);
  const [, , , checksum = ''] = form ?? [];
  const head = secret.slice(0, -checksum.length);
  if (!form || checksumText(crc32(head)) !== checksum) return null;
  return mongo.keys.findOne({ hash: hashOf(secret) });
}

/** Notes that a key was used, at most once an hour. */
export async function touchKey(mongo: Mongo, key: ApiKey, now: Date): Promise<void> {
  const last = key.last_used_at?.getTime() ?? 0;
  if (now.getTime() - last < LAST_USED_EVERY_MS) return;
  const stale = { _id: key._id, last_used_at: key.last_used_at };
  await mongo.keys.updateOne(stale, { $set: { last_used_at: now } });
}
