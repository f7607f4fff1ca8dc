/** The end of every way to sign in: the session, and the page to go on to. */
import { browserOf } from '../../domain/browser.ts';
import type { User } from '../../domain/user.ts';
import { startSession } from '../../operations/account.ts';
import type { Means } from '../../operations/account.ts';
import { hashOfToken } from '../../store/users.ts';
import type { PageRequest, Result } from '../request.ts';

/**
 * Starts a session with a new id, in place of the one that the browser had, and marks the browser
 * as known. Returns the redirect to `to`.
 */
export async function begin(
  { services, ctx }: PageRequest,
  user: User,
  { means, to }: { means: Means; to: string },
): Promise<Result> {
  const { mongo, cookies } = services;
  const old = cookies.readSession(ctx);
  const token = await startSession({ mongo }, user, {
    means,
    browser: browserOf(ctx.get('User-Agent')),
    isKnown: cookies.readDevice(ctx)?.userId === user._id,
    replaced: old === undefined ? undefined : hashOfToken(old),
  });
  cookies.writeSession(ctx, token);
  cookies.writeDevice(ctx, user._id);
  cookies.clearPending(ctx);
  return { to };
}

/** Returns the page that the reader wanted before signing in, or ''. */
export function nextOf({ form, ctx }: PageRequest): string {
  return form.get('next') || String(ctx.query['next'] ?? '');
}

/** Returns the path if it leads to a page of ours, so that no link leads people elsewhere. */
export function localPath(path: string): string {
  return /^\/(?![/\\])[!-~]*$/.test(path) ? path : '/';
}
