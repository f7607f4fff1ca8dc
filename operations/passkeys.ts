/**
 * Passkeys (WebAuthn): the device proves who its user is, by a fingerprint or a PIN, so no second
 * step is needed. A passkey works only at the dashboard's own address.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { hasSecondStep } from '../domain/user.ts';
import type { Passkey, User } from '../domain/user.ts';
import { duplicateOf } from '../store/mongo.ts';
import * as stored from '../store/passkeys.ts';
import { userById } from '../store/users.ts';
import { actOn } from './account.ts';
import { Refusal } from './refusal.ts';
import { keepOneStep } from './requirement.ts';
import { entryOf } from './services.ts';
import type { TeamServices } from './team.ts';

/** The name of the service in the browser's dialogs. */
const NAME = 'Tollgate';
const MAX_PASSKEYS = 20;

/** The library is loaded at its first use. It would take a quarter of the time of a server's start. */
const library = async () => import('@simplewebauthn/server');

/** The place that passkeys belong to, and the challenge that the browser signs. */
export interface Ceremony {
  /** The dashboard's address, as in `https://dashboard.example`. */
  readonly origin: string;
  /** A random text in base64url. */
  readonly challenge: string;
  readonly expiresAt: Date;
}

const hostOf = ({ origin }: Pick<Ceremony, 'origin'>): string => new URL(origin).hostname;

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Returns the user that the device has signed in, as base64url. */
const handleOf = ({ response }: Partial<AuthenticationResponseJSON>): unknown =>
  response?.userHandle;

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** Returns the options with which a browser creates a passkey for the user. */
export async function creationOptions(
  { mongo }: Pick<TeamServices, 'mongo'>,
  user: User,
  ceremony: Ceremony,
) {
  const { generateRegistrationOptions } = await library();
  const known = await stored.passkeysOf(mongo, user._id);
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: hostOf(ceremony),
    userID: new Uint8Array(Buffer.from(user._id)),
    userName: user.email,
    challenge: bytesOf(ceremony.challenge),
    excludeCredentials: known.map(({ _id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Returns the options with which a browser signs in with a passkey of any user. */
export async function requestOptions(ceremony: Ceremony) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(ceremony),
    challenge: bytesOf(ceremony.challenge),
    userVerification: 'required',
  });
}

/** Adds a passkey. Throws `Refusal` for a response that does not fit, and for a used challenge. */
export async function addPasskey(
  services: TeamServices,
  { user, name, response }: { user: User; name: string; response: string },
  ceremony: Ceremony,
): Promise<void> {
  const { mongo } = services;
  const { verifyRegistrationResponse } = await library();
  const registration = parse(response) as RegistrationResponseJSON;
  if (!(await isAnonymous(registration))) throw wrong();
  const verified = await verifyRegistrationResponse({
    response: registration,
    expectedChallenge: ceremony.challenge,
    expectedOrigin: ceremony.origin,
    expectedRPID: hostOf(ceremony),
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified || !(await isFresh(mongo, ceremony))) throw wrong();
  if ((await stored.passkeysOf(mongo, user._id)).length >= MAX_PASSKEYS) {
    throw Refusal.ofParam('passkey', `A user has at most ${MAX_PASSKEYS} passkeys.`);
  }
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const passkey: Passkey = {
    _id: id,
    user_id: user._id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    name,
    created_at: new Date(),
    last_used_at: null,
  };
  const entry = entryOf(services, actOn(user, 'user.add_passkey', { name }));
  try {
    await stored.insertPasskey(mongo, passkey, entry);
  } catch (error) {
    throw duplicateOf(error) === '_id' ? wrong() : error;
  }
}

/**
 * Returns true if the response has no certificates of the device's maker. We ask for none, so
 * browsers remove them. Verifying those of some formats would fetch any URL that they name.
 */
async function isAnonymous({ response }: Partial<RegistrationResponseJSON>): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const bytes = bytesOf(response?.attestationObject ?? '');
    const attestation = decodeAttestationObject(bytes);
    const format = attestation.get('fmt');
    return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  } catch {
    return false; // It is no attestation at all.
  }
}

/** Returns the user whose passkey signed. Throws `Refusal` if none did, and for a used challenge. */
export async function checkPasskey(
  { mongo }: Pick<TeamServices, 'mongo'>,
  response: string,
  ceremony: Ceremony,
): Promise<User> {
  const { verifyAuthenticationResponse } = await library();
  const signed = parse(response) as AuthenticationResponseJSON;
  const passkey = typeof signed.id === 'string' ? await stored.passkeyById(mongo, signed.id) : null;
  if (!passkey || handleOf(signed) !== encode(passkey.user_id)) throw wrong();
  const { _id: id, public_key: publicKey, counter } = passkey;
  const verified = await verifyAuthenticationResponse({
    response: signed,
    expectedChallenge: ceremony.challenge,
    expectedOrigin: ceremony.origin,
    expectedRPID: hostOf(ceremony),
    credential: { id, publicKey: bytesOf(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!verified?.verified || !(await isFresh(mongo, ceremony))) throw wrong();
  const used = { counter: verified.authenticationInfo.newCounter, last_used_at: new Date() };
  const isUsed = await stored.usePasskey(mongo, passkey, used);
  const user = isUsed ? await userById(mongo, passkey.user_id) : null;
  if (user) return user;
  throw wrong();
}

/**
 * Removes a user's passkey. Throws `Refusal` if the user has no such passkey, and for the last one
 * if the merchant requires a second step and the user has no authenticator app.
 */
export async function removePasskey(
  services: TeamServices,
  { user, id }: { user: User; id: string },
): Promise<void> {
  const others = (await stored.passkeysOf(services.mongo, user._id)).filter(
    ({ _id }) => _id !== id,
  );
  const isLeft = hasSecondStep(user) || others.length > 0;
  await keepOneStep(services, user, { isLeft, param: 'passkey' });
  const entry = entryOf(services, actOn(user, 'user.remove_passkey'));
  const own = { _id: id, user_id: user._id };
  if (await stored.deletePasskey(services.mongo, own, entry)) return;
  throw new Refusal('resource_missing');
}

/** Uses the challenge up. Returns false if it is too old, or was used before. */
async function isFresh(
  mongo: TeamServices['mongo'],
  { challenge, expiresAt }: Ceremony,
): Promise<boolean> {
  if (expiresAt.getTime() <= Date.now()) return false;
  return stored.useChallenge(mongo, { _id: challenge, expires_at: expiresAt });
}

/** Returns the browser's response. Throws `Refusal` if it is no object. */
function parse(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Refused below, as any other response that does not fit.
  }
  throw wrong();
}

function wrong(): Refusal {
  return Refusal.ofParam('passkey', 'The passkey does not fit. Try again.');
}
