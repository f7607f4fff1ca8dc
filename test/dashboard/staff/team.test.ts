/** Invitations, roles and removal. */
import { describe, expect, it } from 'vitest';
import { inviteOwner } from '../../../operations/team.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openGround, PASSWORD } from '../harness.ts';
import { isSignedIn, statusesOf } from './person.ts';

const ground = await openGround('dashboard-team');
const { mongo, merchant } = ground;

/** Invites somebody, and returns the path of the link that the page shows. */
async function invite(email: string, role = 'support'): Promise<string> {
  const owner = await ground.signIn('owner');
  const { html } = await owner.post('/team', { email, role });
  return /\/invite\/[\w-]{43}/.exec(html)?.[0] ?? '';
}

describe('an invitation', () => {
  it('makes a user with the role, once, even if it is used twice at once', async () => {
    const path = await invite('new@shop.example', 'developer');
    const send = async () => {
      const browser = ground.browse();
      return [browser, await browser.post(path, { password: PASSWORD })] as const;
    };
    const both = await Promise.all([send(), send()]);
    const statuses = both.map(([, { status }]) => status);
    // The loser finds the address taken, or the link used.
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404 || status === 422)).toHaveLength(1);
    const users = await mongo.users.find({ email: 'new@shop.example' }).toArray();
    expect(users.map(({ role, merchant_id }) => [role, merchant_id])).toEqual([
      ['developer', merchant._id],
    ]);
    expect((await ground.browse().get(path)).status).toBe(404);
  });

  it('cannot choose another address, role or merchant', async () => {
    const path = await invite('fixed@shop.example', 'read_only');
    const form = { password: PASSWORD, email: 'other@shop.example', role: 'owner', name: 'Shop' };
    await ground.browse().post(path, form);
    const user = await mongo.users.findOne({ email: 'fixed@shop.example' });
    expect([user?.role, user?.merchant_id]).toEqual(['read_only', merchant._id]);
    expect(await mongo.users.findOne({ email: 'other@shop.example' })).toBeNull();
  });

  it('is useless once it is withdrawn, replaced or expired', async () => {
    const first = await invite('late@shop.example');
    const second = await invite('late@shop.example');
    expect((await ground.browse().get(first)).status).toBe(404);
    expect((await ground.browse().get(second)).status).toBe(200);
    const owner = await ground.signIn('owner');
    const { html } = await owner.get('/team');
    const row = html.slice(html.indexOf('late@shop.example'));
    const withdraw = /\/team\/invites\/[0-9a-f]{64}\/withdraw/.exec(row)![0];
    expect((await owner.post(withdraw)).to).toBe('/team?done=invite_withdrawn');
    expect((await owner.post(withdraw)).status).toBe(404);
    expect((await ground.browse().post(second, { password: PASSWORD })).status).toBe(404);
    const third = await invite('late@shop.example');
    await mongo.invites.updateMany({}, { $set: { expires_at: new Date(0) } });
    expect((await ground.browse().post(third, { password: PASSWORD })).status).toBe(404);
  });

  it('is refused for the address of another user, of any merchant', async () => {
    const owner = await ground.signIn('owner');
    const { user } = await ground.signIn('support', await ground.addMerchant());
    const form = { email: user.email.toUpperCase(), role: 'support' };
    expect((await owner.post('/team', form)).status).toBe(422);
  });

  it('to create a merchant works once, even if it is used twice at once', async () => {
    const { token } = await inviteOwner(ground);
    const send = async (email: string) => {
      const form = { name: 'Book shop', email, password: PASSWORD, locale: 'en' };
      return ground.browse().post(`/invite/${token}`, form);
    };
    const replies = await Promise.all([send('a@books.example'), send('b@books.example')]);
    expect(statusesOf(replies)).toEqual([303, 404]);
    expect(await mongo.merchants.find({ name: 'Book shop' }).toArray()).toHaveLength(1);
  });

  it('to create a merchant is recorded under the id that the merchant gets', async () => {
    const { token } = await inviteOwner(ground, { email: 'tea@books.example' });
    const form = { name: 'Tea books', password: PASSWORD, locale: 'en' };
    await ground.browse().post(`/invite/${token}`, form);
    const made = (await mongo.merchants.findOne({ name: 'Tea books' }))!;
    const entries = await entriesAbout(mongo, made._id);
    expect(entries.map(({ action }) => action)).toEqual(['merchant.invite', 'merchant.create']);
  });
});

describe('changing a role', () => {
  it('ends the sessions of the user at once', async () => {
    const [owner, member] = [await ground.signIn('owner'), await ground.signIn('owner')];
    const path = `/team/${member.user._id}/role`;
    expect((await owner.post(path, { role: 'support' })).to).toBe('/team?done=role_changed');
    expect(await isSignedIn(member)).toBe(false);
    expect((await mongo.users.findOne({ _id: member.user._id }))?.role).toBe('support');
  });

  it('refuses an unknown role', async () => {
    const [owner, member] = [await ground.signIn('owner'), await ground.signIn('support')];
    const path = `/team/${member.user._id}/role`;
    expect((await owner.post(path, { role: 'admin' })).status).toBe(422);
    expect(await isSignedIn(member)).toBe(true);
  });

  it('keeps an owner, even if the last two remove each other at once', async () => {
    const merchantId = await ground.addMerchant();
    await mongo.users.deleteMany({ merchant_id: merchantId });
    const [one, other] = [
      await ground.signIn('owner', merchantId),
      await ground.signIn('owner', merchantId),
    ];
    await Promise.all([
      one.post(`/team/${other.user._id}/remove`),
      other.post(`/team/${one.user._id}/role`, { role: 'support' }),
    ]);
    const left = await mongo.users.find({ merchant_id: merchantId, role: 'owner' }).toArray();
    expect(left).toHaveLength(1);
    const last = left[0]!._id === one.user._id ? one : other;
    const refused = await last.post(`/team/${last.user._id}/remove`);
    expect(refused.status).toBe(422);
  });
});
