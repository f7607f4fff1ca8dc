/**
 * Two cookies: the session, and the device. With TLS both are bound to the host by the prefix
 * `__Host-`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { SESSION_MS } from '../domain/user.ts';
import { isToken, mintToken } from '../store/mint.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** Keys that sign device cookies: the current one signs, and all of them verify. */
export interface SigningKeys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

export type Cookies = ReturnType<typeof makeCookies>;

/** Creates the functions that read and write the cookies. */
export function makeCookies({ isTls, keys }: { isTls: boolean; keys: SigningKeys }) {
  const prefix = isTls ? '__Host-' : '';
  const sessionName = `${prefix}tollgate-session`;
  const deviceName = `${prefix}tollgate-device`;

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
     * Returns the device's id if the user has signed in with this browser before. The id is signed,
     * so nobody else can make one.
     */
    readDevice(ctx: Context, userId: string): string | undefined {
      const [id = '', signature = ''] = ctx.cookies.get(deviceName)?.split('.') ?? [];
      const all = [keys.current, ...keys.previous];
      return all.some((key) => isSame(signature, sign(key, userId, id))) ? id : undefined;
    },
    writeDevice(ctx: Context, userId: string): void {
      const id = mintToken();
      write(ctx, deviceName, `${id}.${sign(keys.current, userId, id)}`, YEAR_MS);
    },
  };
}

function sign(key: Buffer, userId: string, id: string): string {
  return createHmac('sha256', key).update(`${userId}.${id}`).digest('base64url');
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
