import { describe, expect, it } from 'vitest';
import {
  CONFIRMED_MS,
  PERMISSIONS,
  ROLES,
  SESSION_IDLE_MS,
  hasSecondStep,
  isConfirmed,
  isReset,
  isSessionOf,
  isSessionOver,
  may,
  roleOf,
  waitAfter,
} from '../../domain/user.ts';
import type { InviteLink, Permission, UserSession } from '../../domain/user.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);

const session: UserSession = {
  _id: 'a',
  user_id: 'usr_1',
  created_at: NOW,
  seen_at: NOW,
  confirmed_at: NOW,
  expires_at: new Date(NOW.getTime() + 1),
};

describe('may', () => {
  it('lets an owner do everything', () => {
    const all = Object.keys(PERMISSIONS) as Permission[];
    expect(all.filter((permission) => !may('owner', permission))).toEqual([]);
  });

  it('lets the role read_only change nothing but the own account', () => {
    const all = Object.keys(PERMISSIONS) as Permission[];
    const writing = all.filter((permission) => !/\.(?:read|export)$/.test(permission));
    expect(writing.filter((permission) => may('read_only', permission))).toEqual(['account.write']);
  });

  it.each(ROLES.filter((role) => role !== 'owner'))('keeps %s from changing the team', (role) => {
    expect([may(role, 'team.write'), may(role, 'settings.write')]).toEqual([false, false]);
  });
});

describe('a session', () => {
  it('is over at its end, and when it was not used', () => {
    expect(isSessionOver(session, NOW)).toBe(false);
    expect(isSessionOver({ ...session, expires_at: NOW }, NOW)).toBe(true);
    expect(isSessionOver({ ...session, seen_at: before(SESSION_IDLE_MS) }, NOW)).toBe(true);
    expect(isSessionOver({ ...session, seen_at: before(SESSION_IDLE_MS - 1) }, NOW)).toBe(false);
  });

  it('is confirmed for ten minutes', () => {
    expect(isConfirmed({ ...session, confirmed_at: before(CONFIRMED_MS - 1) }, NOW)).toBe(true);
    expect(isConfirmed({ ...session, confirmed_at: before(CONFIRMED_MS) }, NOW)).toBe(false);
  });

  it.each([
    [undefined, {}, true],
    [null, {}, true],
    ['a', { epoch: 'a' }, true],
    ['a', {}, false],
    [undefined, { epoch: 'a' }, false],
    ['a', { epoch: 'b' }, false],
  ])('of the epoch %s belongs to a user with %o: %s', (epoch, user, expected) => {
    const row = epoch === undefined ? session : { ...session, epoch };
    expect(isSessionOf(row, user)).toBe(expected);
  });
});

describe('waitAfter', () => {
  it('is nothing for four wrong codes, then doubles from a minute to a day', () => {
    const minutes = [0, 4, 5, 6, 7, 15, 16, 100].map((misses) => waitAfter(misses) / 60_000);
    expect(minutes).toEqual([0, 0, 1, 2, 4, 1_024, 1_440, 1_440]);
  });
});

describe('hasSecondStep', () => {
  const step = { secret: '', counter: 0, misses: 0, retry_at: null, recovery_codes: [] };
  it.each([
    [{}, false],
    [{ second_step: { ...step, active_since: null } }, false],
    [{ second_step: { ...step, active_since: NOW } }, true],
  ])('of %o is %s', (user, expected) => {
    expect(hasSecondStep(user)).toBe(expected);
  });
});

it('a user without a role is an owner', () => {
  expect([roleOf({}), roleOf({ role: 'support' })]).toEqual(['owner', 'support']);
});

it('a link is one for a new password only if it names a user', () => {
  const link: InviteLink = {
    _id: 'a',
    merchant_id: 'mer_1',
    email: 'a@b.example',
    role: 'owner',
    created_at: NOW,
    expires_at: NOW,
  };
  expect([isReset(link), isReset({ ...link, user_id: 'usr_1' })]).toEqual([false, true]);
});
