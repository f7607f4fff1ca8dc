/** Sessions: who has them, what ends them, and that nothing brings them back. */
import { describe, expect, it } from 'vitest';
import { SESSION_IDLE_MS, SESSION_MS } from '../../../domain/user.ts';
import { startSession } from '../../../operations/account.ts';
import { findSessions } from '../../../store/sessions.ts';
import { hashOfToken } from '../../../store/users.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openGround, PASSWORD } from '../harness.ts';
import { enterPassword, isSignedIn } from './person.ts';

const ground = await openGround('dashboard-sessions');
const { mongo } = ground;

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('a session', () => {
  it('is stored by the hash of its token only', async () => {
    const browser = await ground.signIn('support');
    const token = browser.cookies.get('tollgate-session')!;
    const rows = await mongo.sessions.find({ user_id: browser.user._id }).toArray();
    expect(rows.map(({ _id }) => _id)).toEqual([hashOfToken(token)]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('does not take a token that the browser had before', async () => {
    const { user } = await ground.signIn('support');
    const planted = 'A'.repeat(43);
    const browser = ground.browse();
    browser.cookies.set('tollgate-session', planted);
    await browser.post('/sign-in', { email: user.email, password: PASSWORD });
    expect(browser.cookies.get('tollgate-session')).not.toBe(planted);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await findSessions(mongo, [hashOfToken(planted)])).size).toBe(0);
  });

  it('ends when its browser signs in again', async () => {
    const browser = await ground.signIn('support');
    const old = browser.cookies.get('tollgate-session')!;
    await browser.post('/sign-in', { email: browser.user.email, password: PASSWORD });
    const replayed = ground.browse();
    replayed.cookies.set('tollgate-session', old);
    expect([await isSignedIn(browser), await isSignedIn(replayed)]).toEqual([true, false]);
  });

  it('ends by signing out, and its cookie is useless then', async () => {
    const browser = await ground.signIn('support');
    const replayed = ground.browse();
    replayed.cookies.set('tollgate-session', browser.cookies.get('tollgate-session')!);
    expect(await isSignedIn(replayed)).toBe(true);
    await browser.post('/sign-out');
    expect(browser.cookies.has('tollgate-session')).toBe(false);
    expect(await isSignedIn(replayed)).toBe(false);
  });

  it.each([
    ['is not used for 12 hours', { seen_at: new Date(Date.now() - SESSION_IDLE_MS) }],
    ['is 7 days old', { expires_at: new Date(Date.now() - 1) }],
  ])('ends when it %s', async (_, fields) => {
    const browser = await ground.signIn('support');
    await mongo.sessions.updateMany({ user_id: browser.user._id }, { $set: fields });
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends 7 days after it began', async () => {
    const { user } = await ground.signIn('support');
    const row = (await mongo.sessions.findOne({ user_id: user._id }))!;
    expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(SESSION_MS);
  });

  it('of a removed user is refused, even if it began during the removal', async () => {
    const owner = await ground.signIn('owner');
    const { user, ...browser } = await ground.signIn('support');
    await owner.post(`/team/${user._id}/remove`);
    const means = { means: 'password', browser: '', isKnown: true, replaced: undefined } as const;
    const late = ground.browse();
    late.cookies.set('tollgate-session', await startSession({ mongo }, user, means));
    expect([await isSignedIn(browser), await isSignedIn(late)]).toEqual([false, false]);
  });

  it('that begins with the old password during its change is over', async () => {
    const browser = await ground.signIn('support');
    await browser.post('/account/password', { new_password: 'another good password' });
    const means = { means: 'password', browser: '', isKnown: true, replaced: undefined } as const;
    const late = ground.browse();
    late.cookies.set('tollgate-session', await startSession({ mongo }, browser.user, means));
    expect([await isSignedIn(browser), await isSignedIn(late)]).toEqual([true, false]);
  });
});

describe('a session in the hands of a stranger', () => {
  it('ends after ten wrong passwords, even if they come at once', async () => {
    const person = await ground.signIn('owner');
    const user_id = person.user._id;
    await mongo.sessions.updateMany({ user_id }, { $set: { confirmed_at: new Date(0) } });
    const guess = async (password: string) =>
      person.post('/account/password', { new_password: 'another good password', password });
    for (let count = 0; count < 7; count += 1) expect((await guess('wrong')).status).toBe(422);
    await Promise.all([guess('wrong'), guess('wrong'), guess('wrong')]);
    expect(await isSignedIn(person)).toBe(false);
    expect((await enterPassword(ground, person)).reply.status).toBe(303);
  });

  it('counts only wrong passwords in a row', async () => {
    const person = await ground.signIn('owner');
    const user_id = person.user._id;
    for (let round = 0; round < 2; round += 1) {
      await mongo.sessions.updateMany({ user_id }, { $set: { confirmed_at: new Date(0) } });
      for (let count = 0; count < 9; count += 1) {
        await person.post('/account/second-step', { password: 'wrong' });
      }
      const right = await person.post('/account/second-step', { password: PASSWORD });
      expect(right.status).toBe(200);
    }
  });

  it('cannot be hidden behind fifty others', async () => {
    const { user, ...person } = await ground.signIn('support');
    const means = { means: 'password', browser: '', isKnown: true, replaced: undefined } as const;
    const old = { user_id: user._id, seen_at: { $lt: new Date() } };
    await mongo.sessions.updateMany(old, { $set: { seen_at: new Date(Date.now() + 60_000) } });
    for (let count = 0; count < 60; count += 1) await startSession({ mongo }, user, means);
    expect(await mongo.sessions.countDocuments({ user_id: user._id })).toBe(50);
    const { html } = await person.get('/account');
    expect(html.match(/\/account\/sessions\/[0-9a-f]{64}\/end/g)).toHaveLength(49);
  });
});

describe('the sessions on the page of the account', () => {
  it('are named by browser and system, and can be ended one by one', async () => {
    const person = await ground.signIn('read_only');
    const other = ground.browse();
    const form = { email: person.user.email, password: PASSWORD };
    await other.post('/sign-in', form, { 'User-Agent': FIREFOX });
    const third = await enterPassword(ground, person);
    const { html } = await person.get('/account');
    expect(html).toContain('<td>Firefox, Windows</td>');
    const id = hashOfToken(other.cookies.get('tollgate-session')!);
    expect(html.match(/\/account\/sessions\/[0-9a-f]{64}\/end/g)).toHaveLength(2);
    const ended = await person.post(`/account/sessions/${id}/end`);
    expect(ended.to).toBe('/account?done=session_ended');
    expect([await isSignedIn(person), await isSignedIn(other), await isSignedIn(third)]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await person.post(`/account/sessions/${id}/end`)).status).toBe(404);
  });

  it('of other users, even of the same merchant, cannot be ended', async () => {
    const [one, other] = [await ground.signIn('owner'), await ground.signIn('support')];
    const id = hashOfToken(other.cookies.get('tollgate-session')!);
    expect((await one.post(`/account/sessions/${id}/end`)).status).toBe(404);
    expect(await isSignedIn(other)).toBe(true);
  });

  it('can all be ended but the own one', async () => {
    const person = await ground.signIn('support');
    const others = [await enterPassword(ground, person), await enterPassword(ground, person)];
    expect((await person.post('/account/sessions')).to).toBe('/account?done=sessions_ended');
    const all = await Promise.all([person, ...others].map(isSignedIn));
    expect(all).toEqual([true, false, false]);
  });
});

describe('signing in', () => {
  it('is recorded for each new browser, and not again for a known one', async () => {
    const { user } = await ground.signIn('support');
    const browser = ground.browse();
    const form = { email: user.email, password: PASSWORD };
    await browser.post('/sign-in', form, { 'User-Agent': FIREFOX });
    await browser.post('/sign-out');
    await browser.post('/sign-in', form, { 'User-Agent': FIREFOX });
    const entries = await entriesAbout(mongo, user._id);
    expect(entries.map(({ action, after }) => [action, after?.['browser']])).toEqual([
      ['user.sign_in', ''],
      ['user.sign_in', 'Firefox, Windows'],
    ]);
    const owner = await ground.signIn('owner');
    expect((await owner.get('/audit')).html).toContain('Signed in');
  });

  it('does not take the mark of a browser from another user', async () => {
    const [one, other] = [await ground.signIn('support'), await ground.signIn('support')];
    const browser = ground.browse();
    browser.cookies.set('tollgate-device', one.cookies.get('tollgate-device')!);
    await browser.post('/sign-in', { email: other.user.email, password: PASSWORD });
    expect(await entriesAbout(mongo, other.user._id)).toHaveLength(2);
  });
});
