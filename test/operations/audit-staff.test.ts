/** Every act on the merchant's staff is recorded in the audit, and fails if it cannot be. */
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../domain/audit.ts';
import type { Action, AuditEntry } from '../../domain/audit.ts';
import { isReset } from '../../domain/user.ts';
import type { InviteLink, User } from '../../domain/user.ts';
import * as account from '../../operations/account.ts';
import { createMerchant } from '../../operations/merchant.ts';
import { removePasskey } from '../../operations/passkeys.ts';
import * as secondStep from '../../operations/second-step.ts';
import * as team from '../../operations/team.ts';
import { mintId } from '../../store/mint.ts';
import { hashOfToken } from '../../store/users.ts';
import { ACTOR, withoutAudit } from '../support/audit.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { useGround } from './ground.ts';

const ground = await useGround('staff_acts');
const { mongo } = ground;
const services = { mongo, actor: ACTOR, sealer };
const PASSWORD = 'correct horse battery';
const STEP_MS = 30_000;

interface Objects {
  readonly user: User;
  readonly invite: InviteLink;
  readonly inviteToken: string;
  readonly resetToken: string;
  /** The code of the user's app at that step from now. */
  readonly code: (step: number) => string;
}

const address = (): string => `${mintId('user').toLowerCase()}@shop.example`;
const read = async (id: string): Promise<User> => (await mongo.users.findOne({ _id: id }))!;

/** Makes a merchant with two owners, one of whom is setting up an app. */
async function setUp(): Promise<Objects> {
  const email = address();
  const made = await createMerchant(services, { name: 'Shop', email, locale: 'en' });
  const first = (await mongo.users.findOne({ email }))!;
  const _id = mintId('user');
  const second = { ...first, _id, email: address() };
  await mongo.users.insertOne(second);
  const invited = { merchant: made.merchant_id, email: address(), role: 'support' };
  const { token: inviteToken, invite } = await team.invite(services, invited);
  const reset = { merchant: made.merchant_id, id: _id, endsSecondStep: true };
  const { token: resetToken } = await account.createReset(services, reset);
  const { secret } = await secondStep.prepare(services, second);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = (step: number) => totp.generate({ timestamp: Date.now() + step * STEP_MS });
  return { user: await read(_id), invite, inviteToken, resetToken, code };
}

const own = (user: User) => ({ user, kept: 'none' });
const of = ({ merchant_id: merchant, _id: id }: User) => ({ merchant, id });

async function turnedOn({ user, code }: Objects): Promise<User> {
  await secondStep.activate(services, own(user), code(-1));
  return read(user._id);
}

/** Prepares an act, and returns it. */
type Prepare = (objects: Objects) => Promise<() => Promise<unknown>>;

