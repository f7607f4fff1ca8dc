/** The merchant's staff, what each role may do, and the sessions in which they are signed in. */
import type { Locale } from './merchant.ts';

export const ROLES = ['owner', 'developer', 'support', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

/** A person on the merchant's staff who may sign in to the dashboard. */
export interface User {
  _id: string;
  merchant_id: string;
  /** In lower case. Unique among all users. */
  email: string;
  /** Argon2id, in the PHC string format. */
  password_hash: string;
  /** Absent on users that are older than roles: they are owners. */
  role?: Role;
  /** The language of the user's pages. Absent until the user chooses one. */
  locale?: Locale;
  /** Replaced to end all sessions of the user: those with another value are over. */
  epoch?: string;
  /** Absent while the user has no authenticator app. */
  second_step?: SecondStep;
  created_at: Date;
}

/** The authenticator app that a user signs in with, besides the password. */
export interface SecondStep {
  /** The key that the app computes its codes with, sealed to the user's id. */
  secret: string;
  /** Null until the first right code: before it, the user signs in without a code. */
  active_since: Date | null;
  /** The time step of the last code that was used. Codes up to it are refused. */
  counter: number;
  /** Wrong codes in a row. */
  misses: number;
  /** The time from which the next code is checked; null if that is now. */
  retry_at: Date | null;
  /** SHA-256 of the recovery codes that are left, in hex. */
  recovery_codes: string[];
}

/** A public key with which a user signs in, on a device that checks who its user is. */
export interface Passkey {
  /** The credential's id, in base64url. */
  _id: string;
  user_id: string;
  /** COSE, in base64url. */
  public_key: string;
  /** The number of uses that the device has counted; 0 if it does not count. */
  counter: number;
  /** The browser that made it, as of a session. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** A browser in which a user is signed in. */
export interface UserSession {
  /** SHA-256 of the cookie's token, in hex. The token is never stored. */
  _id: string;
  user_id: string;
  /** The user's epoch when the session began. Absent on sessions older than epochs. */
  epoch?: string | null;
  /** The browser's name and system, for the user. Absent on sessions older than this field. */
  browser?: string;
  created_at: Date;
  /** The time of the last request, to the minute. */
  seen_at: Date;
  /** When the user last entered the password. */
  confirmed_at: Date;
  /** Wrong passwords in a row, where the password was asked for again. Absent without any. */
  misses?: number;
  /** The end, even if the session is in use. */
  expires_at: Date;
}

/** A link that lets one person set a password, once. */
export interface InviteLink {
  /** SHA-256 of the token in the link, in hex. */
  _id: string;
  /** Null for a link that creates a merchant with its owner. */
  merchant_id: string | null;
  /** The id that the created merchant gets. */
  new_merchant_id?: string;
  /** The invited address; null if the person may choose one. */
  email: string | null;
  role: Role;
  /** The user who made it. Absent if an operator did, and on links older than this field. */
  created_by?: string;
  /** Set if the link lets this user set a new password. */
  user_id?: string;
  /** True if the link turns the user's second step off, too. */
  ends_second_step?: boolean;
  created_at: Date;
  expires_at: Date;
}

/** A link that lets an existing user set a new password. */
export type ResetLink = InviteLink & { merchant_id: string; email: string; user_id: string };

export function isReset(link: InviteLink): link is ResetLink {
  return link.user_id !== undefined;
}

/** The most people of a merchant, with those who are invited: one page lists them all. */
export const MAX_TEAM = 100;

const HOUR_MS = 60 * 60 * 1_000;
/** A session ends when it has not been used for this time. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** A session ends after this time in any case. */
export const SESSION_MS = 7 * 24 * HOUR_MS;
/** The time for which a password counts as just entered. */
export const CONFIRMED_MS = 10 * 60 * 1_000;
export const INVITE_MS = 7 * 24 * HOUR_MS;
/** Shorter than an invitation, because this link opens an account that has something in it. */
export const RESET_MS = 24 * HOUR_MS;
/** The time for the code, after the password was right. */
export const PENDING_MS = 5 * 60 * 1_000;

/** Wrong codes without a wait. Each further one doubles the wait, from a minute up to a day. */
const FREE_MISSES = 5;
const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 24 * HOUR_MS;

/**
 * Returns the wait in ms after that many wrong codes in a row. Only someone with the password can
 * enter codes, so nobody else can make the user wait.
 */
export function waitAfter(misses: number): number {
  if (misses < FREE_MISSES) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** (misses - FREE_MISSES), MAX_WAIT_MS);
}

/** Returns true if the user enters a code after the password. */
export function hasSecondStep({ second_step: step }: Pick<User, 'second_step'>): boolean {
  return step !== undefined && step.active_since !== null;
}

/** Returns true unless all sessions of the user were ended after this one had begun. */
export function isSessionOf(session: UserSession, user: Pick<User, 'epoch'>): boolean {
  return (session.epoch ?? null) === (user.epoch ?? null);
}

export function isSessionOver(session: UserSession, now: Date): boolean {
  const idleMs = now.getTime() - session.seen_at.getTime();
  return session.expires_at <= now || idleMs >= SESSION_IDLE_MS;
}

/** Returns true if the session's user has entered the password in the last ten minutes. */
export function isConfirmed(session: UserSession, now: Date): boolean {
  return now.getTime() - session.confirmed_at.getTime() < CONFIRMED_MS;
}

export const roleOf = ({ role = 'owner' }: Pick<User, 'role'>): Role => role;

const ALL = ROLES;
const TECHNICAL = ['owner', 'developer'] as const;
const SERVING = ['owner', 'developer', 'support'] as const;

/** The roles that may do each thing. Every route of the dashboard names one of these. */
export const PERMISSIONS = {
  'payments.read': ALL,
  'payments.export': ALL,
  'payments.cancel': ['owner', 'support'],
  'payments.refund': ['owner', 'support'],
  'deliveries.read': SERVING,
  'deliveries.resend': SERVING,
  'endpoints.read': SERVING,
  'endpoints.write': TECHNICAL,
  'keys.read': TECHNICAL,
  'keys.write': TECHNICAL,
  'developers.read': TECHNICAL,
  'developers.advance': TECHNICAL,
  'settings.read': ALL,
  'settings.write': ['owner'],
  'team.read': ALL,
  'team.write': ['owner'],
  'audit.read': TECHNICAL,
  /** The user's own password, language and sessions. */
  'account.write': ALL,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof PERMISSIONS;

export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(role);
}
