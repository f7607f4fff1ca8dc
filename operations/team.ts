/** The merchant's staff: invitations by link, roles, and removal. Passwords are hashed here. */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { Act, AuditEntry } from '../domain/audit.ts';
import { isCommonPassword } from '../domain/password.ts';
import { INVITE_MS, MAX_TEAM, ROLES, roleOf } from '../domain/user.ts';
import type { InviteLink, Role, User } from '../domain/user.ts';
import { mintId } from '../store/mint.ts';
import { duplicateOf } from '../store/mongo.ts';
import * as stored from '../store/users.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Services } from './services.ts';

export type TeamServices = Pick<Services, 'mongo' | 'actor'>;

const MAX_EMAIL = 254;
/** Without invisible characters, with which two addresses would look the same. */
const EMAIL = /^[^\s\p{C}@]+@[^\s\p{C}@]+\.[^\s\p{C}@]+$/u;
const MIN_PASSWORD = 12;
/** Longer texts take longer to hash, and no person types them. */
const MAX_PASSWORD = 200;
/** The hash that guesses for unknown accounts are compared with, so that they take as long. */
const NOBODY = hash(randomBytes(15));

/** Returns an e-mail address in lower case. Throws `Refusal` if it is not one. */
export function checkEmail(text: string): string {
  if (EMAIL.test(text) && text.length <= MAX_EMAIL) return text.toLowerCase();
  throw Refusal.ofParam('email', 'The e-mail address is not valid.');
}

/** Throws `Refusal` for a password that is too short, too long or common. */
export function checkPassword(password: string, param = 'password'): string {
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
    const message = `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`;
    throw Refusal.ofParam(param, message);
  }
  if (!isCommonPassword(password)) return password;
  throw Refusal.ofParam(param, 'This password is too common: choose another.');
}

export const hashPassword = async (password: string): Promise<string> => hash(password);

/** Returns true if the password is the user's. Takes as long if there is no user. */
export async function isPasswordOf(user: User | null, password: string): Promise<boolean> {
  const isRight = await verify(user?.password_hash ?? (await NOBODY), password);
  return isRight && user !== null;
}

/**
 * Creates an invitation. Returns the token of its link, which is shown only once. Without a
 * merchant, the link creates a merchant with its owner.
 */
export async function invite(
  services: TeamServices,
  { merchant, email, role: wanted }: { merchant: string; email: string; role: string },
): Promise<{ token: string; invite: InviteLink }> {
  const role = checkRole(wanted);
  const address = checkEmail(email);
  if (await stored.userByEmail(services.mongo, address)) throw taken();
  const entry = entryOf(services, {
    action: 'user.invite',
    objectId: merchant,
    merchantId: merchant,
    after: { email: address, role },
  });
  const made = makeInvite({ merchant_id: merchant, email: address, role, ...makerOf(services) });
  await insertInvite(services, made.invite, entry);
  return made;
}

/** Returns the user who makes a link, if it is a user. */
export function makerOf({ actor }: Pick<TeamServices, 'actor'>): Pick<InviteLink, 'created_by'> {
  return actor.type === 'user' ? { created_by: actor.name } : {};
}

/** Inserts a link. Throws `Refusal` if the team is full, or its maker may not change it any more. */
export async function insertInvite(
  { mongo }: Pick<TeamServices, 'mongo'>,
  link: InviteLink,
  entry: AuditEntry,
): Promise<void> {
  const outcome = await stored.insertInvite(mongo, link, entry);
  if (outcome === 'inserted') return;
  if (outcome === 'not_allowed') throw new Refusal('resource_missing');
  const message = `A team has at most ${MAX_TEAM} people, with those who are invited.`;
  throw Refusal.ofParam('email', message);
}

/**
 * Creates a link that lets its reader create a merchant. Returns its token, which is shown only
 * once. The link replaces the earlier one for that address, or the earlier one for anybody.
 */
