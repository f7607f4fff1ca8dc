import { describe, expect, it } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { reverseAttempt } from '../../store/approvals.ts';
import { giveUp, openAttempt, recordDecision, turnBack } from '../../store/attempts.ts';
import { recordCode } from '../../store/codes.ts';
import { paymentById } from '../../store/payments.ts';
import { BANK_TIMEOUT_MS, at, declinedAttempts, paymentAtNoon } from '../domain/situation.ts';
import { useDatabase } from './database.ts';
import { NOW, approval, except, lastOf, store } from './states.ts';
import type { State } from './states.ts';

const database = await useDatabase('attempts');
const CARD = { brand: 'mastercard', last4: '4444' };

type Write = (payment: Payment) => Promise<unknown>;

/** Every conditional write on an attempt, with the states in which it is accepted. */
const WRITES: Record<string, { write: Write; allowed: State[] }> = {
  openAttempt: {
    write: async (payment) => {
      const how = {
        tender: { type: 'card', card: CARD },
        now: NOW,
        bankTimeoutMs: BANK_TIMEOUT_MS,
      } as const;
      return openAttempt(database.mongo, payment, how);
    },
    allowed: [
      'created',
      'created, declined once',
      'created, turned back',
      'created, late approval coming',
      'created, turned back, late approval coming',
    ],
  },
  turnBack: {
    write: async (payment) => turnBack(database.mongo, payment, NOW),
    allowed: ['at the bank'],
  },
  recordDecision: {
    write: async (payment) => recordDecision(database.mongo, payment, approval()),
    allowed: ['at the bank', 'at the bank, leaving'],
  },
  recordCode: {
    write: async (payment) => recordCode(database.mongo, payment, undefined),
    allowed: ['at the bank', 'at the bank, leaving'],
  },
  giveUp: {
    write: async (payment) => giveUp(database.mongo, payment, NOW),
    allowed: ['at the bank', 'at the bank, leaving', 'at the bank, silence decided'],
  },
  reverseAttempt: {
    write: async (payment) =>
      reverseAttempt(database.mongo, payment, { attempt: lastOf(payment), now: NOW }),
    allowed: [
      'created, late approval coming',
      'created, turned back, late approval coming',
      'expired, late approval coming',
    ],
  },
};

const write = (name: string): Write => WRITES[name]!.write;
const stored = async (payment: Payment): Promise<Payment> => {
  const found = await paymentById(database.mongo, payment._id);
  return found ?? paymentAtNoon();
};

const refused = Object.entries(WRITES).flatMap(([name, { allowed }]) =>
  except(...allowed).map((state) => [name, state] as const),
);
const accepted = Object.entries(WRITES).flatMap(([name, { allowed }]) =>
  allowed.map((state) => [name, state] as const),
);

describe('a write on an attempt', () => {
  it.each(refused)('%s is refused when %s, and changes nothing', async (name, state) => {
    const payment = await store(database.mongo, state);
    expect((await write(name)(payment)) ?? null).toBeNull();
    expect(await stored(payment)).toEqual(payment);
  });

  it.each(accepted)('%s is accepted when %s', async (name, state) => {
    const payment = await store(database.mongo, state);
    const answer = await write(name)(payment);
    const now = await stored(payment);
    expect(now).not.toEqual(payment);
    if (answer !== undefined) expect(answer).toEqual(now);
  });

  it.each(accepted)('%s is refused the second time if %s', async (name, state) => {
    const payment = await store(database.mongo, state);
    await write(name)(payment);
    const once = await stored(payment);
    expect((await write(name)(payment)) ?? null).toBeNull();
    expect(await stored(payment)).toEqual(once);
  });

  it.each(['turnBack', 'recordDecision', 'recordCode', 'giveUp'])(
    '%s is refused for an attempt that is not the last one',
    async (name) => {
      const { mongo } = database;
      const seen = await store(mongo, 'at the bank');
      const next = { ...lastOf(seen), id: 'att_next', number: 3 };
      const earlier = seen.attempts.map((attempt) => ({ ...attempt, status: 'declined' as const }));
      const attempts = [...earlier, next];
      await mongo.payments.updateOne({ _id: seen._id }, { $set: { attempts } });
      const before = await stored(seen);
      expect(await write(name)(seen)).toBeNull();
      expect(await stored(seen)).toEqual(before);
    },
  );

  it.each(['openAttempt', 'turnBack', 'recordDecision', 'recordCode', 'giveUp'])(
    '%s 20 times at once has one winner',
    async (name) => {
      const [state = 'created'] = WRITES[name]!.allowed;
      const payment = await store(database.mongo, state);
      const many = Array.from({ length: 20 }, async () => write(name)(payment));
      const won = (await Promise.all(many)).filter((answer) => answer !== null);
      expect(won).toEqual([await stored(payment)]);
    },
  );

  it.each([
    ['recordDecision', 'turnBack'],
    ['giveUp', 'recordDecision'],
  ])('%s and %s at once: the bank’s decision is stored or refused', async (...pair) => {
    const payment = await store(database.mongo, 'at the bank');
    const names = Array.from({ length: 20 }, (_, n) => pair[n % 2]!);
    const answers = await Promise.all(names.map(async (name) => write(name)(payment)));
    const won = names.filter((_, n) => answers[n] !== null);
    const { bank, gave_up_at: gaveUpAt } = lastOf(await stored(payment));
    expect(won.includes('recordDecision')).toBe(bank !== null);
    expect(won.includes('giveUp')).toBe(gaveUpAt !== null);
    expect(bank === null || gaveUpAt === null).toBe(true);
  });
});

