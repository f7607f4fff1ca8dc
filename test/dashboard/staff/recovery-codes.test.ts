/** Recovery codes, for the loss of the authenticator app. */
import { describe, expect, it } from 'vitest';
import { entriesAbout } from '../../support/audit.ts';
import { openGround } from '../harness.ts';
import { enterPassword, recoveryCodesIn, statusesOf, withApp } from './person.ts';

const ground = await openGround('dashboard-recovery-codes');
const { mongo } = ground;

const read = async (id: string) => (await mongo.users.findOne({ _id: id }))!;

describe('a recovery code', () => {
  it('works once, with or without dashes, even if two browsers send it at once', async () => {
    const person = await withApp(ground);
    const [code = '', other = ''] = person.recoveryCodes;
    const browsers = [await enterPassword(ground, person), await enterPassword(ground, person)];
    const replies = await Promise.all(
      browsers.map(async (browser) => browser.post('/sign-in/code', { code })),
    );
    expect(statusesOf(replies)).toEqual([303, 422]);
    expect((await read(person.user._id)).second_step?.recovery_codes).toHaveLength(9);
    const browser = await enterPassword(ground, person);
    const plain = other.replaceAll('-', '').toUpperCase();
    expect((await browser.post('/sign-in/code', { code: plain })).status).toBe(303);
    const entries = await entriesAbout(mongo, person.user._id);
    const means = entries.map(({ after }) => after?.['means']);
    expect(means.filter((each) => each === 'recovery_code')).toHaveLength(2);
  });

  it('of another user is refused', async () => {
    const [one, other] = [await withApp(ground), await withApp(ground)];
    const browser = await enterPassword(ground, one);
    const [code = ''] = other.recoveryCodes;
    expect((await browser.post('/sign-in/code', { code })).status).toBe(422);
  });

  it('is useless once there are new ones', async () => {
    const person = await withApp(ground);
    const wrong = await person.post('/account/second-step/codes', { code: '000000' });
    expect(wrong.status).toBe(422);
    const renewed = await person.post('/account/second-step/codes', { code: person.code() });
    const [fresh = ''] = recoveryCodesIn(renewed.html);
    const browser = await enterPassword(ground, person);
    const [old = ''] = person.recoveryCodes;
    expect((await browser.post('/sign-in/code', { code: old })).status).toBe(422);
    expect((await browser.post('/sign-in/code', { code: fresh })).status).toBe(303);
  });
});
