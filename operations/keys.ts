/** A merchant's API keys: create, list, replace and revoke. A secret is shown only once. */
import type { ApiKey, Mode } from '../domain/merchant.ts';
import { MAX_ACTIVE_KEYS } from '../domain/merchant.ts';
import * as stored from '../store/keys.ts';
import { checkOverlap, requireMerchant } from './checks.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services, Shown } from './services.ts';

export type KeyServices = Pick<Services, 'mongo' | 'actor'>;

/** Visible characters of any language, and spaces between them. */
const NAME = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u;
const MAX_NAME = 100;
/** The number of revoked or expired keys in a list. Active keys are always listed. */
const LISTED_OVER = 20;

/**
 * Returns a merchant's active keys and the newest revoked or expired ones, without their secrets.
 */
export async function showKeys(
  { mongo }: Pick<Services, 'mongo'>,
  { merchant, mode }: { merchant: string; mode?: string },
): Promise<{ keys: Shown[] }> {
  await requireMerchant({ mongo }, merchant);
  const of = { merchant_id: merchant, ...(mode === undefined ? {} : { mode: checkMode(mode) }) };
  const keys = await stored.listKeys(mongo, of, { now: new Date(), over: LISTED_OVER });
  return { keys: keys.map(show) };
}

/**
 * Creates a key. Throws `Refusal` for an unknown merchant, an invalid name or mode, and if the
 * merchant has too many active keys in that mode.
 */
export async function createKey(
  services: KeyServices,
  options: { merchant: string; mode: string; name?: string },
): Promise<Shown> {
  const { mongo } = services;
  const mode = checkMode(options.mode);
  const name = options.name === undefined ? null : checkName(options.name);
  await requireMerchant(services, options.merchant);
  const { key, secret } = makeKey({ merchant_id: options.merchant, mode, name });
  const entry = entryOf(services, creation(key));
  if (!(await stored.insertKey(mongo, key, entry))) throw tooMany('revoke one first');
  return { ...show(key), api_key: secret };
}

/**
 * Replaces a key with a new one of the same mode and name. Both work during the overlap (`0`, `1h`,
 * `24h` or `7d`). Throws `Refusal` for a key that is revoked or already has an expiry: roll its
 * replacement, or create another key.
 */
export async function rollKey(
  services: KeyServices,
  { merchant, id, overlap }: { merchant: string; id: string; overlap: string },
): Promise<Shown> {
  const overlapMs = checkOverlap(overlap);
  const old = await requireKey(services, { merchant, id });
  const { key, secret } = makeKey(old);
  const until = new Date(key.created_at.getTime() + overlapMs);
  const end = overlapMs === 0 ? { revoked_at: until } : { expires_at: until };
  const roll = {
    action: 'key.roll',
    objectId: id,
    merchantId: merchant,
    after: { ...end, replaced_by: key._id },
  } as const;
  const entries = [entryOf(services, roll), entryOf(services, creation(key, { replaces: id }))];
  const outcome = await stored.replaceKey(services.mongo, { old, end, key, entries });
  if (outcome === 'full') throw tooMany('revoke one first, or use the overlap 0');
  if (outcome === 'over') {
    const message =
      'The key is revoked or about to end: roll the key that replaces it, or create one.';
    throw Refusal.ofParam('id', message);
  }
  const old_key_works_until = overlapMs === 0 ? null : until.toISOString();
  return { ...show(key), api_key: secret, replaces: id, old_key_works_until };
}

/**
 * Revokes a key at once, even one that is about to expire. Returns an already revoked key
 * unchanged. Throws `Refusal` for a key that is not the merchant's.
 */
export async function revokeKey(
  services: KeyServices,
  { merchant, id }: { merchant: string; id: string },
): Promise<Shown> {
  const key = await requireKey(services, { merchant, id });
  const now = new Date();
  const entry = entryOf(services, {
    action: 'key.revoke',
    objectId: id,
    merchantId: merchant,
    after: { revoked_at: now },
  });
  const isRevoked = await stored.revokeKey(services.mongo, key, { now, entry });
  if (isRevoked) return show({ ...key, revoked_at: now });
  return show(await requireKey(services, { merchant, id }));
}

function makeKey({
  merchant_id,
  mode,
  name = null,
}: Pick<ApiKey, 'merchant_id' | 'mode' | 'name'>) {
  const { key, secret } = stored.makeKey(merchant_id, mode, new Date());
  return { key: { ...key, name }, secret };
}

/** Returns the act of creating the key, for the audit. */
export function creation(key: ApiKey, more: { replaces?: string } = {}) {
  const { _id: objectId, merchant_id: merchantId, name = null, mode, last4 } = key;
  const after = { name, mode, last4, ...more };
  return { action: 'key.create', objectId, merchantId, after } as const;
}

function show(key: ApiKey): Shown {
  const { _id: id, name = null, mode, last4, created_at, last_used_at } = key;
  const { expires_at = null, revoked_at } = key;
  return { id, name, mode, last4, created_at, last_used_at, expires_at, revoked_at };
}

function checkMode(mode: string): Mode {
  if (mode === 'test' || mode === 'live') return mode;
  throw Refusal.ofParam('mode', 'The mode must be test or live.');
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  const message = `A name has 1 to ${MAX_NAME} visible characters, with spaces only between them.`;
  throw Refusal.ofParam('name', message);
}

async function requireKey(
  { mongo }: Pick<Services, 'mongo'>,
  { merchant, id }: { merchant: string; id: string },
): Promise<ApiKey> {
  return requireFound(await stored.findKeyOf(mongo, merchant, id), 'The merchant has no such key.');
}

function tooMany(way: string): Refusal {
  const message = `A merchant has at most ${MAX_ACTIVE_KEYS} active keys in each mode: ${way}.`;
  return Refusal.ofParam('mode', message);
}
