/** Merchants and users: links for people, because the service sends no e-mail. */
import type { Config } from '../config.ts';
import { roleOf, hasSecondStep } from '../domain/user.ts';
import { createResetByEmail } from '../operations/account.ts';
import { requireMerchant } from '../operations/checks.ts';
import type { Services, Shown } from '../operations/services.ts';
import { inviteOwner } from '../operations/team.ts';
import { listUsers } from '../store/users.ts';
import { hasOwnUser } from './demo.ts';

type UserServices = Pick<Services, 'mongo' | 'actor'> & { config: Pick<Config, 'urls'> };

/** Creates the link that lets its reader create a merchant. */
export async function inviteMerchant(
  services: UserServices,
  options: { email?: string },
): Promise<Shown> {
  const { token, invite } = await inviteOwner(services, options);
  return { link: addressOf(services, `/invite/${token}`), expires_at: invite.expires_at };
}

/** Creates that link for `npm start`. Returns null if there is a user besides those of the demo. */
export async function inviteFirstMerchant(services: UserServices): Promise<string | null> {
  if (await hasOwnUser(services.mongo)) return null;
  const { token } = await inviteOwner(services);
  return addressOf(services, `/invite/${token}`);
}

/** Creates the link that lets a user set a new password. */
export async function resetUser(
  services: UserServices,
  { email, secondStep = false }: { email: string; secondStep?: boolean },
): Promise<Shown> {
  const options = { email, endsSecondStep: secondStep };
  const { token, expires_at } = await createResetByEmail(services, options);
  return { link: addressOf(services, `/reset/${token}`), expires_at };
}

/** Returns a merchant's users, newest first. */
export async function showUsers(
  services: UserServices,
  { merchant }: { merchant: string },
): Promise<{ users: Shown[] }> {
  await requireMerchant(services, merchant);
  const users = await listUsers(services.mongo, merchant);
  return {
    users: users.map((user) => ({
      id: user._id,
      email: user.email,
      role: roleOf(user),
      second_step: hasSecondStep(user),
      created_at: user.created_at,
    })),
  };
}

function addressOf({ config }: Pick<UserServices, 'config'>, path: string): string {
  return config.urls.dashboard.replace(/\/$/, '') + path;
}
