import { describe, expect, it } from 'vitest';
import { CHOICES, sandboxDecision } from '../../domain/bank.ts';
import { MAX_ATTEMPTS, MAX_VISITS, TRANSITIONS } from '../../domain/payment.ts';
import type { Attempt, Payment, PaymentStatus } from '../../domain/payment.ts';
import { afterTransition, changeAfter, judgePayment, releaseOf } from '../../domain/verdict.ts';
import type { Message, Verdict } from '../../domain/verdict.ts';
import {
  BANK_TIMEOUT_MS,
  at,
  decidedAttempt,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from './situation.ts';

const MESSAGES: readonly Message[] = [
  { kind: 'look' },
  { kind: 'cancel', by: 'customer', request_id: 'req_1' },
  { kind: 'expire', request_id: 'req_1' },
];

/** Payments at ten minutes after noon. "its time is over" means that the lifetime has ended. */
const NOW = at(10);
const SOON = at(11);
const times = { 'in time': at(30), 'at its end': NOW, 'its time is over': at(9) };
type Time = keyof typeof times;

const due = { due_at: at(10) };
const coming = { due_at: SOON };
const silentSince = { opened_at: at(-5) };
const [soft, hard] = (['card_declined', 'suspected_fraud'] as const).map((outcome) =>
  sandboxDecision(outcome, at(2)),
);
const approval = sandboxDecision('approve', at(2));

/** The situations of the attempt at the bank, with the number of earlier declines. */
const atBank: Record<string, { attempt: Attempt; before?: number }> = {
  undecided: { attempt: openedAttempt() },
  'undecided, opened again': { attempt: openedAttempt({ created_at: at(-60), opened_at: at(1) }) },
  'undecided, silent too long': { attempt: openedAttempt(silentSince) },
  'silence decided': { attempt: decidedAttempt('never_answer') },
  'silence decided, too long': { attempt: decidedAttempt('never_answer', silentSince) },
  'approval coming': {
    attempt: openedAttempt({ ...silentSince, bank: { ...approval, ...coming } }),
  },
  'approval without a delay, by a clock ahead': {
    attempt: openedAttempt({ bank: sandboxDecision('approve', at(99)) }),
  },
  'delayed approval, by a clock ahead': {
    attempt: openedAttempt({ bank: sandboxDecision('approve_after_30s', at(99)) }),
  },
  leaving: { attempt: openedAttempt({ turned_back_at: at(9) }) },
  'leaving, silence decided': {
    attempt: decidedAttempt('never_answer', { turned_back_at: at(1) }),
  },
  'leaving, approval due': {
    attempt: openedAttempt({ turned_back_at: at(9), bank: { ...approval, ...due } }),
  },
  'leaving, given up': { attempt: openedAttempt({ turned_back_at: at(8), gave_up_at: at(9) }) },
  'approval due': { attempt: openedAttempt({ bank: { ...approval, ...due } }) },
  'decline coming': { attempt: openedAttempt({ ...silentSince, bank: { ...soft!, ...coming } }) },
  'decline due': { attempt: openedAttempt({ bank: { ...soft!, ...due } }), before: 3 },
  'fifth decline due': { attempt: openedAttempt({ bank: { ...soft!, ...due } }), before: 4 },
  'hard decline due': { attempt: openedAttempt({ bank: { ...hard!, ...due } }) },
  'given up': { attempt: openedAttempt({ gave_up_at: at(9) }) },
  'given up, then approved': { attempt: decidedAttempt('approve', { gave_up_at: at(9) }) },
};

const same = (verdict: string) => [verdict, verdict, verdict] as const;
const ended = 'declined_at_end card_declined';
const forGood = 'declined_for_good card_declined';

/** The verdicts on look, cancel and expire, for each time of the lifetime or for all. */
type Row = readonly [string, string, string];
const PROCESSING: Record<string, Row | Record<Time, Row>> = {
  undecided: same('wait for silence'),
  'undecided, opened again': same('wait for silence'),
  'undecided, silent too long': same('ask_bank'),
  'silence decided': same('wait for silence'),
  'silence decided, too long': same('ask_bank'),
  'approval coming': same('wait for the bank'),
  'approval without a delay, by a clock ahead': same('approved'),
  'delayed approval, by a clock ahead': same('restart_delay'),
  leaving: same('ask_bank'),
  'leaving, silence decided': same('ask_bank'),
  'leaving, approval due': same('approved'),
  'leaving, given up': same('cancel_at_bank'),
  'approval due': same('approved'),
  'decline coming': same('wait for the bank'),
  'decline due': {
    'in time': same('declined card_declined'),
    'at its end': same(ended),
    'its time is over': same(ended),
  },
  'fifth decline due': same(forGood),
  'hard decline due': same('declined_for_good suspected_fraud'),
  'given up': same('cancel_at_bank'),
  'given up, then approved': same('cancel_at_bank'),
};
const CREATED: Record<Time, Row> = {
  'in time': ['wait for expiry', 'canceled', 'expired'],
  'at its end': same('expired'),
  'its time is over': same('expired'),
};
const CREATED_AFTER: Record<string, Attempt[]> = {
  nothing: [],
  'a decline': declinedAttempts(1),
  'turning back': [openedAttempt({ status: 'turned_back' })],
  'a reversed approval': [{ ...lateAttempt(at(5)), status: 'reversed' }],
};
const FINAL: readonly PaymentStatus[] = ['completed', 'failed', 'canceled', 'expired'];

type Case = readonly [string, Payment, Row];

const isRow = (row: Row | Record<Time, Row>): row is Row => Array.isArray(row);

function processingCases(): Case[] {
  return Object.entries(atBank).flatMap(([name, { attempt, before = 0 }]) =>
    (Object.keys(times) as Time[]).map((time): Case => {
      const attempts = [...declinedAttempts(before), attempt];
      const payment = paymentAtNoon({ status: 'processing', attempts, expires_at: times[time] });
      const expected = PROCESSING[name] ?? same('not in the table');
      return [`processing, ${name}, ${time}`, payment, isRow(expected) ? expected : expected[time]];
    }),
  );
}

function createdCases(): Case[] {
  return Object.entries(CREATED_AFTER).flatMap(([name, attempts]) =>
    (Object.keys(times) as Time[]).map((time): Case => {
      const payment = paymentAtNoon({ attempts, expires_at: times[time] });
      return [`created, after ${name}, ${time}`, payment, CREATED[time]];
    }),
  );
}

const finalCases = FINAL.map((status): Case => {
  const attempts = declinedAttempts(1);
  return [status, paymentAtNoon({ status, attempts }), same('done')];
});
const CASES = [...createdCases(), ...processingCases(), ...finalCases];

/** Returns the payment with a late approval, in place of its first decline if it has one. */
function withLate(payment: Payment, late: Attempt): Payment {
  const [, ...others] = payment.attempts;
  return { ...payment, attempts: [late, ...(others.length > 0 ? others : payment.attempts)] };
}

const judgeNow = (payment: Payment, message: Message): Verdict =>
  judgePayment(payment, message, { now: NOW, bankTimeoutMs: BANK_TIMEOUT_MS });

/** Returns the verdict in a few words, with times as names. */
function inWords(verdict: Verdict, payment: Payment): string {
  const attempt = payment.attempts.at(-1);
  if (verdict.kind === 'change') return `${verdict.transition} ${verdict.code ?? ''}`.trim();
  if (verdict.kind !== 'wait') return verdict.kind;
  const until = verdict.until.getTime();
  if (until === payment.expires_at.getTime()) return 'wait for expiry';
  if (until === attempt?.bank?.due_at.getTime()) return 'wait for the bank';
  const silence = (attempt?.opened_at.getTime() ?? 0) + BANK_TIMEOUT_MS;
  return until === silence ? 'wait for silence' : `wait until ${verdict.until.toISOString()}`;
}

describe('judgePayment', () => {
  it('covers every status and every situation at the bank', () => {
    expect(Object.keys(PROCESSING)).toEqual(Object.keys(atBank));
    const statuses = new Set(CASES.map(([, payment]) => payment.status));
    expect(statuses.size).toBe(6);
    expect(CASES).toHaveLength((4 + 19) * 3 + 4);
  });

  it.each(CASES)('%s', (_, payment, expected) => {
    const verdicts = MESSAGES.map((message) => inWords(judgeNow(payment, message), payment));
    expect(verdicts).toEqual(expected);
  });

  it.each(CASES)('reverses a late approval if nothing else is due: %s', (_, payment) => {
    const late = lateAttempt(NOW);
    for (const message of MESSAGES) {
      const usual = judgeNow(payment, message);
      const rests = usual.kind === 'wait' || usual.kind === 'done';
      const expected = rests ? { kind: 'reverse', attempt: late } : usual;
      expect(judgeNow(withLate(payment, late), message)).toEqual(expected);
    }
  });

  it.each(CASES)('waits until the late approval at most: %s', (_, payment) => {
    const late = lateAttempt(at(10.5));
    for (const message of MESSAGES) {
      const usual = judgeNow(payment, message);
      const rests = usual.kind === 'wait' || usual.kind === 'done';
      const expected = rests ? { kind: 'wait', until: at(10.5) } : usual;
      expect(judgeNow(withLate(payment, late), message)).toEqual(expected);
    }
  });

  it('keeps a wait that ends before the late approval', () => {
    const payment = paymentAtNoon({ attempts: [lateAttempt(at(40))] });
    expect(judgeNow(payment, { kind: 'look' })).toEqual({ kind: 'wait', until: at(30) });
  });

  it.each(CASES)("returns only changes that begin in the payment's status: %s", (_, payment) => {
    for (const message of MESSAGES) {
      const verdict = judgeNow(payment, message);
      if (verdict.kind !== 'change') continue;
      expect(TRANSITIONS[verdict.transition].from).toBe(payment.status);
    }
  });
});

describe('changeAfter', () => {
  const turnedBack = openedAttempt({ status: 'turned_back' });
  const before: Record<string, Partial<Payment>> = {
    'the first attempt': {},
    'the last attempt': { attempts: declinedAttempts(MAX_ATTEMPTS - 1) },
    'the last visit': { attempts: Array<Attempt>(MAX_VISITS - 1).fill(turnedBack) },
    'the end of the lifetime': { expires_at: at(2) },
  };
  const cases = Object.keys(before).flatMap((when) =>
    CHOICES.map((choice) => [choice, when] as const),
  );

  it.each(cases)('is the change that follows from %s at %s', (choice, when) => {
    const { attempts = [], ...rest } = before[when]!;
    const undecided = openedAttempt();
    const dueAt = new Date(undecided.opened_at.getTime() + BANK_TIMEOUT_MS);
    const payment = paymentAtNoon({
      ...rest,
      status: 'processing',
      due_at: dueAt,
      attempts: [...attempts, undecided],
    });
    const bank = choice === 'turn_back' ? null : sandboxDecision(choice, at(2));
    const chosen: Partial<Attempt> = bank ? { bank } : { turned_back_at: at(2) };
    const after = { ...payment, attempts: [...attempts, { ...undecided, ...chosen } as Attempt] };
    const now = bank?.says.answer === 'none' ? dueAt : (bank?.due_at ?? at(2));
    const judge = (judged: Payment) =>
      judgePayment(judged, { kind: 'look' }, { now, bankTimeoutMs: BANK_TIMEOUT_MS });
    let verdict = judge(after);
    if (verdict.kind === 'ask_bank') verdict = releaseOf(after, verdict.attempt, now);
    if (verdict.kind === 'change' && verdict.transition === 'turned_back') {
      const how = { now, code: null, cancellation: null };
      const next = judge(afterTransition(after, 'turned_back', how));
      if (next.kind === 'change') verdict = next;
    }
    expect(changeAfter(payment, choice, at(2))).toEqual(verdict);
  });
});
