import { describe, expect, it } from '@jest/globals';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import {
  giveUp,
  openAttempt,
  recordDecision,
  recordLateApproval,
  reverseAttempt,
  turnBack,
} from '../../store/attempts.ts';
import { findAnyPayment } from '../../store/payments.ts';
import {
  BANK_TIMEOUT_MS,
  at,
  declinedAttempts,
  lateAttempt,
  paymentAtNoon,
} from '../domain/situation.ts';
import { useDatabase } from './database.ts';
import { NOW, approval, except, lastOf, store } from './states.ts';
import type { State } from './states.ts';

const database = useDatabase('attempts');
const CARD = { brand: 'mastercard', last4: '4444' };

type Write = (payment: Payment) => Promise<unknown>;

/** Every conditional write on an attempt, and the only states it may leave. */
const WRITES: Record<string, { write: Write; allowed: State[] }> = {
  openAttempt: {
    write: async (payment) => {
      const how = { card: CARD, now: NOW, bankTimeoutMs: BANK_TIMEOUT_MS };
      return openAttempt(database.mongo, payment, how);
    },
    allowed: [
      'created',
      'created, declined once',
      'created, turned back',
      'created, late approval coming',
    ],
  },
  turnBack: {
    write: async (payment) => turnBack(database.mongo, payment, NOW),
    allowed: ['at the bank'],
  },
  recordDecision: {
    write: async (payment) => recordDecision(database.mongo, payment, approval()),
    allowed: ['at the bank'],
  },
  giveUp: {
    write: async (payment) => giveUp(database.mongo, payment, NOW),
    allowed: ['at the bank', 'at the bank, silence decided'],
  },
  recordLateApproval: {
    write: async (payment) => {
      const late = { attempt: lastOf(payment), dueAt: at(11) };
      return recordLateApproval(database.mongo, payment, late);
    },
    allowed: ['at the bank, silent and given up'],
  },
  reverseAttempt: {
    write: async (payment) =>
      reverseAttempt(database.mongo, payment, { attempt: lastOf(payment), now: NOW }),
    allowed: ['created, late approval coming', 'expired, late approval coming'],
  },
};

const write = (name: string): Write => WRITES[name]!.write;
const stored = async (payment: Payment): Promise<Payment> => {
  const found = await findAnyPayment(database.mongo, payment._id);
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

  it.each(accepted)('%s is refused the second time when %s', async (name, state) => {
    const payment = await store(database.mongo, state);
    await write(name)(payment);
    const once = await stored(payment);
    expect((await write(name)(payment)) ?? null).toBeNull();
    expect(await stored(payment)).toEqual(once);
  });

  it.each(['turnBack', 'recordDecision', 'giveUp'])(
    '%s is refused for an attempt that another one has followed',
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

  it.each(['openAttempt', 'turnBack', 'recordDecision', 'giveUp'])(
    '%s 20 times at once has one winner',
    async (name) => {
      const [state = 'created'] = WRITES[name]!.allowed;
      const payment = await store(database.mongo, state);
      const many = Array.from({ length: 20 }, async () => write(name)(payment));
      const won = (await Promise.all(many)).filter((answer) => answer !== null);
      expect(won).toEqual([await stored(payment)]);
    },
  );

  it('lets either the bank or the customer win when both act at once', async () => {
    const payment = await store(database.mongo, 'at the bank');
    const names = Array.from({ length: 20 }, (_, n) => (n % 2 ? 'turnBack' : 'recordDecision'));
    const answers = await Promise.all(names.map(async (name) => write(name)(payment)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    const { status } = await stored(payment);
    const winner = names[answers.findIndex((answer) => answer !== null)];
    expect(status).toBe(winner === 'turnBack' ? 'created' : 'processing');
  });
});

describe('openAttempt', () => {
  it('opens a new attempt, due when the bank has had its time, however long it could be paid', async () => {
    const payment = paymentAtNoon({ attempts: declinedAttempts(1), expires_at: at(7 * 24 * 60) });
    await database.mongo.payments.insertOne(payment);
    await write('openAttempt')(payment);
    const now = await stored(payment);
    expect(now).toMatchObject({ status: 'processing', due_at: at(25), updated_at: NOW });
    expect(now.attempts[1]).toEqual({
      id: expect.stringMatching(/^att_/),
      number: 2,
      status: 'pending',
      card: CARD,
      failure_code: null,
      created_at: NOW,
      opened_at: NOW,
      bank: null,
      gave_up_at: null,
    });
  });

  it('uses a turned-back attempt again, with the new card and the clock set back', async () => {
    const payment = await store(database.mongo, 'created, turned back');
    await write('openAttempt')(payment);
    const reused = { ...lastOf(payment), status: 'pending', card: CARD, opened_at: NOW };
    expect((await stored(payment)).attempts).toEqual([reused]);
  });
});

describe('turnBack', () => {
  it('gives the payment back to the customer, due at the end of its lifetime', async () => {
    const payment = await store(database.mongo, 'at the bank');
    await write('turnBack')(payment);
    const now = await stored(payment);
    expect(now).toMatchObject({ status: 'created', due_at: payment.expires_at });
    expect(lastOf(now)).toEqual({ ...lastOf(payment), status: 'turned_back' });
  });
});

describe('recordDecision', () => {
  it('keeps the decision of the winner, and is due when that becomes known', async () => {
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

  it('leaves a bank that keeps silent the time it has', async () => {
    const payment = await store(database.mongo, 'at the bank');
    const silence = sandboxDecision('never_answer', NOW);
    await recordDecision(database.mongo, payment, silence);
    expect((await stored(payment)).due_at).toEqual(payment.due_at);
  });
});

describe('reverseAttempt', () => {
  it.each(['created, late approval coming', 'expired, late approval coming'] as const)(
    'leaves nothing outstanding: %s',
    async (state) => {
      const payment = await store(database.mongo, state);
      await write('reverseAttempt')(payment);
      const now = await stored(payment);
      expect(lastOf(now).status).toBe('reversed');
      expect(now.open).toBe(payment.status === 'created' ? true : undefined);
      expect(now.due_at).toEqual(payment.expires_at);
    },
  );

  it('keeps a final payment open while another late approval is outstanding', async () => {
    const { mongo } = database;
    const first = lateAttempt(at(9));
    const attempts = [first, lateAttempt(at(11))];
    const payment = paymentAtNoon({ status: 'expired', open: true, attempts });
    await mongo.payments.insertOne(payment);
    await reverseAttempt(mongo, payment, { attempt: first, now: NOW });
    expect((await stored(payment)).open).toBe(true);
    const halfway = await stored(payment);
    await reverseAttempt(mongo, halfway, { attempt: lastOf(halfway), now: NOW });
    expect(await stored(payment)).not.toHaveProperty('open');
  });
});
