/** A stored payment in each of its states, created at noon and used ten minutes later. */
import { sandboxDecision } from '../../domain/bank.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import type { Mongo } from '../../store/mongo.ts';
import {
  at,
  decidedAttempt,
  declinedAttempts,
  lateAttempt,
  openedAttempt,
  paymentAtNoon,
} from '../domain/situation.ts';

export const NOW = at(10);

const processing = (attempt: Attempt): Payment =>
  paymentAtNoon({ status: 'processing', attempts: [...declinedAttempts(1), attempt] });
const ended = (status: Payment['status']): Payment =>
  paymentAtNoon({ status, attempts: declinedAttempts(1) });

export const STATES = {
  created: () => paymentAtNoon(),
  'created, its time is over': () => paymentAtNoon({ expires_at: NOW }),
  'created, declined once': () => paymentAtNoon({ attempts: declinedAttempts(1) }),
  'created, turned back': () =>
    paymentAtNoon({ attempts: [openedAttempt({ status: 'turned_back' })] }),
  'created, late approval coming': () => paymentAtNoon({ attempts: [lateAttempt(at(11))] }),
  'created, turned back, late approval coming': () =>
    paymentAtNoon({ attempts: [decidedAttempt('approve', { status: 'turned_back' })] }),
  'at the bank': () => processing(openedAttempt()),
  'at the bank, leaving': () => processing(openedAttempt({ turned_back_at: at(9) })),
  'at the bank, silence decided': () => processing(decidedAttempt('never_answer')),
  'at the bank, decided': () => processing(decidedAttempt('approve')),
  'at the bank, given up': () => processing(openedAttempt({ gave_up_at: at(9) })),
  'at the bank, silent and given up': () =>
    processing(decidedAttempt('approve_after_timeout', { gave_up_at: at(9) })),
  completed: () => ended('completed'),
  failed: () => ended('failed'),
  canceled: () => ended('canceled'),
  expired: () => ended('expired'),
  'expired, late approval coming': () =>
    paymentAtNoon({ status: 'expired', open: true, attempts: [lateAttempt(at(11))] }),
} satisfies Record<string, () => Payment>;

export type State = keyof typeof STATES;
export const STATE_NAMES = Object.keys(STATES) as State[];

/** Returns the other states. */
export const except = (...names: State[]): State[] =>
  STATE_NAMES.filter((name) => !names.includes(name));

/** Inserts a payment of that state. */
export async function store(mongo: Mongo, state: State): Promise<Payment> {
  const payment = STATES[state]();
  await mongo.payments.insertOne(payment);
  return payment;
}

/** Returns the last attempt of a payment, or a new one that is not stored if it has none. */
export const lastOf = (payment: Payment): Attempt => payment.attempts.at(-1) ?? openedAttempt();

export const approval = () => sandboxDecision('approve', NOW);
