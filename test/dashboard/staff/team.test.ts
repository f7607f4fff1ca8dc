/** Invitations, roles and removal. */
import { describe, expect, it } from 'vitest';
import { MAX_TEAM } from '../../../domain/user.ts';
import { createReset } from '../../../operations/account.ts';
import { inviteOwner, invite as inviteUser } from '../../../operations/team.ts';
import { dial } from '../../http/testserver.ts';
import { entriesAbout } from '../../support/audit.ts';
import { until } from '../../support/until.ts';
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

describe('a link of the team', () => {
  it.each([
    ['is removed', 'remove', {}],
    ['is no owner any more', 'role', { role: 'developer' }],
  ])('is useless once the owner who made it %s', async (_, act, form) => {
    const [owner, hostile] = [await ground.signIn('owner'), await ground.signIn('owner')];
    const made = await hostile.post('/team', { email: 'back@door.example', role: 'owner' });
    const invited = /\/invite\/[\w-]{43}/.exec(made.html)![0];
    const reset = await hostile.post(`/team/${owner.user._id}/reset`, { second_step: 'off' });
    const path = /\/reset\/[\w-]{43}/.exec(reset.html)![0];
    const kept = await invite('friend@shop.example');
    await owner.post(`/team/${hostile.user._id}/${act}`, form);
    expect((await ground.browse().post(invited, { password: PASSWORD })).status).toBe(404);
    expect((await ground.browse().post(path, { password: PASSWORD })).status).toBe(404);
    expect((await ground.browse().get(kept)).status).toBe(200);
  });

  it('is not made by an owner who was removed since the request was checked', async () => {
    const [owner, hostile] = [await ground.signIn('owner'), await ground.signIn('owner')];
    await owner.post(`/team/${hostile.user._id}/remove`);
    const services = { ...ground, actor: { type: 'user', name: hostile.user._id } } as const;
    const invited = { merchant: merchant._id, email: 'late@door.example', role: 'owner' };
    await expect(inviteUser(services, invited)).rejects.toThrow();
    const of = { merchant: merchant._id, id: owner.user._id, endsSecondStep: true };
    await expect(createReset(services, of)).rejects.toThrow();
    expect(await mongo.invites.findOne({ created_by: hostile.user._id })).toBeNull();
  });

  it('is not made by a form that ends after the removal of its sender', async () => {
    const [owner, hostile] = [await ground.signIn('owner'), await ground.signIn('owner')];
    const { html } = await hostile.get('/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
    const form = new URLSearchParams({
      csrf,
      email: 'slow@door.example',
      role: 'owner',
    }).toString();
    const head = [
      'POST /team HTTP/1.1',
      `Host: ${new URL(ground.url).host}`,
      `Origin: ${ground.url}`,
      `Cookie: tollgate-session=${hostile.cookies.get('tollgate-session')!}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${form.length}`,
      'Connection: close',
    ];
    const text = `${head.join('\r\n')}\r\n\r\n${form.slice(0, 10)}`;
    const line = await dial(Number(new URL(ground.url).port), text);
    // The server has the head before these requests.
    await hostile.get('/account');
    await owner.post(`/team/${hostile.user._id}/remove`);
    line.socket.write(form.slice(10));
    await until(() => line.isClosed, Boolean);
    expect(line.text).toMatch(/^HTTP\/1.1 303 [^]*Location: \/sign-in/i);
  });

  it('is refused for an address with characters that nobody sees', async () => {
    const owner = await ground.signIn('owner');
    for (const email of [
      'bo\u202Ess@shop.example',
      'boss\u200B@shop.example',
      'a\u0000@b.example',
    ]) {
      expect((await owner.post('/team', { email, role: 'support' })).status).toBe(422);
    }
  });

  it('is refused if the team is full, even if two come at once for the last place', async () => {
    const merchantId = await ground.addMerchant();
    const owner = await ground.signIn('owner', merchantId);
    const size = await mongo.users.countDocuments({ merchant_id: merchantId });
    const rows = Array.from({ length: MAX_TEAM - size - 1 }, (_, n) => ({
      _id: `inv-${merchantId}-${n}`,
      merchant_id: merchantId,
      email: `${n}@full.example`,
      role: 'support' as const,
      created_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
    }));
    await mongo.invites.insertMany(rows);
    const send = async (email: string) => owner.post('/team', { email, role: 'support' });
    const both = await Promise.all([send('one@full.example'), send('two@full.example')]);
    expect(statusesOf(both)).toEqual([200, 422]);
    // A new link for somebody who is invited already takes no place.
    expect((await send('1@full.example')).status).toBe(200);
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
