/** A team that requires a second step of everybody. */
import { afterEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../dashboard/routes.ts';
import { ROLES } from '../../../domain/user.ts';
import type { User } from '../../../domain/user.ts';
import { createReset } from '../../../operations/account.ts';
import { PAYMENT, serveApi } from '../../api/harness.ts';
import { entriesAbout } from '../../support/audit.ts';
import { closeAfterTests } from '../../support/close.ts';
import { sealer } from '../../support/rows/endpoint.ts';
import { openGround, PASSWORD } from '../harness.ts';
import { everything, fill, isForm, makeVisitor, send, stock } from '../world.ts';
import { codeOf, enterPassword, setUp, withApp } from './person.ts';
import type { Person } from './person.ts';

const ground = await openGround('dashboard-requirement', { sealer });
const { mongo, merchant } = ground;
const ids = await stock(ground, merchant._id);
const STAFF = ROUTES.filter((route) => 'permission' in route);
const OPEN = [
  'page /account',
  'action /account/language',
  'action /account/second-step',
  'action /account/second-step/on',
  'action /account/passkeys',
  'action /sign-out',
];

afterEach(async () => {
  await mongo.merchants.updateMany({}, { $unset: { requires_second_step: true } });
});

const isRequired = async (): Promise<boolean> =>
  (await mongo.merchants.findOne({ _id: merchant._id }))?.requires_second_step === true;

/** Makes the second step a requirement, as an owner with an app. */
async function turnOn(): Promise<Person> {
  const owner = await withApp(ground);
  expect((await owner.post('/team/second-step/on')).to).toBe('/team?done=saved');
  return owner;
}

async function addPasskey({ user }: { user: User }): Promise<string> {
  const _id = `passkey-of-${user._id}-${String(await mongo.passkeys.countDocuments())}`;
  const [created_at, last_used_at] = [new Date(), null];
  const key = { public_key: '', counter: 0, name: 'Phone' };
  await mongo.passkeys.insertOne({ _id, user_id: user._id, ...key, created_at, last_used_at });
  return _id;
}

describe('requiring a second step', () => {
  it('needs an owner who has one', async () => {
    const owner = await ground.signIn('owner');
    const refused = await owner.post('/team/second-step/on');
    expect([refused.status, await isRequired()]).toEqual([422, false]);
    expect(refused.html).toContain('Set up your own second step first.');
    expect((await owner.get('/team')).html).not.toContain('action="/team/second-step/on"');
    await addPasskey(owner);
    expect((await owner.get('/team')).html).toContain('action="/team/second-step/on"');
    expect((await owner.post('/team/second-step/on')).status).toBe(303);
    expect(await isRequired()).toBe(true);
  });

  it.each(['on', 'off'])('asks for the password before it is turned %s', async (to) => {
    const owner = await withApp(ground);
    if (to === 'off') await owner.post('/team/second-step/on');
    const long = new Date(Date.now() - 3_600_000);
    await mongo.sessions.updateMany({ user_id: owner.user._id }, { $set: { confirmed_at: long } });
    const path = `/team/second-step/${to}`;
    expect((await owner.post(path, { password: 'wrong' })).status).toBe(422);
    expect(await isRequired()).toBe(to === 'off');
    expect((await owner.post(path, { password: PASSWORD })).status).toBe(303);
    expect(await isRequired()).toBe(to === 'on');
  });

  it('is in the audit once, even if two forms come at once', async () => {
    const owner = await withApp(ground);
    const before = (await entriesAbout(mongo, merchant._id)).length;
    await Promise.all([owner.post('/team/second-step/on'), owner.post('/team/second-step/on')]);
    const made = (await entriesAbout(mongo, merchant._id)).slice(before);
    expect(made.map(({ actor, after }) => [actor.name, after])).toEqual([
      [owner.user._id, { requires_second_step: true }],
    ]);
  });

  it('concerns no other merchant', async () => {
    await turnOn();
    const other = await ground.signIn('support', await ground.addMerchant());
    expect((await other.get('/payments')).status).toBe(200);
  });

  it('leaves API keys alone', async () => {
    await turnOn();
    const { temporal, apiKey: secret } = ground;
    const api = closeAfterTests(await serveApi({ secret }, { mongo, temporal }));
    expect((await api.send('POST', '/v1/payments', { body: PAYMENT, key: 'one' })).status).toBe(
      201,
    );
  });
});

describe('a user without a second step, in a team that requires it', () => {
  it.each(ROLES)('is led to the account from everything else, as %s', async (role) => {
    await turnOn();
    const who = await makeVisitor(ground, { role, merchantId: merchant._id });
    const before = await everything(mongo);
    const passed: string[] = [];
    for (const route of STAFF) {
      const path = fill(route.path, ids);
      const name = `${route.kind} ${route.path}`;
      if (OPEN.includes(name)) continue;
      const sent = { path, ...(isForm(route) && { form: {} }) };
      const { status, to } = await send(ground, who, sent);
      if (status !== 303 || to !== '/account') passed.push(name);
    }
    expect(passed).toEqual([]);
    expect(await everything(mongo)).toBe(before);
  });

  it('sees only how to set one up, and no menu', async () => {
    await turnOn();
    expect(STAFF.map(({ kind, path }) => `${kind} ${path}`)).toEqual(expect.arrayContaining(OPEN));
    const who = await makeVisitor(ground, { role: 'owner', merchantId: merchant._id });
    const { status, html } = await send(ground, who, { path: '/account' });
    expect(status).toBe(200);
    expect(html).toContain('Your team requires a second step');
    const forms = [...html.matchAll(/action="([^"]+)"/g)].map(([, to]) => to);
    const offered = ['/account/language', '/account/second-step', '/sign-out'];
    expect(new Set(forms)).toEqual(new Set(offered));
    const links = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, to]) => to);
    expect(new Set(links)).toEqual(new Set(['/account']));
  });

  it('goes on after setting up an app, in the same session', async () => {
    const person = await ground.signIn('support');
    await turnOn();
    expect((await person.get('/payments')).to).toBe('/account');
    const secret = await setUp(person);
    const wrong = await person.post('/account/second-step/on', { code: 'wrong' });
    expect([wrong.status, wrong.html.includes('data:image')]).toEqual([422, true]);
    expect((await person.get('/payments')).to).toBe('/account');
    expect((await person.post('/account/second-step/on', { code: codeOf(secret) })).status).toBe(
      200,
    );
    expect((await person.get('/payments')).status).toBe(200);
  });

  it('goes on if the requirement is dropped', async () => {
    const person = await ground.signIn('developer');
    const owner = await turnOn();
    expect((await person.get('/keys')).to).toBe('/account');
    expect((await owner.post('/team/second-step/off')).to).toBe('/team?done=saved');
    expect((await person.get('/keys')).status).toBe(200);
  });

  it('is somebody whose link for a new password has turned it off', async () => {
    await turnOn();
    const person = await withApp(ground, 'support');
    const options = { merchant: merchant._id, id: person.user._id, endsSecondStep: true };
    const { token } = await createReset(ground, options);
    expect((await person.post(`/reset/${token}`, { password: PASSWORD })).status).toBe(303);
    const browser = await enterPassword(ground, person);
    expect((await browser.get('/payments')).to).toBe('/account');
  });
});

