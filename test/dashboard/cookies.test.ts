/** The flags of every cookie, with http and with https. */
import { describe, expect, it } from 'vitest';
import { NO_LIMITS, PASSWORD, openGround } from './harness.ts';
import { enterPassword, withApp } from './staff/person.ts';

const plain = await openGround('dashboard-cookies');
const https = await openGround('dashboard-cookies-tls', {
  ownUrl: 'https://dashboard.example',
  limits: { ...NO_LIMITS, trustedHops: 1 },
});

/** Signs in through a proxy that speaks TLS. Returns the Set-Cookie lines. */
async function signInByTls(): Promise<string[]> {
  const { user } = await plain.signIn('owner');
  await https.mongo.users.insertOne({ ...user, merchant_id: https.merchant._id });
  const origin = 'https://dashboard.example';
  const headers = { 'X-Forwarded-Host': 'dashboard.example', Origin: origin };
  const form = { email: user.email, password: PASSWORD };
  const reply = await https.browse().post('/sign-in', form, headers);
  return reply.headers.getSetCookie();
}

/** Returns the name and the attributes in lower case, without values that change. */
function flagsOf(line: string): [string, string[]] {
  const [name = '', ...attributes] = line.split(/; ?/);
  const named = attributes.map((each) => each.toLowerCase().replace(/^expires=.*/, 'expires'));
  return [name.replace(/=.*/, ''), named.toSorted()];
}

const FLAGS = ['expires', 'httponly', 'path=/', 'samesite=lax'];
const CLEARED = FLAGS;

describe('the cookies', () => {
  it('are out of reach for scripts and other sites', async () => {
    const { user } = await plain.signIn('owner');
    const reply = await plain.browse().post('/sign-in', { email: user.email, password: PASSWORD });
    expect(reply.headers.getSetCookie().map(flagsOf)).toEqual([
      ['tollgate-session', FLAGS],
      ['tollgate-device', FLAGS],
      ['tollgate-pending', CLEARED],
    ]);
    const { reply: waiting } = await enterPassword(plain, await withApp(plain));
    expect(waiting.headers.getSetCookie().map(flagsOf)).toEqual([['tollgate-pending', FLAGS]]);
  });

  it('are bound to the host and to TLS with https', async () => {
    const secure = [...FLAGS, 'secure'].toSorted();
    expect((await signInByTls()).map(flagsOf)).toEqual([
      ['__Host-tollgate-session', secure],
      ['__Host-tollgate-device', secure],
      ['__Host-tollgate-pending', secure],
    ]);
  });

  it('are cleared with the same flags', async () => {
    const browser = await plain.signIn('owner');
    const { headers } = await browser.post('/sign-out');
    expect(headers.getSetCookie().map(flagsOf)).toEqual([['tollgate-session', CLEARED]]);
  });
});
