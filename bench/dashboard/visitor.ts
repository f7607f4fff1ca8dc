/** A signed-in owner, as a client of the dashboard. */
import { hashPassword } from '../../operations/team.ts';
import { startSession } from '../../operations/account.ts';
import type { User } from '../../domain/user.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';

export const PASSWORD = 'correct horse battery';

export interface Owner {
  readonly user: User;
  /** The header of the session. */
  readonly cookie: string;
}

/** Inserts an owner of the merchant who is signed in. */
export async function makeOwner(mongo: Mongo, merchantId: string): Promise<Owner> {
  const id = mintId('user');
  const user: User = {
    _id: id,
    merchant_id: merchantId,
    email: `${id.toLowerCase()}@shop.example`,
    password_hash: await hashPassword(PASSWORD),
    role: 'owner',
    created_at: new Date(),
  };
  await mongo.users.insertOne(user);
  const means = { means: 'password', browser: '', isKnown: true, replaced: undefined } as const;
  return { user, cookie: `tollgate-session=${await startSession({ mongo }, user, means)}` };
}
