/** What customers do with a payment, and what comes of it. */
import type { PublicPayment } from '../../domain/wire.ts';
import {
  cancelAsCustomer,
  chooseOutcome,
  enterCard,
  lookAgain,
  typeWrongCode,
} from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import { until } from '../support/until.ts';

/** On a busy machine a step of 200 payments at once takes a while. */
const STEP_LIMIT_MS = 30_000;

/** One payment and the one who acts on it, by the pages or by the test-mode call. */
export interface Actor {
  readonly payment: PublicPayment;
  readonly merchant: Merchant;
  /** Goes to the bank and decides there. */
  decide(outcome: string): Promise<void>;
}

export interface Case {
  readonly name: string;
  act(actor: Actor): Promise<unknown>;
  readonly status: 'completed' | 'failed' | 'canceled' | 'expired';
  /** How many declines are told before the end. */
  readonly declines: number;
  /** Set if the bank's silence may be noticed before the end, which is one decline more. */
  readonly isSilent?: boolean;
  /** Whether it ends because its time does. */
  readonly isShort?: boolean;
  /** The last attempt's status, where it is not told by the payment's. */
  readonly attempt?: string;
}

/** An actor who uses the pages' forms. */
export function byPages(merchant: Merchant, payment: PublicPayment): Actor {
  const decide = async (outcome: string) => chooseOutcome(await enterCard(payment), outcome);
  return { merchant, payment, decide };
}

/** An actor who uses the call of test mode. */
export function byCall(merchant: Merchant, payment: PublicPayment): Actor {
  const decide = async (outcome: string) => {
    await merchant.outcome(payment.id, outcome);
  };
  return { merchant, payment, decide };
}

async function untilCreated({ merchant, payment }: Actor): Promise<void> {
  await until(
    async () => (await merchant.retrieve(payment.id)).status,
    (status) => status === 'created',
    STEP_LIMIT_MS,
  );
}

/** Decides so that the customer may try again, and waits until he may. */
async function failOnce(actor: Actor, outcome: string): Promise<void> {
  await actor.decide(outcome);
  await untilCreated(actor);
}

/** The customer looks until the bank has had its time, and has the service ask it. */
async function noticeSilence(actor: Actor, outcome: string): Promise<void> {
  await actor.decide(outcome);
  await until(
    async () => lookAgain(actor.payment),
    (view) => view === 'form',
    STEP_LIMIT_MS,
  );
}

const SOFT = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'limit_exceeded',
  'issuer_unavailable',
] as const;

const decided = (name: string, status: Case['status']): Case => {
  return { name, status, declines: 0, act: async (actor) => actor.decide(name) };
};

/** A case with a first try that leaves the payment open. */
const again = (name: string, declines: number, first: (actor: Actor) => Promise<void>): Case => ({
  name: `${name}, then approve`,
  status: 'completed',
  declines,
  act: async (actor) => {
    await first(actor);
    await actor.decide('approve');
  },
});

/** Every outcome; those that take longest come first, so that the others pass meanwhile. */
export const CASES: readonly Case[] = [
  decided('approve_after_30s', 'completed'),
  { ...decided('decline_after_30s', 'expired'), isShort: true },
  {
    ...decided('approve_after_timeout', 'expired'),
    isShort: true,
    isSilent: true,
    attempt: 'reversed',
  },
  { ...decided('never_answer', 'expired'), isShort: true, isSilent: true, attempt: 'declined' },
  again('never_answer, noticed', 1, async (actor) => noticeSilence(actor, 'never_answer')),
  again('approve_after_timeout, noticed', 1, async (actor) =>
    noticeSilence(actor, 'approve_after_timeout'),
  ),
  { name: 'nothing at all', status: 'expired', declines: 0, isShort: true, act: async () => {} },
  { ...decided('turn_back', 'expired'), isShort: true, attempt: 'turned_back' },
  { ...decided('card_declined', 'expired'), isShort: true, declines: 1, attempt: 'declined' },
  decided('approve_after_5s', 'completed'),
  decided('approve', 'completed'),
  decided('approve_3ds', 'completed'),
  again('turn_back', 0, async (actor) => failOnce(actor, 'turn_back')),
  ...SOFT.map((code) => again(code, 1, async (actor) => failOnce(actor, code))),
  again('a wrong code', 1, async (actor) => {
    await typeWrongCode(await enterCard(actor.payment));
    await untilCreated(actor);
  }),
  decided('suspected_fraud', 'failed'),
  decided('lost_or_stolen', 'failed'),
  {
    name: 'five declines',
    status: 'failed',
    declines: 4,
    act: async (actor) => {
      for (let i = 1; i <= 4; i += 1) await failOnce(actor, 'card_declined');
      await actor.decide('card_declined');
    },
  },
  {
    name: 'canceled by the customer',
    status: 'canceled',
    declines: 0,
    act: async ({ payment }) => cancelAsCustomer(payment),
  },
  {
    name: 'canceled by the merchant',
    status: 'canceled',
    declines: 0,
    act: async ({ merchant, payment }) => merchant.cancel(payment.id),
  },
  {
    name: 'expired in test mode',
    status: 'expired',
    declines: 0,
    act: async ({ merchant, payment }) => merchant.outcome(payment.id, 'expire'),
  },
];
