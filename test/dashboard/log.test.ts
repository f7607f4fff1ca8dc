/** The log of sign-ins: who and where, but no secrets. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createResetByEmail } from '../../operations/account.ts';
import { inviteOwner } from '../../operations/team.ts';
import { untilAccepted } from '../support/retry.ts';
import { openGround, PASSWORD } from './harness.ts';
import type { Browser } from './harness.ts';
import { codeOf, enterPassword, recoveryCodesIn, setUp } from './staff/person.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _, done) {
    lines.push(String(chunk));
    done();
  },
});
const ground = await openGround('dashboard-log', { log: pino({ level: 'trace' }, sink) });

const WRONG = 'a mistyped password';

/** Sends a form again while the dashboard is busy. */
const post = async (browser: Browser, path: string, form: Record<string, string>) =>
  untilAccepted(async () => browser.post(path, form));

describe('the log', () => {
  it('has failed sign-ins with the id of the user, and no secret or address', async () => {
    const person = await ground.signIn('owner');
    const { email, _id } = person.user;
    await post(ground.browse(), '/sign-in', { email, password: WRONG });
    await post(ground.browse(), '/sign-in', { email: WRONG, password: WRONG });
    const secret = await setUp(person);
    const first = codeOf(secret, -1);
    const { html } = await person.post('/account/second-step/on', { code: first });
    const [recoveryCode = ''] = recoveryCodesIn(html);
    const browser = await enterPassword(ground, person);
    const [code, wrongCode] = [codeOf(secret), '123-wrong'];
    await post(browser, '/sign-in/code', { code: wrongCode });
    await post(browser, '/sign-in/code', { code });
    const other = await enterPassword(ground, person);
    await other.post('/sign-in/code', { code: recoveryCode });
    const { token: reset } = await createResetByEmail(ground, { email, endsSecondStep: true });
    await ground.browse().get(`/reset/${reset}`);
    await ground.browse().post(`/reset/${reset}`, { password: 'another good password' });
    const { token: invitation } = await inviteOwner(ground);
    await ground.browse().get(`/invite/${invitation}?x=1`);

    const text = lines.join('');
    const failures = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'a sign-in failed');
    expect(failures.map(({ user, wrong, level }) => [user, wrong, level])).toEqual([
      [_id, 'password', 40],
      [null, 'password', 40],
      [_id, 'code', 40],
    ]);
    const hidden = {
      email,
      password: PASSWORD,
      wrong: WRONG,
      encoded: WRONG.replaceAll(' ', '+'),
      secret,
      code,
      wrongCode,
      recoveryCode,
      plainRecoveryCode: recoveryCode.replaceAll('-', ''),
      reset,
      invitation,
      session: browser.cookies.get('tollgate-session')!,
      device: browser.cookies.get('tollgate-device')!,
      newPassword: 'another good password',
    };
    const found = Object.entries(hidden).filter(([, secretText]) => text.includes(secretText));
    expect(found).toEqual([]);
    // The requests themselves are there, so the search has something to find.
    expect(text).toContain('/reset/:token');
    expect(text).toContain('/sign-in/code');
  });
});
