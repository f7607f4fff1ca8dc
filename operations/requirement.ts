/** A merchant's requirement that all its staff have a second step: an authenticator app or a passkey. */
import type { Merchant } from '../domain/merchant.ts';
import { hasSecondStep } from '../domain/user.ts';
import type { User } from '../domain/user.ts';
import { changeMerchant, findMerchant } from '../store/merchants.ts';
import { passkeysOf } from '../store/passkeys.ts';
import { Refusal, requireFound } from './refusal.ts';
import { entryOf } from './services.ts';
import type { TeamServices } from './team.ts';

type Database = Pick<TeamServices, 'mongo'>;

/** Returns true if the user has an authenticator app or a passkey. */
export async function hasAnyStep({ mongo }: Database, user: User): Promise<boolean> {
  return hasSecondStep(user) || (await passkeysOf(mongo, user._id)).length > 0;
}

/** Returns true if the user has to set up a second step before anything else. */
export async function mustSetUp(
  services: Database,
  user: User,
  { requires_second_step: isRequired = false }: Merchant,
): Promise<boolean> {
  return isRequired && !(await hasAnyStep(services, user));
}

/** Requires a second step of all staff. Throws `Refusal` if the user who does it has none. */
export async function requireSecondStep(services: TeamServices, user: User): Promise<void> {
  if (!(await hasAnyStep(services, user))) {
    throw Refusal.ofParam('second_step', 'Set up your own second step first.');
  }
  await change(services, user, true);
}

/** Lets the merchant's staff sign in with a password alone. */
export async function dropRequirement(services: TeamServices, user: User): Promise<void> {
  await change(services, user, false);
}

async function change(
  services: TeamServices,
  { merchant_id: merchantId }: User,
  isRequired: boolean,
): Promise<void> {
  const changed = await changeMerchant(services.mongo, merchantId, {
    set: { requires_second_step: isRequired },
    compose: (before, after) =>
      entryOf(services, {
        action: 'merchant.update',
        objectId: merchantId,
        merchantId,
        before,
        after,
      }),
  });
  requireFound(changed, 'There is no such merchant.', 'merchant');
}

/**
 * Throws `Refusal` if the merchant requires a second step, and the user would have none. Two
 * removals at once may pass both: then the user has to set one up at the next request.
 */
export async function keepOneStep(
  { mongo }: Database,
  user: User,
  { isLeft, param }: { isLeft: boolean; param: 'code' | 'passkey' },
): Promise<void> {
  if (isLeft) return;
  const merchant = await findMerchant(mongo, user.merchant_id);
  if (merchant?.requires_second_step !== true) return;
  throw Refusal.ofParam(param, 'Your team requires a second step. Set up another one first.');
}

/**
 * Throws `Refusal` if the merchant requires a second step, and the password is not enough because
 * the user has a passkey but no app.
 */
export async function refusePasswordAlone({ mongo }: Database, user: User): Promise<void> {
  const merchant = await findMerchant(mongo, user.merchant_id);
  if (merchant?.requires_second_step !== true) return;
  if ((await passkeysOf(mongo, user._id)).length === 0) return;
  throw Refusal.ofParam('password', 'Your team requires a second step. Sign in with your passkey.');
}
