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
  created_at: Date;
}

/** A browser in which a user is signed in. */
export interface UserSession {
  /** SHA-256 of the cookie's token, in hex. The token is never stored. */
  _id: string;
  user_id: string;
  created_at: Date;
  /** The time of the last request, to the minute. */
  seen_at: Date;
  /** When the user last entered the password. */
  confirmed_at: Date;
  /** The end, even if the session is in use. */
  expires_at: Date;
}

/** A link that lets one person set a password, once. */
export interface InviteLink {
  /** SHA-256 of the token in the link, in hex. */
  _id: string;
  /** Null for a link that creates a merchant with its owner. */
  merchant_id: string | null;
  /** The invited address; null if the person may choose one. */
  email: string | null;
  role: Role;
  created_at: Date;
  expires_at: Date;
}

const HOUR_MS = 60 * 60 * 1_000;
/** A session ends when it has not been used for this time. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** A session ends after this time in any case. */
export const SESSION_MS = 7 * 24 * HOUR_MS;
/** The time for which a password counts as just entered. */
export const CONFIRMED_MS = 10 * 60 * 1_000;
export const INVITE_MS = 7 * 24 * HOUR_MS;

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
