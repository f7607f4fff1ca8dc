import { describe, expect, it } from 'vitest';
import { inviteOwner } from '../../operations/team.ts';
import { openGround, PASSWORD } from './harness.ts';

const ground = await openGround('dashboard-sign-in');

describe('POST /sign-in', () => {
  it('starts a session with a new id, in a cookie that scripts cannot read', async () => {
    const one = await ground.signIn('owner');
    const before = one.cookies.get('tollgate-session');
    const again = await one.post('/sign-in', { email: one.user.email, password: PASSWORD });
    const [cookie = ''] = again.headers.getSetCookie();
    expect(cookie).toMatch(
      /^tollgate-session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/,
    );
    expect(one.cookies.get('tollgate-session')).not.toBe(before);
    expect((await one.get('/')).status).toBe(200);
  });

  it('responds alike to a wrong password and an unknown address', async () => {
    const { user } = await ground.signIn('owner');
    const wrong = await ground.browse().post('/sign-in', { email: user.email, password: 'no' });
    const unknown = await ground
      .browse()
      .post('/sign-in', { email: 'a@b.example', password: 'no' });
    expect(wrong.status).toBe(422);
    expect(unknown.html.replace('a@b.example', user.email)).toBe(wrong.html);
  });

  it('refuses the form of another site', async () => {
    const form = { email: 'a@b.example', password: 'no' };
    for (const origin of ['https://evil.example', 'null', '']) {
      expect((await ground.browse().post('/sign-in', form, { Origin: origin })).status).toBe(403);
    }
  });

  it.each([
    ['/keys', '/keys'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
  ])('leads to %s as %s', async (next, to) => {
    const { user } = await ground.signIn('owner');
    const form = { email: user.email, password: PASSWORD, next };
    expect((await ground.browse().post('/sign-in', form)).to).toBe(to);
  });
});

describe('POST /sign-out', () => {
  it('ends the session, so that its cookie cannot be used again', async () => {
    const browser = await ground.signIn('support');
    const token = browser.cookies.get('tollgate-session')!;
    expect((await browser.post('/sign-out')).to).toBe('/sign-in');
    const replayed = await ground.browse().get('/', { Cookie: `tollgate-session=${token}` });
    expect(replayed.to).toBe('/sign-in?next=%2F');
  });
});

describe('an invitation without a merchant', () => {
  it('creates a merchant with its owner, once', async () => {
    const path = `/invite/${(await inviteOwner(ground)).token}`;
    const browser = ground.browse();
    expect((await browser.get(path)).html).toContain('name="name"');
    const form = {
      name: 'Book shop',
      email: 'new@books.example',
      password: PASSWORD,
      locale: 'en',
    };
    expect((await browser.post(path, { ...form, password: 'short' })).status).toBe(422);
    expect((await browser.post(path, form)).to).toBe('/');
    expect((await browser.get('/')).html).toContain('Book shop');
    expect((await ground.browse().post(path, form)).status).toBe(404);
  });
});