describe('a user with a second step, in a team that requires it', () => {
  it('signs in with a recovery code, even with the last one', async () => {
    await turnOn();
    const person = await withApp(ground, 'support');
    for (const code of person.recoveryCodes) {
      const browser = await enterPassword(ground, person);
      expect((await browser.post('/sign-in/code', { code })).to).toBe('/');
      expect((await browser.get('/payments')).status).toBe(200);
    }
  });

  it('cannot sign in with the password alone if it is a passkey', async () => {
    await turnOn();
    const person = await ground.signIn('support');
    await addPasskey(person);
    expect((await person.get('/payments')).status).toBe(200);
    const { reply, cookies } = await enterPassword(ground, person);
    expect([reply.status, cookies.has('tollgate-session')]).toEqual([422, false]);
    expect(reply.html).toContain('Sign in with your passkey.');
    await mongo.merchants.updateMany({}, { $unset: { requires_second_step: true } });
    expect((await enterPassword(ground, person)).reply.to).toBe('/');
  });

  it('keeps the last passkey, unless there is an app', async () => {
    await turnOn();
    const person = await ground.signIn('support');
    const [first, second] = [await addPasskey(person), await addPasskey(person)];
    const remove = async (id: string) => person.post(`/account/passkeys/${id}/remove`);
    expect((await remove(first)).status).toBe(303);
    const refused = await remove(second);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Set up another one first.');
    expect(await mongo.passkeys.countDocuments({ user_id: person.user._id })).toBe(1);
    const secret = await setUp(person);
    await person.post('/account/second-step/on', { code: codeOf(secret) });
    expect((await remove(second)).status).toBe(303);
  });

  it('keeps the app, unless there is a passkey', async () => {
    await turnOn();
    const person = await withApp(ground, 'support');
    const off = async () => person.post('/account/second-step/off', { code: person.code() });
    expect((await off()).status).toBe(422);
    expect((await person.get('/payments')).status).toBe(200);
    await addPasskey(person);
    // The refused form has not used the code up.
    expect((await off()).status).toBe(303);
  });
});

describe('the page of the team', () => {
  it('says who signs in with what', async () => {
    const owner = await withApp(ground);
    const [support, other] = [await ground.signIn('support'), await ground.signIn('read_only')];
    await addPasskey(owner);
    await addPasskey(support);
    const { html } = await owner.get('/team');
    const cellOf = ({ user }: { user: User }) =>
      new RegExp(`<tr id="${user._id}">(?:<td>.*?</td>){2}<td>(.*?)</td>`).exec(html)?.[1];
    expect([owner, support, other].map(cellOf)).toEqual(['app, passkey', 'passkey', 'none']);
  });
});

const isReminded = async (person: Pick<Person, 'get'>): Promise<boolean> =>
  (await person.get('/')).html.includes('id="reminder"');

describe('the overview', () => {
  it('reminds owners with a password alone, and nobody else', async () => {
    expect(await isReminded(await ground.signIn('developer'))).toBe(false);
    expect(await isReminded(await withApp(ground))).toBe(false);
    const owner = await ground.signIn('owner');
    expect(await isReminded(owner)).toBe(true);
    await addPasskey(owner);
    expect(await isReminded(owner)).toBe(false);
  });
});