export async function inviteOwner(services: TeamServices, { email }: { email?: string } = {}) {
  const address = email === undefined ? null : checkEmail(email);
  if (address !== null && (await stored.userByEmail(services.mongo, address))) throw taken();
  const new_merchant_id = mintId('merchant');
  const of = { merchant_id: null, new_merchant_id, email: address, role: 'owner' } as const;
  const made = makeInvite(of);
  const entry = entryOf(services, {
    action: 'merchant.invite',
    objectId: new_merchant_id,
    merchantId: new_merchant_id,
  });
  await insertInvite(services, made.invite, entry);
  return made;
}

/** Withdraws an invitation. Throws `Refusal` if it is used or withdrawn already. */
export async function withdrawInvite(
  services: TeamServices,
  { merchant, id }: { merchant: string; id: string },
): Promise<void> {
  const found = await stored.inviteOf(services.mongo, merchant, id);
  const link = requireFound(found, 'The merchant has no such invitation.');
  const entry = entryOf(services, {
    action: 'user.withdraw_invite',
    objectId: merchant,
    merchantId: merchant,
    before: { email: link.email, role: link.role },
  });
  if (await stored.deleteInvite(services.mongo, link, entry)) return;
  throw new Refusal('resource_missing');
}

type InviteFields = Omit<InviteLink, '_id' | 'created_at' | 'expires_at'>;

function makeInvite(of: InviteFields): { token: string; invite: InviteLink } {
  const { token, hash: _id } = stored.makeToken();
  const now = new Date();
  const expires_at = new Date(now.getTime() + INVITE_MS);
  return { token, invite: { _id, ...of, created_at: now, expires_at } };
}

/** Creates the invited user. Throws `Refusal` for a used link, a bad password or a taken address. */
export async function join(
  services: Pick<Services, 'mongo'>,
  link: InviteLink & { merchant_id: string; email: string },
  password: string,
): Promise<User> {
  const { merchant_id: merchantId, email, role } = link;
  const user: User = {
    _id: mintId('user'),
    merchant_id: merchantId,
    email,
    password_hash: await hashPassword(checkPassword(password)),
    role,
    created_at: new Date(),
  };
  const actor = { type: 'user', name: user._id } as const;
  const act: Act = { action: 'user.join', objectId: user._id, merchantId, after: { email, role } };
  const entry = entryOf({ actor }, act);
  try {
    if (await stored.acceptInvite(services.mongo, link, { user, entry })) return user;
  } catch (error) {
    throw duplicateOf(error) === 'email' ? taken() : error;
  }
  throw new Refusal('resource_missing', { message: 'The link has been used already.' });
}

/** Changes a user's role, and signs the user out. Throws `Refusal` for the last owner. */
export async function changeRole(
  services: TeamServices,
  options: { merchant: string; id: string; role: string },
): Promise<void> {
  await change(services, options, checkRole(options.role));
}

/** Removes a user, and signs the user out. Throws `Refusal` for the last owner. */
export async function removeUser(
  services: TeamServices,
  options: { merchant: string; id: string },
): Promise<void> {
  await change(services, options, null);
}

async function change(
  services: TeamServices,
  { merchant, id }: { merchant: string; id: string },
  role: Role | null,
): Promise<void> {
  const found = await stored.userById(services.mongo, id);
  const own = found?.merchant_id === merchant ? found : null;
  const user = requireFound(own, 'The merchant has no such user.');
  const entry = entryOf(services, {
    action: role === null ? 'user.remove' : 'user.update',
    objectId: id,
    merchantId: merchant,
    before: { email: user.email, role: roleOf(user) },
    ...(role === null ? {} : { after: { role } }),
  });
  const outcome = await stored.changeMember(services.mongo, user, { role, entry });
  if (outcome === 'missing') throw new Refusal('resource_missing');
  if (outcome === 'changed') return;
  throw Refusal.ofParam('role', 'A merchant needs an owner: make another user an owner first.');
}

function checkRole(text: string): Role {
  const role = ROLES.find((each) => each === text);
  if (role) return role;
  throw Refusal.ofParam('role', `The role must be one of: ${ROLES.join(', ')}.`);
}

function taken(): Refusal {
  return Refusal.ofParam('email', 'Another user has this e-mail address.');
}
