/** Codes of an authenticator app. */
import { describe, expect, it } from 'vitest';
import { checkCode } from '../../../operations/second-step.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openGround, PASSWORD } from '../harness.ts';
import {
  codeOf,
  enterPassword,
  isSignedIn,
  recoveryCodesIn,
  setUp,
  withApp,
  statusesOf,
} from './person.ts';

const ground = await openGround('dashboard-second-step');
const { mongo } = ground;

const read = async (id: string) => (await mongo.users.findOne({ _id: id }))!;
const wrongFor = (right: string): string => String((Number(right) + 1) % 1e6).padStart(6, '0');

describe('setting up an authenticator app', () => {
  it('shows a QR code and the secret, and is not active before the first right code', async () => {
    const person = await ground.signIn('support');
    const secret = await setUp(person);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await enterPassword(ground, person)).reply.to).toBe('/');

    const wrong = await person.post('/account/second-step/on', {
      code: wrongFor(codeOf(secret)),
    });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('data:image/svg+xml;base64,');
    expect((await read(person.user._id)).second_step?.active_since).toBeNull();

    const right = await person.post('/account/second-step/on', { code: codeOf(secret) });
    expect(new Set(recoveryCodesIn(right.html)).size).toBe(10);
    expect((await enterPassword(ground, person)).reply.to).toBe('/sign-in/code?next=%2F');
  });

  it('stores neither the secret nor a recovery code in the clear', async () => {
    const { user, secret, recoveryCodes } = await withApp(ground);
    expect(recoveryCodes).toHaveLength(10);
    const text = JSON.stringify(await read(user._id));
    const shown = [secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])];
    expect(shown.filter((each) => text.includes(each))).toEqual([]);
  });

  it('shows the secret to nobody who has not just entered the password', async () => {
    const person = await ground.signIn('support');
    const secret = await setUp(person);
    const long = new Date(Date.now() - 3_600_000);
    await mongo.sessions.updateMany({ user_id: person.user._id }, { $set: { confirmed_at: long } });
    for (const form of [{ code: '1' }, { code: codeOf(secret), password: 'wrong' }]) {
      const { status, html } = await person.post('/account/second-step/on', form);
      expect([status, html.includes('data:image')]).toEqual([422, false]);
    }
    expect((await person.post('/account/second-step', { password: 'wrong' })).status).toBe(422);
    expect((await person.post('/account/second-step', { password: PASSWORD })).status).toBe(200);
  });

  it('does not replace an active app', async () => {
    const person = await withApp(ground);
    const { second_step: before } = await read(person.user._id);
    expect((await person.post('/account/second-step')).status).toBe(422);
    const again = await person.post('/account/second-step/on', { code: person.code(1) });
    expect(again.status).toBe(404);
    expect((await read(person.user._id)).second_step).toEqual(before);
  });

  it('gives recovery codes to only one of two first codes at once', async () => {
    const person = await ground.signIn('support');
    const secret = await setUp(person);
    const send = async () => person.post('/account/second-step/on', { code: codeOf(secret) });
    expect(statusesOf(await Promise.all([send(), send()]))).toEqual([200, 404]);
  });

  it('signs the user out in other browsers', async () => {
    const person = await ground.signIn('support');
    const other = await enterPassword(ground, person);
    expect(await isSignedIn(other)).toBe(true);
    const secret = await setUp(person);
    await person.post('/account/second-step/on', { code: codeOf(secret) });
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
  });
});

