/** A flood of wrong passwords: what it costs, and that it locks nobody out. */
import type * as Argon2 from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forEach } from '../../concurrency.ts';

const hash = vi.fn(async () => undefined as unknown);

// Counts the hashes. The real function computes them. The app is loaded anew to use the counter.
vi.doMock('@node-rs/argon2', async (load) => {
  const real = await load<typeof Argon2>();
  const verify: typeof real.verify = async (...args) => {
    await hash();
    return real.verify(...args);
  };
  return { ...real, verify };
});
vi.resetModules();
const { MISS_MS, makeGuesses } = await import('../../dashboard/guesses.ts');
const { createResetByEmail } = await import('../../operations/account.ts');
const { NO_LIMITS, PASSWORD, openGround } = await import('./harness.ts');

const ground = await openGround('dashboard-guesses', {
  limits: { ...NO_LIMITS, trustedHops: 1 },
});

const FLOOD = 2_000;
/** Fewer than the connections that a server accepts. */
const AT_ONCE = 200;
/** The time limit of a flood while other tests run. */
const LIMIT_MS = 600_000;

const hashes = (): number => hash.mock.calls.length;
const NEW = 'a new long password';
const elsewhere = { 'X-Forwarded-For': '198.51.100.7' };
const addressOf = (n: number): string => `203.0.${n >> 8}.${n & 255}`;

beforeEach(() => {
  hash.mockClear();
});

/** Sends a wrong password from an address. Returns the status. */
async function guess(email: string, from: string): Promise<number> {
  const form = { email, password: 'a wrong password' };
  return (await ground.browse().post('/sign-in', form, { 'X-Forwarded-For': from })).status;
}

describe('signing in', () => {
  it.each([
    ['a right password', true, PASSWORD, 303],
    ['a wrong password', true, 'a wrong password', 422],
    ['an unknown address', false, PASSWORD, 422],
  ])('computes one hash for %s', async (_, isKnown, password, status) => {
    const { user } = await ground.signIn('support');
    hash.mockClear();
    const form = { email: isKnown ? user.email : 'nobody@shop.example', password };
    const reply = await ground.browse().post('/sign-in', form);
    expect([reply.status, hashes()]).toEqual([status, 1]);
  });
});

describe('a form that asks for the password again', () => {
  it('does nothing if its session is ended while the password waits to be compared', async () => {
    const person = await ground.signIn('owner');
    const sessions = { user_id: person.user._id };
    await ground.mongo.sessions.updateMany(sessions, { $set: { confirmed_at: new Date(0) } });
    hash.mockClear();
    hash.mockImplementationOnce(async () => ground.mongo.sessions.deleteMany(sessions));
    const reply = await person.post('/account/second-step', { password: PASSWORD });
    expect([reply.to, hashes()]).toEqual(['/sign-in?next=%2F', 1]);
  });
});

describe.each([
  ['one address', () => addressOf(1)],
  ['many addresses', addressOf],
])('a flood from %s', (_, from) => {
  it(
    'costs a hash at a time, and keeps out neither a known browser nor one with a link',
    async () => {
      const owner = await ground.signIn('owner');
      const { email } = owner.user;
      const { token } = await createResetByEmail(ground, { email, endsSecondStep: false });
      hash.mockClear();
      const startMs = performance.now();
      const statuses: number[] = [];
      const all = Array.from({ length: FLOOD }, (__, n) => n);
      const flood = forEach(all, { atOnce: AT_ONCE }, async (n) => {
        statuses.push(await guess(email, from(n)));
      });
      const known = await owner.post('/sign-in', { email, password: PASSWORD }, elsewhere);
      expect(known.status).toBe(303);
      const linked = ground.browse();
      await linked.post(`/reset/${token}`, { password: NEW }, elsewhere);
      const form = { email, password: NEW };
      expect((await linked.post('/sign-in', form, elsewhere)).status).toBe(303);
      expect(statuses.length).toBeLessThan(FLOOD);

      await flood;
      const elapsedMs = performance.now() - startMs;
      const wrong = statuses.filter((status) => status === 422).length;
      const refused = statuses.filter((status) => status === 429).length;
      expect(wrong + refused).toBe(FLOOD);
      // One comparison for each wrong password, and two of the owner. The others cost none.
      expect(hashes()).toBe(wrong + 2);
      // A timer may be a millisecond early.
      expect(wrong).toBeLessThanOrEqual(elapsedMs / (MISS_MS - 1) + 1);
      expect(refused).toBeGreaterThan(0);

      const fresh = await ground.browse().post('/sign-in', form);
      expect(fresh.status).toBe(303);
    },
    LIMIT_MS,
  );
});

describe('a known browser', () => {
  it('is a stranger after ten wrong guesses, even if they come at once', async () => {
    const guesses = makeGuesses();
    const who = { sender: 'a', device: 'known' };
    const wrong = vi.fn(async () => false);
    const rounds = Array.from({ length: 6 }, async () =>
      Promise.allSettled(Array.from({ length: 5 }, async () => guesses(who, wrong))),
    );
    await Promise.all(rounds);
    // At most five may wait at once, so 25 of the 30 cost nothing.
    expect(wrong).toHaveBeenCalledTimes(5);
    for (let count = 0; count < 5; count += 1) await guesses(who, wrong);
    const startMs = performance.now();
    await guesses(who, wrong);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(MISS_MS - 1);
    expect(wrong).toHaveBeenCalledTimes(11);
  });

  it('is trusted again after a right guess', async () => {
    const guesses = makeGuesses();
    const who = { sender: 'a', device: 'known' };
    for (let count = 0; count < 9; count += 1) await guesses(who, async () => false);
    expect(await guesses(who, async () => true)).toBe(true);
    const wrong = vi.fn(async () => false);
    for (let count = 0; count < 9; count += 1) await guesses(who, wrong);
    expect(await guesses(who, async () => true)).toBe(true);
    expect(wrong).toHaveBeenCalledTimes(9);
  });
});
