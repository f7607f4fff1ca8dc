/**
 * The second step of signing in: codes of an authenticator app (RFC 6238), and recovery codes for
 * its loss. Each code works once.
 */
import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { waitAfter } from '../domain/user.ts';
import type { SecondStep, User } from '../domain/user.ts';
import {
  changeAccount,
  prepareSecondStep,
  recordCode,
  useRecoveryCode,
} from '../store/accounts.ts';
import { passkeysOf } from '../store/passkeys.ts';
import { actOn } from './account.ts';
import type { Means } from './account.ts';
import { Refusal } from './refusal.ts';
import { keepOneStep } from './requirement.ts';
import { entryOf } from './services.ts';
import type { Services } from './services.ts';

type StepServices = Pick<Services, 'mongo' | 'actor' | 'sealer'>;

const ISSUER = 'Tollgate';
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** The steps of 30 s before and after the current one whose codes are right: clocks differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 32 letters and digits that are hard to confuse, so 16 of them have 80 bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RECOVERY_CHARS = 16;
const GROUP = /.{4}(?=.)/g;

/** A user, and the session in which the user changes the second step. It goes on. */
interface Own {
  readonly user: User;
  readonly kept: string;
}

/** The data for setting up an authenticator app. */
export interface Setup {
  /** In base32, for people who cannot scan the QR code. */
  readonly secret: string;
  /** The `otpauth://` address for the QR code. */
  readonly uri: string;
}

/**
 * Creates the secret of an authenticator app. It is not active until its first right code. Throws
 * `Refusal` if the user has an active one.
 */
export async function prepare({ mongo, sealer }: StepServices, user: User): Promise<Setup> {
  const { base32 } = new Secret({ size: SECRET_BYTES });
  const made: SecondStep = {
    secret: sealer.seal(base32, user._id),
    active_since: null,
    counter: 0,
    misses: 0,
    retry_at: null,
    recovery_codes: [],
  };
  if (await prepareSecondStep(mongo, user, made)) return setupOf(user, base32);
  throw Refusal.ofParam('code', 'The second step is on already.');
}

/** Returns the setup that waits for its first code; undefined if there is none. */
export function preparedOf({ sealer }: StepServices, user: User): Setup | undefined {
  const { second_step: step } = user;
  if (!step || step.active_since !== null) return undefined;
  return setupOf(user, sealer.unseal(step.secret, user._id));
}

function setupOf(user: User, base32: string): Setup {
  return { secret: base32, uri: totpOf(base32, user.email).toString() };
}

function totpOf(base32: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(base32) });
}

/**
 * Turns the second step on with the first code of the app. Returns the recovery codes, which are
 * shown only once. Throws `Refusal` for a wrong code.
 */
export async function activate(
  services: StepServices,
  { user, kept }: Own,
  code: string,
): Promise<string[]> {
  const { mongo, sealer } = services;
  const { second_step: step } = user;
  if (!step || step.active_since !== null) throw new Refusal('resource_missing');
  const counter = counterOf(sealer.unseal(step.secret, user._id), code);
  if (counter === undefined) throw wrong();
  const { codes, hashes } = makeRecoveryCodes(user);
  const second_step = { ...step, active_since: new Date(), counter, recovery_codes: hashes };
  const entry = entryOf(services, actOn(user, 'user.enable_second_step'));
  const ofStep = { secret: step.secret, counter: step.counter };
  const change = { set: { second_step }, ofStep, kept, entry };
  if ((await changeAccount(mongo, user, change)) !== undefined) return codes;
  throw new Refusal('resource_missing');
}