describe('signing in with a code', () => {
  it('needs the password first, and is no session before the code', async () => {
    const person = await withApp(ground);
    const stranger = ground.browse();
    const direct = await stranger.post('/sign-in/code', { code: person.code() });
    expect([direct.status, direct.to]).toEqual([303, '/sign-in']);

    const browser = await enterPassword(ground, person);
    expect([...browser.cookies.keys()]).toEqual(['tollgate-pending']);
    expect(await isSignedIn(browser)).toBe(false);
    const form = { code: person.code(), next: '/team' };
    expect((await browser.post('/sign-in/code', form)).to).toBe('/team');
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.has('tollgate-pending')).toBe(false);
  });

  it.each(['//evil.example', 'https://evil.example'])('does not lead to %s', async (next) => {
    const person = await withApp(ground);
    const browser = await enterPassword(ground, person);
    expect((await browser.post('/sign-in/code', { code: person.code(), next })).to).toBe('/');
  });

  it('accepts each code once, even if two browsers send it at once', async () => {
    const person = await withApp(ground);
    const browsers = [await enterPassword(ground, person), await enterPassword(ground, person)];
    const code = person.code();
    const replies = await Promise.all(
      browsers.map(async (browser) => browser.post('/sign-in/code', { code })),
    );
    expect(statusesOf(replies)).toEqual([303, 422]);
    const third = await enterPassword(ground, person);
    expect((await third.post('/sign-in/code', { code })).status).toBe(422);
  });

  it('refuses a code of an earlier step than the last one', async () => {
    const person = await withApp(ground);
    const [browser, other] = [
      await enterPassword(ground, person),
      await enterPassword(ground, person),
    ];
    const [earlier, later] = [person.code(0), person.code(1)];
    expect((await browser.post('/sign-in/code', { code: later })).status).toBe(303);
    expect((await other.post('/sign-in/code', { code: earlier })).status).toBe(422);
  });

  it('makes the user wait after five wrong codes, and refuses even a right one then', async () => {
    const person = await withApp(ground);
    const browser = await enterPassword(ground, person);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const code = wrongFor(person.code(count % 2 === 0 ? 5 : 6));
      statuses.push((await browser.post('/sign-in/code', { code })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    const right = await browser.post('/sign-in/code', { code: person.code() });
    expect([right.status, Number(right.headers.get('retry-after')) > 30]).toEqual([429, true]);

    // A recovery code cannot be guessed, so it still works, and ends the wait.
    const [code = ''] = person.recoveryCodes;
    expect((await browser.post('/sign-in/code', { code })).status).toBe(303);
    const after = await enterPassword(ground, person);
    expect((await after.post('/sign-in/code', { code: person.code() })).status).toBe(303);
  });

  it('counts one of many wrong codes that come at once, and answers none of the others', async () => {
    const person = await withApp(ground);
    const user = await read(person.user._id);
    const guesses = Array.from({ length: 20 }, (_, n) => (n === 10 ? person.code() : '000000'));
    const outcomes = await Promise.allSettled(
      guesses.map(async (code) => checkCode(ground, user, code)),
    );
    const { second_step: step } = await read(person.user._id);
    const accepted = outcomes.filter(({ status }) => status === 'fulfilled').length;
    // Either the right one came first, or one wrong one was counted.
    expect([accepted, step?.misses]).toEqual(accepted === 1 ? [1, 0] : [0, 1]);
  });

  it('ends the wait for a code when the password changes', async () => {
    const person = await withApp(ground);
    const browser = await enterPassword(ground, person);
    const form = { new_password: 'another good password' };
    expect((await person.post('/account/password', form)).to).toContain('/account');
    expect((await browser.post('/sign-in/code', { code: person.code() })).to).toBe('/sign-in');
  });

  it('refuses a pending state that was changed or is too old', async () => {
    const person = await withApp(ground);
    const other = await withApp(ground);
    const browser = await enterPassword(ground, person);
    const [id, epoch, until = '', signature = ''] =
      browser.cookies.get('tollgate-pending')?.split('.') ?? [];
    const forged = [
      [other.user._id, epoch, until, signature],
      [id, '', until, signature],
      [id, epoch, String(Number(until) + 1), signature],
      [id, epoch, until, `${signature.slice(0, -2)}AA`],
      [id, epoch, until, ''],
    ];
    for (const parts of forged) {
      browser.cookies.set('tollgate-pending', parts.join('.'));
      const { to } = await browser.post('/sign-in/code', { code: person.code() });
      expect([parts, to]).toEqual([parts, '/sign-in']);
    }
  });
});

describe('turning the second step off', () => {
  it('needs the password and a code', async () => {
    const person = await withApp(ground);
    const off = async (form: Record<string, string>) =>
      (await person.post('/account/second-step/off', form)).status;
    expect(await off({ code: wrongFor(person.code()) })).toBe(422);
    const long = new Date(Date.now() - 3_600_000);
    await mongo.sessions.updateMany({ user_id: person.user._id }, { $set: { confirmed_at: long } });
    expect(await off({ code: person.code() })).toBe(422);
    expect(await off({ code: person.code(), password: 'wrong' })).toBe(422);
    expect((await read(person.user._id)).second_step?.active_since).toBeInstanceOf(Date);
    expect(await off({ code: person.code(), password: PASSWORD })).toBe(303);
    expect((await read(person.user._id)).second_step).toBeUndefined();
    expect((await enterPassword(ground, person)).reply.to).toBe('/');
    const actions = (await entriesAbout(mongo, person.user._id)).map(({ action }) => action);
    expect(actions).toEqual([
      'user.sign_in',
      'user.enable_second_step',
      'user.disable_second_step',
      'user.sign_in',
    ]);
  });
});
