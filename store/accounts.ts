/** How a user signs in: the password, the second step, and the end of earlier sessions. */
import type { Filter } from 'mongodb';
import type { AuditEntry } from '../domain/audit.ts';
import type { SecondStep, User } from '../domain/user.ts';
import { insertAudit } from './audit.ts';
import { mintToken } from './mint.ts';
import type { Mongo } from './mongo.ts';

interface AccountChange {
  readonly set?: Partial<Pick<User, 'password_hash' | 'second_step'>> & {
    readonly 'second_step.recovery_codes'?: readonly string[];
  };
  /** Turns the second step off. */
  readonly endsSecondStep?: boolean;
  /** The change is made only while the second step has this secret and counter. */
  readonly ofStep?: Partial<Pick<SecondStep, 'secret' | 'counter'>>;
  /** The session that goes on; null if none does. */
  readonly kept: string | null;
  /** The id of the link by which the change is made. It is used up. */
  readonly link?: string;
  readonly entry: AuditEntry;
}

/**
 * Changes how a user signs in. Ends the user's other sessions, and makes links that reset the
 * password useless. Returns the user's new epoch. Returns undefined if the link was used meanwhile,
 * the user is gone, or the second step is another one.
 */
export async function changeAccount(
  mongo: Mongo,
  { _id, merchant_id, email }: Pick<User, '_id' | 'merchant_id' | 'email'>,
  { set = {}, endsSecondStep = false, ofStep = {}, kept, link, entry }: AccountChange,
): Promise<string | undefined> {
  // A session that begins meanwhile with the old password has the old epoch, so it is over.
  const epoch = mintToken();
  const step = Object.entries(ofStep).map(([name, value]) => [`second_step.${name}`, value]);
  const filter: Filter<User> = { _id, merchant_id, ...Object.fromEntries(step) };
  const change = {
    $set: { ...set, epoch },
    ...(endsSecondStep && { $unset: { second_step: '' as const } }),
  };
  return mongo.transact(async (session) => {
    if (link !== undefined) {
      const used = await mongo.invites.deleteOne({ _id: link }, { session });
      if (used.deletedCount === 0) return undefined;
    }
    const written = await mongo.users.updateOne(filter, change, { session });
    if (written.matchedCount === 0) return undefined;
    // A lost phone may hold a passkey too.
    if (link !== undefined && endsSecondStep) {
      await mongo.passkeys.deleteMany({ user_id: _id }, { session });
    }
    const others = kept === null ? {} : { _id: { $ne: kept } };
    await mongo.sessions.deleteMany({ user_id: _id, ...others }, { session });
    if (kept !== null) {
      await mongo.sessions.updateOne({ _id: kept }, { $set: { epoch } }, { session });
    }
    await mongo.invites.deleteMany({ merchant_id, email }, { session });
    await insertAudit(mongo, session, entry);
    return epoch;
  });
}

/** Stores a second step that is not active yet. Returns false if the user has an active one. */
export async function prepareSecondStep(
  mongo: Mongo,
  { _id }: Pick<User, '_id'>,
  secondStep: SecondStep,
): Promise<boolean> {
  const filter = { _id, 'second_step.active_since': null };
  const written = await mongo.users.updateOne(filter, { $set: { second_step: secondStep } });
  return written.matchedCount === 1;
}

/**
 * Records the outcome of a code. Returns false, and changes nothing, if another code was checked
 * meanwhile: of two that come at once, only one counts.
 */
export async function recordCode(
  mongo: Mongo,
  { _id, seen }: { _id: string; seen: SecondStep },
  now: Pick<SecondStep, 'counter' | 'misses' | 'retry_at'>,
): Promise<boolean> {
  const asSeen = {
    _id,
    'second_step.secret': seen.secret,
    'second_step.counter': seen.counter,
    'second_step.misses': seen.misses,
  };
  const set = {
    'second_step.counter': now.counter,
    'second_step.misses': now.misses,
    'second_step.retry_at': now.retry_at,
  };
  const written = await mongo.users.updateOne(asSeen, { $set: set });
  return written.matchedCount === 1;
}

/** Uses a recovery code up. Returns false if the user has no such code, or it was used meanwhile. */
export async function useRecoveryCode(mongo: Mongo, _id: string, hash: string): Promise<boolean> {
  const written = await mongo.users.updateOne(
    { _id, 'second_step.recovery_codes': hash },
    {
      $pull: { 'second_step.recovery_codes': hash },
      $set: { 'second_step.misses': 0, 'second_step.retry_at': null },
    },
  );
  return written.matchedCount === 1;
}