const ACTS: readonly (readonly [Action, Prepare])[] = [
  ['merchant.invite', async () => async () => team.inviteOwner(services)],
  [
    'user.invite',
    async ({ user }) =>
      async () =>
        team.invite(services, { merchant: user.merchant_id, email: address(), role: 'support' }),
  ],
  [
    'user.withdraw_invite',
    async ({ invite, user }) =>
      async () =>
        team.withdrawInvite(services, { merchant: user.merchant_id, id: invite._id }),
  ],
  [
    'user.join',
    async ({ inviteToken }) => {
      const link = (await mongo.invites.findOne({ _id: hashOfToken(inviteToken) }))!;
      const { merchant_id, email } = link;
      const named = { ...link, merchant_id: String(merchant_id), email: String(email) };
      return async () => team.join(services, named, PASSWORD);
    },
  ],
  [
    'user.update',
    async ({ user }) =>
      async () =>
        team.changeRole(services, { ...of(user), role: 'support' }),
  ],
  [
    'user.remove',
    async ({ user }) =>
      async () =>
        team.removeUser(services, of(user)),
  ],
  [
    'user.sign_in',
    async ({ user }) => {
      const means = { means: 'code', browser: 'Firefox', isKnown: false } as const;
      return async () => account.startSession(services, user, { ...means, replaced: undefined });
    },
  ],
  [
    'user.change_password',
    async ({ user }) =>
      async () =>
        account.changePassword(services, user, PASSWORD),
  ],
  [
    'user.create_reset',
    async ({ user }) =>
      async () =>
        account.createReset(services, { ...of(user), endsSecondStep: false }),
  ],
  [
    'user.reset_password',
    async ({ resetToken }) => {
      const link = await mongo.invites.findOne({ _id: hashOfToken(resetToken) });
      if (!link || !isReset(link)) throw new Error('There is no link.');
      return async () => account.resetPassword(services, link, PASSWORD);
    },
  ],
  [
    'user.enable_second_step',
    async ({ user, code }) =>
      async () =>
        secondStep.activate(services, own(user), code(0)),
  ],
  [
    'user.renew_recovery_codes',
    async (objects) => {
      const user = await turnedOn(objects);
      return async () => secondStep.renewRecoveryCodes(services, own(user), objects.code(0));
    },
  ],
  [
    'user.remove_passkey',
    async ({ user }) => {
      const _id = mintId('key');
      const fields = { public_key: '', counter: 0, name: '', created_at: new Date() };
      await mongo.passkeys.insertOne({ _id, user_id: user._id, ...fields, last_used_at: null });
      return async () => removePasskey(services, { user, id: _id });
    },
  ],
  [
    'user.disable_second_step',
    async (objects) => {
      const user = await turnedOn(objects);
      return async () => secondStep.turnOff(services, own(user), objects.code(0));
    },
  ],
];

const entries = async (): Promise<AuditEntry[]> =>
  mongo.auditEntries.find().sort({ _id: 1 }).toArray();

/** Returns the users, links and sessions, without the codes that were used up. */
async function everything(): Promise<string> {
  const rows = await Promise.all([
    mongo.merchants.find().sort({ _id: 1 }).toArray(),
    mongo.users.find().sort({ _id: 1 }).toArray(),
    mongo.invites.find().sort({ _id: 1 }).toArray(),
    mongo.passkeys.find().sort({ _id: 1 }).toArray(),
    mongo.sessions.find().sort({ _id: 1 }).toArray(),
    entries(),
  ]);
  return JSON.stringify(rows, (key, value: unknown) => (key === 'counter' ? undefined : value));
}

describe('every act on the staff', () => {
  it.each(ACTS)('%s is recorded once, with its actor and without a secret', async (action, set) => {
    const objects = await setUp();
    const act = await set(objects);
    const before = await entries();
    await act();
    const added = (await entries()).slice(before.length);
    expect(added.map((entry) => entry.action)).toEqual([action]);
    const text = JSON.stringify(added);
    const users = await mongo.users.find().toArray();
    const hidden = [
      PASSWORD,
      objects.inviteToken,
      objects.resetToken,
      objects.invite._id,
      ...users.map((user) => user.password_hash),
      ...users.flatMap(({ second_step: step }) => step?.recovery_codes ?? []),
      ...users.flatMap(({ second_step: step }) => step?.secret ?? []),
      ...users.flatMap(({ epoch }) => epoch ?? []),
    ];
    expect(hidden.filter((each) => text.includes(each))).toEqual([]);
  });

  it.each(ACTS)('%s fails if it cannot be recorded', async (_, set) => {
    const act = await set(await setUp());
    const before = await everything();
    await expect(withoutAudit(mongo, act)).rejects.toThrow('The audit cannot be written.');
    expect(await everything()).toBe(before);
  });

  it('is in this table, except adding a passkey, which needs a browser', () => {
    const tested = [...ACTS.map(([action]) => action), 'user.add_passkey'];
    const ofStaff = ACTIONS.filter((action) => /^user\.|^merchant\.invite$/.test(action));
    expect(ofStaff.filter((action) => !tested.includes(action))).toEqual([]);
  });
});
