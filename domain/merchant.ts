/** Merchants, their tenants and their keys. */
import type { Picture } from './picture.ts';

/** Languages of the checkout. */
export const LOCALES = ['hy', 'en', 'ru'] as const;
export type Locale = (typeof LOCALES)[number];

export type Mode = 'test' | 'live';

export interface Merchant {
  _id: string;
  name: string;
  /** The checkout language of a payment that names none. */
  locale: Locale;
  /** How long a payment lives that gives no `expires_at`, in milliseconds. */
  lifetime_ms?: number;
  /** Its colour on the checkout, as `#rrggbb`. Absent for the checkout's own. */
  colour?: string;
  /** Its picture on the checkout. */
  logo?: Logo;
  /** True if all its staff sign in with an authenticator app or a passkey. Absent if they need not. */
  requires_second_step?: boolean;
  created_at: Date;
}

/** A merchant's picture. Its bytes are stored apart, because every payment reads the merchant. */
export interface Logo extends Omit<Picture, 'bytes'> {
  /** A hash of the merchant and the bytes: another merchant's same picture has another id. */
  readonly id: string;
}

export interface ApiKey {
  _id: string;
  merchant_id: string;
  mode: Mode;
  /** A name that lets people distinguish keys. Absent on keys that are older than names. */
  name?: string | null;
  /** SHA-256 of the whole key, in hex. The key itself is shown once and never stored. */
  hash: string;
  last4: string;
  created_at: Date;
  last_used_at: Date | null;
  /** When the key was revoked. Once set, the key is refused, whatever a server's clock says. */
  revoked_at: Date | null;
  /** When the key expires because another replaces it. Null or absent if it does not expire. */
  expires_at?: Date | null;
}

/** The maximum number of active keys of a merchant and mode. People have to keep track of them. */
export const MAX_ACTIVE_KEYS = 20;

/** Returns true if a key is refused at `now`. */
export function isKeyOver(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: Date,
): boolean {
  return revoked_at !== null || (expires_at instanceof Date && expires_at <= now);
}

/** A document of a tenant. Stored documents and indexes call the tenant `m`. */
export interface TenantRow {
  m: string;
}

/**
 * Returns the tenant: a merchant and a mode, as in `mer_...:test`. It is in every document and
 * filter of a merchant, so test data never mixes with live data.
 */
export function tenantOf(merchantId: string, mode: Mode): string {
  return `${merchantId}:${mode}`;
}

/** Returns the merchant's id from a tenant. */
export function merchantOf(tenant: string): string {
  return tenant.slice(0, tenant.indexOf(':'));
}

/** Returns true if the tenant's mode is live. */
export function isLive(tenant: string): boolean {
  return tenant.endsWith(':live');
}

/** `sk_<mode>_`, at least 32 base62 characters, and 6 of a checksum. */
export const API_KEY_FORM = /^sk_(test|live)_([0-9A-Za-z]{32,})([0-9A-Za-z]{6})$/;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** Returns a checksum as 6 base62 characters. It exposes a mistyped key without a look-up. */
export function checksumText(crc32: number): string {
  const digit = (_: unknown, index: number): string =>
    BASE62.charAt(Math.floor(crc32 / 62 ** index) % 62);
  return Array.from({ length: CHECKSUM_LENGTH }, digit).toReversed().join('');
}

/** Returns a base62 character for each byte below 248. Skips other bytes: they would be biased. */
export function base62(bytes: Iterable<number>): string {
  const unbiased = Array.from(bytes).filter((byte) => byte < 248);
  return unbiased.map((byte) => BASE62.charAt(byte % 62)).join('');
}
