/** Merchants, their modes and their keys. */
import type { Locale } from './payment.ts';

export type Mode = 'test' | 'live';

export interface Merchant {
  _id: string;
  name: string;
  /** The checkout language of a payment that names none. */
  locale: Locale;
  created_at: Date;
}

/** Someone of the merchant's staff who may sign in to the dashboard. */
export interface User {
  _id: string;
  merchant_id: string;
  email: string;
  password_hash: string;
  created_at: Date;
}

export interface ApiKey {
  _id: string;
  merchant_id: string;
  mode: Mode;
  /** A name that lets people distinguish keys. Absent on keys that are older than names. */
  name?: string | null;
  /** SHA-256 of the whole key, hex: the key itself is shown once and kept nowhere. */
  hash: string;
  last4: string;
  created_at: Date;
  last_used_at: Date | null;
  /** When the key was revoked. Once set, the key is refused, whatever a server's clock says. */
  revoked_at: Date | null;
  /**
   * When the key expires, because another key replaces it. Null or absent if it does not expire.
   */
  expires_at?: Date | null;
}

/** The maximum number of active keys of one merchant and mode. People have to know each of them. */
export const MAX_ACTIVE_KEYS = 20;

/** Returns whether a key is refused at `now`. */
export function isKeyOver(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: Date,
): boolean {
  return revoked_at !== null || (expires_at instanceof Date && expires_at <= now);
}

/** The tenant of every document and filter: a merchant's test data never meets its live data. */
export function tenantOf(merchantId: string, mode: Mode): string {
  return `${merchantId}:${mode}`;
}

/** Returns the merchant's id from a tenant. */
export function merchantOf(m: string): string {
  return m.slice(0, m.indexOf(':'));
}

/** Whether a tenant's data is that of live mode. */
export function isLive(m: string): boolean {
  return m.endsWith(':live');
}

/** `sk_<mode>_`, at least 32 base62 characters, and 6 of a checksum. */
export const API_KEY_FORM = /^sk_(test|live)_([0-9A-Za-z]{32,})([0-9A-Za-z]{6})$/;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** A 32-bit checksum as 6 base62 characters: a mistyped key is refused without a look-up. */
export function checksumText(crc32: number): string {
  let rest = crc32;
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Bytes below 248 give one base62 character each without bias; the others are left out. */
export function base62(bytes: Iterable<number>): string {
  let text = '';
  for (const byte of bytes) if (byte < 248) text += BASE62.charAt(byte % 62);
  return text;
}