describe('openAttempt', () => {
  it("opens a new attempt, due at the bank's time limit even after the payment's lifetime", async () => {
    const payment = paymentAtNoon({ attempts: declinedAttempts(1), expires_at: at(7 * 24 * 60) });
    await database.mongo.payments.insertOne(payment);
    await write('openAttempt')(payment);
    const now = await stored(payment);
    expect(now).toMatchObject({ status: 'processing', due_at: at(25), updated_at: NOW });
    expect(now.attempts[1]).toEqual({
      id: expect.stringMatching(/^att_/),
      number: 2,
      method: 'card',
      status: 'pending',
      card: CARD,
      failure_code: null,
      created_at: NOW,
      opened_at: NOW,
      bank: null,
      gave_up_at: null,
    });
  });

  it('gives every visit its own id, and keeps the attempt that was turned back', async () => {
    const payment = await store(database.mongo, 'created, turned back');
    await write('openAttempt')(payment);
    const [first, second] = (await stored(payment)).attempts;
    expect(first).toEqual(lastOf(payment));
    expect(second).toMatchObject({ number: 2, status: 'pending', card: CARD });
    expect(second!.id).not.toBe(first!.id);
  });

  it('never moves the time of the last change to an earlier time', async () => {
    const payment = paymentAtNoon({ updated_at: at(12) });
    await database.mongo.payments.insertOne(payment);
    await write('openAttempt')(payment);
    expect((await stored(payment)).updated_at).toEqual(at(12));
  });
});

describe('turnBack', () => {
  it('keeps the attempt at the bank and makes it due now', async () => {
    const payment = await store(database.mongo, 'at the bank');
    await write('turnBack')(payment);
    const now = await stored(payment);
    expect(now).toMatchObject({ status: 'processing', due_at: NOW });
    expect(lastOf(now)).toEqual({ ...lastOf(payment), turned_back_at: NOW });
  });
});

describe('recordCode', () => {
  it('counts a wrong code, and changes nothing else', async () => {
    const payment = await store(database.mongo, 'at the bank');
    const once = await recordCode(database.mongo, payment, undefined);
    const twice = await recordCode(database.mongo, once!, undefined);
    const attempts = [...payment.attempts.slice(0, -1), { ...lastOf(payment), wrong_codes: 2 }];
    expect(twice).toEqual({ ...payment, attempts });
  });

  it('stores the decision on a code, due when it becomes known', async () => {
    const payment = await store(database.mongo, 'at the bank');
    const decision = sandboxDecision('authentication_failed', NOW);
    const decided = await recordCode(database.mongo, payment, decision);
    expect(decided!.due_at).toEqual(decision.due_at);
    expect(lastOf(decided!)).toEqual({ ...lastOf(payment), bank: decision });
  });
});

describe('recordDecision', () => {
  it('stores the first decision only, due when it becomes known', async () => {
    const payment = await store(database.mongo, 'at the bank');
    const decisions = (['approve_after_30s', 'card_declined'] as const).map((outcome) =>
      sandboxDecision(outcome, NOW),
    );
    const answers = await Promise.all(
      decisions.map(async (decision) => recordDecision(database.mongo, payment, decision)),
    );
    const winner = decisions[answers.findIndex((answer) => answer !== null)];
    const now = await stored(payment);
    expect(lastOf(now).bank).toEqual(winner);
    expect(now.due_at).toEqual(winner?.due_at);
  });

  it('keeps the due time if the bank has not decided', async () => {
    const payment = await store(database.mongo, 'at the bank');
    const silence = sandboxDecision('never_answer', NOW);
    await recordDecision(database.mongo, payment, silence);
    expect((await stored(payment)).due_at).toEqual(payment.due_at);
  });
});
