/** Passkeys, in Chromium with a virtual device that checks its user. */
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { entriesAbout } from '../../support/audit.ts';
import { openBrowser } from '../../support/browser.ts';
import { closeAfterTests } from '../../support/close.ts';
import { openGround } from '../harness.ts';
import { isSignedIn, withApp } from './person.ts';
import type { Person } from './person.ts';

const ground = await openGround('dashboard-passkeys', { host: 'localhost' });
const { mongo, url } = ground;
const chromium = closeAfterTests(await openBrowser());

interface Device {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** Opens a browser with a device that checks who its user is. */
async function openDevice(): Promise<Device> {
  const page = await (await chromium.newContext()).newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, cdp, authenticatorId };
}

/** Adds a passkey on the page of the account, with the session of the person. */
async function register({ page }: Device, { cookies }: Person): Promise<void> {
  const value = cookies.get('tollgate-session') ?? '';
  await page.context().addCookies([{ name: 'tollgate-session', value, url }]);
  await page.goto(`${url}/account`);
  await page.click('[data-passkey=create] button');
  await page.waitForURL(`${url}/account?done=passkey_added`);
}

async function signInWith({ page }: Device, next = '/team'): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${url}/sign-in?next=${next}`);
  await page.click('[data-passkey=get] button');
}

const passkeysOf = async ({ user }: Pick<Person, 'user'>) =>
  mongo.passkeys.find({ user_id: user._id }).toArray();

/** Signs in with the device, and returns the form that it sent. */
async function recordSignIn(device: Device): Promise<Record<string, string>> {
  const sent = device.page.waitForRequest(`${url}/sign-in/passkey`);
  await signInWith(device);
  return Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''));
}

describe('a passkey', () => {
  it('signs its user in, without a password or a code', async () => {
    const person = await ground.signIn('support');
    const device = await openDevice();
    await register(device, person);
    const [before] = await passkeysOf(person);
    await signInWith(device);
    await device.page.waitForURL(`${url}/team`);
    const [after] = await passkeysOf(person);
    expect(after!.counter).toBeGreaterThan(before!.counter);
    expect(after!.last_used_at).toBeInstanceOf(Date);
    const entries = await entriesAbout(mongo, person.user._id);
    expect(entries.map(({ action }) => action)).toContain('user.add_passkey');
    expect(entries.at(-1)?.after).toMatchObject({ means: 'passkey' });
  });

  it('is refused a second time with the same response', async () => {
    const person = await ground.signIn('support');
    const device = await openDevice();
    await register(device, person);
    const form = await recordSignIn(device);
    await device.page.waitForURL(`${url}/team`);
    const browser = ground.browse();
    expect((await browser.post('/sign-in/passkey', form)).status).toBe(422);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('signs in once, even if the same response comes twice at once', async () => {
    const person = await ground.signIn('support');
    const device = await openDevice();
    await register(device, person);
    await device.page.route('**/sign-in/passkey', async (route) => route.abort());
    const form = await recordSignIn(device);
    const send = async () => (await ground.browse().post('/sign-in/passkey', form)).status;
    const statuses = await Promise.all([send(), send()]);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 422]);
  });

  it('is refused with a challenge that is not ours, or of another page', async () => {
    const person = await ground.signIn('support');
    const device = await openDevice();
    await register(device, person);
    await device.page.route('**/sign-in/passkey', async (route) => route.abort());
    const form = await recordSignIn(device);
    const other = await ground.browse().get('/sign-in');
    const fresh = /name="challenge" value="([^"]+)"/.exec(other.html)![1]!;
    const [challenge = '', until = '', signature = ''] = form['challenge']!.split('.');
    const forged = [
      '',
      fresh,
      `${challenge}.${Number(until) + 1}.${signature}`,
      `${challenge}.${until}.`,
    ];
    for (const text of forged) {
      const reply = await ground.browse().post('/sign-in/passkey', { ...form, challenge: text });
      expect([text, reply.status]).toEqual([text, 422]);
    }
    for (const passkey of ['', '[]', '{}', '{"id":1}', form['passkey']!.slice(1)]) {
      const reply = await ground.browse().post('/sign-in/passkey', { ...form, passkey });
      expect([passkey, reply.status]).toEqual([passkey, 422]);
    }
    // The form itself was right.
    expect((await ground.browse().post('/sign-in/passkey', form)).status).toBe(303);
  });

  it('is refused if the device names another user', async () => {
    const [person, other] = [await ground.signIn('support'), await ground.signIn('owner')];
    const device = await openDevice();
    await register(device, person);
    await device.page.route('**/sign-in/passkey', async (route) => route.abort());
    const form = await recordSignIn(device);
    const sent = JSON.parse(form['passkey']!) as { response: { userHandle?: string } };
    const handle = Buffer.from(other.user._id).toString('base64url');
    for (const userHandle of [handle, undefined]) {
      const passkey = JSON.stringify({ ...sent, response: { ...sent.response, userHandle } });
      const reply = await ground.browse().post('/sign-in/passkey', { ...form, passkey });
      expect(reply.status).toBe(422);
    }
    expect((await ground.browse().post('/sign-in/passkey', form)).status).toBe(303);
  });

  it('is refused if its counter is not above the stored one, as of a copy', async () => {
    const person = await ground.signIn('support');
    const device = await openDevice();
    await register(device, person);
    await mongo.passkeys.updateMany({ user_id: person.user._id }, { $set: { counter: 1_000 } });
    const reply = device.page.waitForResponse(`${url}/sign-in/passkey`);
    await signInWith(device);
    expect((await reply).status()).toBe(422);
  });

  it('is refused from a device that has not checked its user', async () => {
    const person = await ground.signIn('support');
    const device = await openDevice();
    await register(device, person);
    const { page, cdp, authenticatorId } = device;
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.context().clearCookies();
    await page.goto(`${url}/sign-in`);
    const options = page.locator('[data-passkey=get] [name=passkey]');
    await options.evaluate((field: HTMLElement) => {
      const { options: asked = '' } = field.dataset;
      field.dataset['options'] = asked.replace('"required"', '"discouraged"');
    });
    const sent = page.waitForRequest(`${url}/sign-in/passkey`);
    const reply = page.waitForResponse(`${url}/sign-in/passkey`);
    await page.click('[data-passkey=get] button');
    const form = new URLSearchParams((await sent).postData() ?? '');
    const { response } = JSON.parse(form.get('passkey')!) as {
      response: { authenticatorData: string };
    };
    // The flag "user verified" is off, and the rest of the response is right.
    expect(Buffer.from(response.authenticatorData, 'base64url')[32]! & 4).toBe(0);
    expect((await reply).status()).toBe(422);
  });

  it('needs no code of an authenticator app', async () => {
    const person = await withApp(ground);
    const device = await openDevice();
    await register(device, person);
    await signInWith(device, '/account');
    await device.page.waitForURL(`${url}/account`);
  });

  it('can be removed by its user only, and is useless then', async () => {
    const [person, other] = [await ground.signIn('support'), await ground.signIn('owner')];
    const device = await openDevice();
    await register(device, person);
    const [passkey] = await passkeysOf(person);
    const path = `/account/passkeys/${passkey!._id}/remove`;
    expect((await other.post(path)).status).toBe(404);
    expect((await person.post(path)).to).toBe('/account?done=passkey_removed');
    const reply = device.page.waitForResponse(`${url}/sign-in/passkey`);
    await signInWith(device);
    expect((await reply).status()).toBe(422);
  });

  it('goes with its user', async () => {
    const [person, owner] = [await ground.signIn('support'), await ground.signIn('owner')];
    const device = await openDevice();
    await register(device, person);
    await owner.post(`/team/${person.user._id}/remove`);
    expect(await passkeysOf(person)).toEqual([]);
  });

  it('is not asked for where scripts are off, nor at an IP address', async () => {
    const { html } = await ground.browse().get('/sign-in');
    expect(html).toMatch(/<form [^>]*data-passkey="get" hidden/);
    const byAddress = await openGround('dashboard-passkeys-ip');
    expect((await byAddress.browse().get('/sign-in')).html).not.toContain('passkey');
  });
});
