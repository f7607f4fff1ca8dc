/** Changing the password, and links that set a new one. */
import { describe, expect, it } from 'vitest';
import { createReset, createResetByEmail } from '../../../operations/account.ts';
import { hashOfToken } from '../../../store/users.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openGround, PASSWORD } from '../harness.ts';
import { enterPassword, isSignedIn, withApp, statusesOf } from './person.ts';

const ground = await openGround('dashboard-account');
const { mongo, merchant } = ground;

const NEW = 'another good password';
const LONG_AGO = new Date(Date.now() - 3_600_000);

const canSignIn = async (email: string, password: string): Promise<boolean> => {
  const { status } = await ground.browse().post('/sign-in', { email, password });
  return status === 303;
};

describe('POST /account/password', () => {
  it('asks for the old password, and refuses a short or very long new one', async () => {
    const person = await ground.signIn('support');
    for (const new_password of ['short', 'x'.repeat(201)]) {
      expect((await person.post('/account/password', { new_password })).status).toBe(422);
    }
    await mongo.sessions.updateMany(
      { user_id: person.user._id },
      { $set: { confirmed_at: LONG_AGO } },
    );
    for (const password of ['', 'wrong']) {
      const form = { new_password: NEW, password };
      expect((await person.post('/account/password', form)).status).toBe(422);
    }
    expect(await canSignIn(person.user.email, PASSWORD)).toBe(true);
  });

  it('signs the user out in other browsers, and is recorded without the password', async () => {
    const person = await ground.signIn('support');
    const other = await enterPassword(ground, person);
    const reply = await person.post('/account/password', { new_password: NEW });
    expect(reply.to).toBe('/account?done=password_changed');
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
    const { email, _id } = person.user;
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, NEW)]).toEqual([false, true]);
    const entries = await entriesAbout(mongo, _id);
    expect(entries.map(({ action }) => action)).toContain('user.change_password');
    expect(JSON.stringify(entries)).not.toContain(NEW);
  });
});

describe('a changed password', () => {
  it('makes every copy of the cookie useless, of this browser too', async () => {
    const person = await ground.signIn('support');
    const thief = ground.browse();
    for (const [name, value] of person.cookies) thief.cookies.set(name, value);
    expect(await isSignedIn(thief)).toBe(true);
    await person.post('/account/password', { new_password: NEW });
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([true, false]);
    const rows = await mongo.sessions.find({ user_id: person.user._id }).toArray();
    expect(rows.map(({ _id }) => _id)).toEqual([
      hashOfToken(person.cookies.get('tollgate-session')!),
    ]);
  });

  it.each(['password1234', 'Password-1234', '111111111111'])('cannot be %s', async (common) => {
    const person = await ground.signIn('support');
    const reply = await person.post('/account/password', { new_password: common });
    expect([reply.status, reply.html.includes('too common')]).toEqual([422, true]);
  });

  it('waits for its hash with few others of the merchant', async () => {
    const person = await ground.signIn('support');
    await person.get('/account');
    const all = Array.from({ length: 20 }, async () =>
      person.post('/account/password', { new_password: NEW }),
    );
    const statuses = statusesOf(await Promise.all(all));
    expect(statuses).toContain(303);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a link for a new password', () => {
  it('sets it once, ends all sessions, and leads to the sign-in page', async () => {
    const person = await ground.signIn('support');
    const { email } = person.user;
    const { token } = await createResetByEmail(ground, { email, endsSecondStep: false });
    const path = `/reset/${token}`;
    expect((await ground.browse().get(path)).html).toContain(email);
    expect((await ground.browse().post(path, { password: 'short' })).status).toBe(422);
    const send = async () => ground.browse().post(path, { password: NEW });
    const replies = await Promise.all([send(), send()]);
    expect(statusesOf(replies)).toEqual([303, 404]);
    expect(replies.map(({ to }) => to)).toContain('/sign-in?done=password_reset');
    expect(await isSignedIn(person)).toBe(false);
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, NEW)]).toEqual([false, true]);
    expect((await ground.browse().get(path)).status).toBe(404);
  });

  it('keeps the second step on, unless it was asked to turn it off', async () => {
    const person = await withApp(ground);
    const { email } = person.user;
    for (const endsSecondStep of [false, true]) {
      const { token } = await createResetByEmail(ground, { email, endsSecondStep });
      await ground.browse().post(`/reset/${token}`, { password: NEW });
      const reply = await ground.browse().post('/sign-in', { email, password: NEW });
      expect(reply.to).toBe(endsSecondStep ? '/' : '/sign-in/code?next=%2F');
    }
  });

  it('is not an invitation, and an invitation is no such link', async () => {
    const { user } = await ground.signIn('support');
    const { token } = await createReset(ground, {
      merchant: merchant._id,
      id: user._id,
      endsSecondStep: false,
    });
    expect((await ground.browse().get(`/invite/${token}`)).status).toBe(404);
    const form = { password: NEW, name: 'Shop', email: 'a@b.example', locale: 'en' };
    expect((await ground.browse().post(`/invite/${token}`, form)).status).toBe(404);
    expect(await canSignIn(user.email, PASSWORD)).toBe(true);
  });

  it.each([
    [
      'is replaced by a newer one',
      async (email: string) => createResetByEmail(ground, { email, endsSecondStep: false }),
    ],
    [
      'expires',
      async (email: string) =>
        mongo.invites.updateMany({ email }, { $set: { expires_at: LONG_AGO } }),
    ],
    [
      'is useless once the user has changed the password',
      async (email: string) => {
        const browser = ground.browse();
        await browser.post('/sign-in', { email, password: PASSWORD });
        await browser.post('/account/password', { new_password: NEW });
      },
    ],
    [
      'is useless once the user is removed',
      async (email: string) => {
        const user = (await mongo.users.findOne({ email }))!;
        await (await ground.signIn('owner')).post(`/team/${user._id}/remove`);
      },
    ],
  ])('%s', async (_, then) => {
    const { user } = await ground.signIn('support');
    const { token } = await createResetByEmail(ground, {
      email: user.email,
      endsSecondStep: false,
    });
    await then(user.email);
    const reply = await ground.browse().post(`/reset/${token}`, { password: 'a third password' });
    expect(reply.status).toBe(404);
    expect(await canSignIn(user.email, 'a third password')).toBe(false);
  });
});

