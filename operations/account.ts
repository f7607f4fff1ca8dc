/** A user's own account: sessions, the password, and links that set a new one. */
import type { Act } from '../domain/audit.ts';
import { RESET_MS, SESSION_MS, roleOf } from '../domain/user.ts';
import type { ResetLink, User, UserSession } from '../domain/user.ts';
import { changeAccount } from '../store/accounts.ts';
import { deleteOtherSessions, deleteSession, insertSession } from '../store/sessions.ts';
import { makeToken, userByEmail, userById } from '../store/users.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services } from './services.ts';
import { checkPassword, hashPassword, insertInvite, makerOf } from './team.ts';
import type { TeamServices } from './team.ts';

/** The means of a sign-in. A code comes besides the password. */
export type Means = 'password' | 'code' | 'recovery_code' | 'passkey';

interface Signing {
  readonly means: Means;
  /** The browser's short name; '' if it is unknown. */
  readonly browser: string;
  /** True if the user has signed in with this browser before. */
  readonly isKnown: boolean;
  /** The id of the session that the browser had before. It ends. */
  readonly replaced: string | undefined;
}

/**
 * Starts a session, and returns its token. The audit has an entry for each new browser, and for
 * each use of a recovery code.
 */
export async function startSession(
  { mongo }: Pick<Services, 'mongo'>,
  user: User,
  { means, browser, isKnown, replaced }: Signing,
): Promise<string> {
  const { token, hash } = makeToken();
  const now = new Date();
  const act = actOn(user, 'user.sign_in', { browser, means });
  const isNoted = !isKnown || means === 'recovery_code';
  const entry = isNoted ? entryOf(asActor(user), act) : null;
  const row: UserSession = {
    _id: hash,
    user_id: user._id,
    epoch: user.epoch ?? null,
    browser,
    created_at: now,
    seen_at: now,
    confirmed_at: now,
    expires_at: new Date(now.getTime() + SESSION_MS),
  };
  await insertSession(mongo, row, { entry, replaced });
  return token;
}

/** Ends a session of the user. Returns false if the user has no such session. */
export async function endSession(
  { mongo }: Pick<Services, 'mongo'>,
  session: Pick<UserSession, '_id' | 'user_id'>,
): Promise<boolean> {
  return deleteSession(mongo, session);
}

/** Signs the user out in every other browser. */
export async function endOtherSessions(
  { mongo }: Pick<Services, 'mongo'>,
  { _id: but, user_id: userId }: Pick<UserSession, '_id' | 'user_id'>,
): Promise<void> {
  await deleteOtherSessions(mongo, { userId, but });
}

/**
 * Changes the password, and signs the user out everywhere: somebody may have a copy of the cookie.
 * Returns the user as it is now. Throws `Refusal` for a bad password.
 */
export async function changePassword(
  services: TeamServices,
  user: User,
  password: string,
): Promise<User> {
  const password_hash = await hashPassword(checkPassword(password, 'new_password'));
  const entry = entryOf(services, actOn(user, 'user.change_password'));
  const change = { set: { password_hash }, kept: null, entry };
  const epoch = await changeAccount(services.mongo, user, change);
  if (epoch === undefined) throw new Refusal('resource_missing');
  return { ...user, password_hash, epoch };
}

interface ResetOptions {
  readonly merchant: string;
  readonly id: string;
  /** True if the link turns the second step off, too. */
  readonly endsSecondStep: boolean;
}

/**
 * Creates a link that lets a user set a new password. Returns its token, which is shown only once.
 * Throws `Refusal` for an unknown user, and for the actor's own account: that needs the password.
 */
export async function createReset(
  services: TeamServices,
  { merchant, id, endsSecondStep }: ResetOptions,
): Promise<{ token: string; expires_at: Date }> {
  const found = await userById(services.mongo, id);
  const own = found?.merchant_id === merchant ? found : null;
  const user = requireFound(own, 'The merchant has no such user.');
  if (services.actor.name === id) {
    throw Refusal.ofParam('id', 'Change your own password on the page of your account.');
  }
  const { token, hash: _id } = makeToken();
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + RESET_MS);
  const link: ResetLink = {
    _id,
    merchant_id: merchant,
    email: user.email,
    role: roleOf(user),
    ...makerOf(services),
    user_id: id,
    ends_second_step: endsSecondStep,
    created_at,
    expires_at,
  };
  const details = { ends_second_step: endsSecondStep };
  const entry = entryOf(services, actOn(user, 'user.create_reset', details));
  await insertInvite(services, link, entry);
  return { token, expires_at };
}

/** Creates a link as `createReset`, for the user with that e-mail address. */
export async function createResetByEmail(
  services: TeamServices,
  { email, endsSecondStep }: { email: string; endsSecondStep: boolean },
) {
  const found = await userByEmail(services.mongo, email.trim().toLowerCase());
  const user = requireFound(found, 'No user has this e-mail address.', 'email');
  return createReset(services, { merchant: user.merchant_id, id: user._id, endsSecondStep });
}

/**
 * Sets a new password by a link, which is used up, and signs the user out everywhere. Throws
 * `Refusal` for a bad password, and for a link that was used meanwhile.
 */
export async function resetPassword(
  { mongo }: Pick<Services, 'mongo'>,
  { _id: link, user_id: _id, merchant_id, email, ends_second_step: ends = false }: ResetLink,
  password: string,
): Promise<void> {
  const password_hash = await hashPassword(checkPassword(password));
  const user = { _id, merchant_id, email };
  const entry = entryOf(
    asActor(user),
    actOn(user, 'user.reset_password', { ends_second_step: ends }),
  );
  const change = { set: { password_hash }, endsSecondStep: ends, kept: null, link, entry };
  if ((await changeAccount(mongo, user, change)) !== undefined) return;
  throw new Refusal('resource_missing', { message: 'The link has been used already.' });
}

const asActor = ({ _id }: Pick<User, '_id'>) => ({ actor: { type: 'user', name: _id } }) as const;

/** Returns an act on a user. */
export function actOn(
  { _id, merchant_id }: Pick<User, '_id' | 'merchant_id'>,
  action: Act['action'],
  after: NonNullable<Act['after']> = {},
): Act {
  return { action, objectId: _id, merchantId: merchant_id, after };
}
