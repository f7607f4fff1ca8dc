/**
 * Three cookies: the session, the device, and the right password that still waits for its code.
 * With TLS all are bound to the host by the prefix `__Host-`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { PENDING_MS, SESSION_MS } from '../domain/user.ts';
import type { User } from '../domain/user.ts';
import { isToken, mintToken } from '../store/mint.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** Keys that sign cookies: the current one signs, and all of them verify. */
export interface SigningKeys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

/** A browser in which a user has signed in before. */
interface Device {
  readonly userId: string;
  readonly id: string;
}

/** A user whose password was right, with the user's epoch then. */
interface Pending {
  readonly userId: string;
  readonly epoch: string;
}

export type Cookies = ReturnType<typeof makeCookies>;

/** Creates the functions that read and write the cookies. */
export function makeCookies({ isTls, keys }: { isTls: boolean; keys: SigningKeys }) {
  const prefix = isTls ? '__Host-' : '';
  const sessionName = `${prefix}tollgate-session`;
  const deviceName = `${prefix}tollgate-device`;
  const pendingName = `${prefix}tollgate-pending`;
  const all = [keys.current, ...keys.previous];

  function write(ctx: Context, name: string, value: string | null, maxAge: number): void {
    // A proxy in front speaks TLS, so this connection may be plain.
    ctx.cookies.secure = isTls;
    const options = { httpOnly: true, secure: isTls, sameSite: 'lax', path: '/' } as const;
    ctx.cookies.set(name, value, { ...options, overwrite: true, ...(value && { maxAge }) });
  }

  return {
    /** Returns the token of the session cookie, if it has the form of one. */
    readSession(ctx: Context): string | undefined {
      const token = ctx.cookies.get(sessionName);
      return token !== undefined && isToken(token) ? token : undefined;
    },
    /** Sets the session's token, or clears it if it is null. */
    writeSession: (ctx: Context, token: string | null) =>
      write(ctx, sessionName, token, SESSION_MS),
    /**
     * Returns the device's id, and the user who has signed in with this browser before. Both are
     * signed, so nobody else can make them.
     */
    readDevice(ctx: Context): Device | undefined {
      const [userId = '', id = '', signature = ''] = ctx.cookies.get(deviceName)?.split('.') ?? [];
      const isOurs = all.some((key) => isSame(signature, sign(key, deviceText({ userId, id }))));
      return isOurs ? { userId, id } : undefined;
    },
    writeDevice(ctx: Context, userId: string): void {
      const id = mintToken();
      const signature = sign(keys.current, deviceText({ userId, id }));
      write(ctx, deviceName, `${userId}.${id}.${signature}`, YEAR_MS);
    },
    /** Returns whose password was right in the last five minutes, if anybody's was. */
    readPending(ctx: Context, now: Date): Pending | undefined {
      const [userId = '', epoch = '', until = '', signature = ''] =
        ctx.cookies.get(pendingName)?.split('.') ?? [];
      const text = pendingText({ userId, epoch }, until);
      const isOurs = all.some((key) => isSame(signature, sign(key, text)));
      return isOurs && Number(until) > now.getTime() ? { userId, epoch } : undefined;
    },
    /** Remembers that the user's password was right. This is no session. */
    writePending(ctx: Context, { _id: userId, epoch = '' }: User, now: Date): void {
      const until = String(now.getTime() + PENDING_MS);
      const signature = sign(keys.current, pendingText({ userId, epoch }, until));
      write(ctx, pendingName, `${userId}.${epoch}.${until}.${signature}`, PENDING_MS);
    },
    clearPending: (ctx: Context) => write(ctx, pendingName, null, 0),
  };
}

const deviceText = ({ userId, id }: Device): string => `device.${userId}.${id}`;
/** Begins with another word than the text of a device, so no signature has two meanings. */
const pendingText = ({ userId, epoch }: Pending, until: string): string =>
  `pending.${userId}.${epoch}.${until}`;

function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Returns the text that forms of a session carry, so that other sites cannot submit them. */
export function csrfOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
