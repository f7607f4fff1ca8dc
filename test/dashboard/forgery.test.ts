/** Forms that another site, or another session, sends in the user's name. */
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../dashboard/routes.ts';
import { openGround } from './harness.ts';
import { everything, fill, isForm, makeVisitor, send, stock } from './world.ts';

const ground = await openGround('dashboard-forgery');
const { mongo, merchant } = ground;
const ids = await stock(ground, merchant._id);
const owner = await makeVisitor(ground, { role: 'owner', merchantId: merchant._id });
const other = await makeVisitor(ground, { role: 'owner', merchantId: merchant._id });

const FORMS = ROUTES.filter(isForm);
const STAFF_FORMS = FORMS.filter(({ kind }) => kind === 'action');

/** Sends every form, and returns those that are not refused with 403. */
async function accepted(forms: typeof FORMS, how: object, who = owner): Promise<unknown[]> {
  const before = await everything(mongo);
  const found: unknown[] = [];
  for (const { path } of forms) {
    const request = { path: fill(path, ids), form: {}, ...how };
    const { status } = await send(ground, who, request);
    if (status !== 403) found.push([path, status]);
  }
  expect(await everything(mongo)).toBe(before);
  return found;
}

describe('every form', () => {
  it('is there to be tested', () => {
    expect(STAFF_FORMS.length).toBeGreaterThan(10);
  });

  it.each([
    ['another site', 'https://evil.example'],
    ['a page without an origin', 'null'],
    ['a program that sends no Origin', null],
    ['another port of the same host', 'http://127.0.0.1:1'],
  ])('is refused from %s', async (_, origin) => {
    expect(await accepted(FORMS, { origin })).toEqual([]);
  });

  it('of the staff is refused without the token of the session', async () => {
    expect(await accepted(STAFF_FORMS, { form: { csrf: '' } })).toEqual([]);
  });

  it('of the staff is refused with the token of another session', async () => {
    expect(await accepted(STAFF_FORMS, { form: { csrf: other.csrf } })).toEqual([]);
  });

  it('of the staff leads to the sign-in page without a session', async () => {
    const before = await everything(mongo);
    for (const { path } of STAFF_FORMS) {
      const nobody = { token: 'x'.repeat(43), csrf: owner.csrf };
      const { status } = await send(ground, nobody, { path: fill(path, ids), form: {} });
      expect([path, status]).toEqual([path, 303]);
    }
    expect(await everything(mongo)).toBe(before);
  });
});