describe('POST /team/:id/reset', () => {
  it('shows an owner a link for a member, and records it without the link', async () => {
    const [owner, member] = [await ground.signIn('owner'), await withApp(ground, 'support')];
    const path = `/team/${member.user._id}/reset`;
    const { html } = await owner.post(path, { second_step: 'off' });
    const link = /\/reset\/([\w-]{43})/.exec(html)!;
    expect((await owner.get('/team')).html).not.toContain('/reset/');
    await ground.browse().post(link[0], { password: NEW });
    const { email } = member.user;
    expect((await ground.browse().post('/sign-in', { email, password: NEW })).to).toBe('/');
    const entries = await entriesAbout(mongo, member.user._id);
    const last = entries.slice(-3).map(({ action, actor }) => [action, actor.name]);
    expect(last).toEqual([
      ['user.create_reset', owner.user._id],
      ['user.reset_password', member.user._id],
      ['user.sign_in', member.user._id],
    ]);
    expect(JSON.stringify(entries)).not.toContain(link[1]);
  });

  it('removes passkeys too, of a user without an authenticator app as well', async () => {
    const [owner, member] = [await ground.signIn('owner'), await ground.signIn('support')];
    const user_id = member.user._id;
    const of = { user_id, public_key: '', counter: 0, name: '', last_used_at: null };
    await mongo.passkeys.insertOne({ _id: user_id, ...of, created_at: LONG_AGO });
    const path = `/team/${user_id}/reset`;
    const { html } = await owner.get('/team');
    const [form = ''] = html.slice(html.indexOf(`action="${path}"`)).split('</form>');
    expect(form).toContain('name="second_step" value="off"');
    const { html: shown } = await owner.post(path, { second_step: 'off' });
    await ground.browse().post(/\/reset\/[\w-]{43}/.exec(shown)![0], { password: NEW });
    expect(await mongo.passkeys.findOne({ user_id })).toBeNull();
  });

  it('is refused for the own account, which would avoid the code', async () => {
    const owner = await withApp(ground);
    const path = `/team/${owner.user._id}/reset`;
    expect((await owner.get('/team')).html).not.toContain(path);
    expect((await owner.post(path, { second_step: 'off' })).status).toBe(422);
  });
});
