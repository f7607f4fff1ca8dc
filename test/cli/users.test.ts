/** Merchants and users, by the commands that an operator runs. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inviteFirstMerchant } from '../../cli/users.ts';
import { mintId } from '../../store/mint.ts';
import { hashOfToken } from '../../store/users.ts';
import { useDatabase } from '../store/database.ts';
import { ACTOR, entriesAbout } from '../support/audit.ts';
import { tollgate } from './command.ts';

const database = await useDatabase('cli_users');
const { mongo } = database;
const environment = {
  MONGODB_URI: Object.assign(new URL(database.uri), { pathname: `/${database.name}` }).href,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  DASHBOARD_URL: 'https://dashboard.example/',
};

async function command(...args: string[]) {
  const { code, stdout, stderr } = await tollgate([...args, '--json'], environment);
  const text = code === 0 ? stdout : stderr;
  return { code, json: JSON.parse(text) as Record<string, unknown> };
}

const tokenOf = (link: unknown): string => String(link).split('/').at(-1) ?? '';
const address = (): string => `${mintId('user').toLowerCase()}@shop.example`;

/** Creates a merchant with its first user. Returns their ids and the address. */
async function hire() {
  const email = address();
  const { json } = await command('merchant', 'create', '--name', 'Shop', '--email', email);
  const user = (await mongo.users.findOne({ email }))!;
  return { email, merchant: String(json['merchant_id']), user };
}

describe('tollgate merchant invite', () => {
  it('prints a link that creates a merchant, and replaces the earlier one', async () => {
    const [first, second] = [
      await command('merchant', 'invite'),
      await command('merchant', 'invite'),
    ];
    expect(String(second.json['link'])).toMatch(
      /^https:\/\/dashboard\.example\/invite\/[\w-]{43}$/,
    );
    const [old, link] = [first, second].map(({ json }) => hashOfToken(tokenOf(json['link'])));
    expect(await mongo.invites.findOne({ _id: old! })).toBeNull();
    expect(await mongo.invites.findOne({ _id: link! })).toMatchObject({
      merchant_id: null,
      email: null,
      role: 'owner',
    });
  });

  it('prints a link for one address beside the others', async () => {
    const open = await command('merchant', 'invite');
    const email = address();
    const { json } = await command('merchant', 'invite', '--email', email);
    const rows = await mongo.invites.find({ merchant_id: null }).toArray();
    expect(rows.map((row) => row._id).toSorted()).toEqual(
      [open.json, json].map(({ link }) => hashOfToken(tokenOf(link))).toSorted(),
    );
  });

  it('refuses the address of a user', async () => {
    const { email } = await hire();
    expect((await command('merchant', 'invite', '--email', email)).code).toBe(2);
  });
});

describe('tollgate user', () => {
  it('reset prints a link, and records who made it', async () => {
    const { email, merchant, user } = await hire();
    const { json } = await command('user', 'reset', '--email', email.toUpperCase());
    expect(String(json['link'])).toMatch(/^https:\/\/dashboard\.example\/reset\/[\w-]{43}$/);
    const link = await mongo.invites.findOne({ _id: hashOfToken(tokenOf(json['link'])) });
    expect(link).toMatchObject({
      merchant_id: merchant,
      user_id: user._id,
      ends_second_step: false,
    });
    const [entry] = await entriesAbout(mongo, user._id);
    expect(entry).toMatchObject({ action: 'user.create_reset', actor: { type: 'operator' } });
    await command('user', 'reset', '--email', email, '--second-step');
    const links = await mongo.invites.find({ user_id: user._id }).toArray();
    expect(links.map(({ ends_second_step: ends }) => ends)).toEqual([true]);
  });

  it('reset refuses an unknown address', async () => {
    expect((await command('user', 'reset', '--email', address())).code).toBe(2);
  });

  it('list shows the users of a merchant, without secrets', async () => {
    const { email, merchant, user } = await hire();
    const { json } = await command('user', 'list', '--merchant', merchant);
    expect(json['users']).toEqual([
      {
        id: user._id,
        email,
        role: 'owner',
        second_step: false,
        created_at: user.created_at.toISOString(),
      },
    ]);
    expect((await command('user', 'list', '--merchant', mintId('merchant'))).code).toBe(2);
  });
});

describe('the link that npm start prints', () => {
  it('is there until somebody besides the demo has a user', async () => {
    await mongo.users.deleteMany({});
    const config = { urls: { dashboard: 'http://localhost:8082' } };
    const services = { mongo, actor: ACTOR, config } as never;
    expect(await inviteFirstMerchant(services)).toContain('http://localhost:8082/invite/');
    const { user } = await hire();
    expect(await inviteFirstMerchant(services)).toBeNull();
    const demo = { $set: { email: 'demo-0a1b2c@example.com' } };
    await mongo.users.updateOne({ _id: user._id }, demo);
    expect(await inviteFirstMerchant(services)).toContain('/invite/');
  });
});