/** Replaces the recovery codes. Takes a code, and throws as `checkCode`. Returns the new ones. */
export async function renewRecoveryCodes(
  services: StepServices,
  { user, kept }: Own,
  code: string,
): Promise<string[]> {
  await checkCode(services, user, code);
  const { codes, hashes } = makeRecoveryCodes(user);
  const entry = entryOf(services, actOn(user, 'user.renew_recovery_codes'));
  const set = { 'second_step.recovery_codes': hashes };
  const change = { set, ofStep: secretOf(user), kept, entry };
  if ((await changeAccount(services.mongo, user, change)) !== undefined) return codes;
  throw new Refusal('resource_missing');
}

/**
 * Turns the second step off. Takes a code, and throws as `checkCode`. Throws `Refusal` if the
 * merchant requires a second step and the user has no passkey.
 */
export async function turnOff(
  services: StepServices,
  { user, kept }: Own,
  code: string,
): Promise<void> {
  const isLeft = (await passkeysOf(services.mongo, user._id)).length > 0;
  await keepOneStep(services, user, { isLeft, param: 'code' });
  await checkCode(services, user, code);
  const entry = entryOf(services, actOn(user, 'user.disable_second_step'));
  const change = { endsSecondStep: true, ofStep: secretOf(user), kept, entry };
  if ((await changeAccount(services.mongo, user, change)) !== undefined) return;
  throw new Refusal('resource_missing');
}

/**
 * Uses up a code of the app, or a recovery code. Returns which it was. Throws `Refusal` for a wrong
 * or used code, and while the user has to wait after wrong ones.
 */
export async function checkCode(
  { mongo, sealer }: Pick<StepServices, 'mongo' | 'sealer'>,
  user: User,
  text: string,
): Promise<Means> {
  const { _id, second_step: seen } = user;
  if (!seen || seen.active_since === null) throw new Refusal('resource_missing');
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (code.length === RECOVERY_CHARS) {
    if (!(await useRecoveryCode(mongo, _id, hashOf(_id, code)))) throw wrong();
    return 'recovery_code';
  }
  const now = Date.now();
  if (seen.retry_at !== null && seen.retry_at.getTime() > now) throw tooMany(seen.retry_at, now);
  const found = counterOf(sealer.unseal(seen.secret, _id), code);
  const counter = found !== undefined && found > seen.counter ? found : undefined;
  const misses = seen.misses + 1;
  const waitMs = waitAfter(misses);
  const after =
    counter === undefined
      ? { counter: seen.counter, misses, retry_at: waitMs > 0 ? new Date(now + waitMs) : null }
      : { counter, misses: 0, retry_at: null };
  // The same refusal for a lost race, so that of many guesses at once only one is answered.
  const isRecorded = await recordCode(mongo, { _id, seen }, after);
  if (!isRecorded || counter === undefined) throw wrong();
  return 'code';
}

const secretOf = ({ second_step: step }: User): Pick<SecondStep, 'secret'> => ({
  secret: step?.secret ?? '',
});

/** Returns the time step of a right code, even if it was used; undefined for a wrong one. */
function counterOf(base32: string, text: string): number | undefined {
  const token = text.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const totp = totpOf(base32);
  const timestamp = Date.now();
  const delta = totp.validate({ token, window: WINDOW, timestamp });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

function makeRecoveryCodes({ _id }: User): { codes: string[]; hashes: string[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
  return {
    codes: plain.map((code) => code.replaceAll(GROUP, '$&-')),
    hashes: plain.map((code) => hashOf(_id, code)),
  };
}

/** A plain hash is enough, because a code has 80 random bits. */
function hashOf(userId: string, code: string): string {
  return createHash('sha256').update(`${userId} ${code}`).digest('hex');
}

function wrong(): Refusal {
  return Refusal.ofParam('code', 'The code is not right, or was used already.');
}

function tooMany(retryAt: Date, now: number): Refusal {
  const seconds = Math.ceil((retryAt.getTime() - now) / 1_000);
  const message = `Too many wrong codes: try again in ${Math.ceil(seconds / 60)} min.`;
  const headers = { 'Retry-After': String(seconds) };
  return new Refusal('too_many_requests', { message, param: 'code', headers });
}
