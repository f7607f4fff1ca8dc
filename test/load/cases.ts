/** Cases of a payment: the steps of the customer or merchant, and the expected end. */
import type { PublicPayment } from '../../domain/wire.ts';
import {
  cancelAsCustomer,
  chooseOutcome,
  enterCard,
  enterWrongCodes,
  refreshCheckout,
} from '../support/customer.ts';
import type { Merchant } from '../support/merchant.ts';
import { until } from '../support/until.ts';

/** The time limit of one step, while 200 payments share a busy machine. */
const STEP_LIMIT_MS = 120_000;

/** A payment, and a way to decide it: on the pages or with the test-mode call. */
interface Actor {
  readonly payment: PublicPayment;
  readonly merchant: Merchant;
  /** Chooses an outcome at the bank. */
  decide(outcome: string): Promise<void>;
}

export interface Case {
  readonly name: string;
  act(actor: Actor): Promise<unknown>;
  readonly status: 'completed' | 'failed' | 'canceled' | 'expired';
  /** The number of `payment.attempt_failed` events before the end. */
  readonly declines: number;
  /** True if the bank stays silent. One more decline may then come before the end. */
  readonly isSilent?: boolean;
  /** True if the payment ends with its lifetime. */
  readonly isShort?: boolean;
  /** The status of the last attempt, unless it follows from the payment's status. */
  readonly attempt?: string;
}

/** Returns an actor who submits the forms of the pages. */
export function actOnPages(merchant: Merchant, payment: PublicPayment): Actor {
  const decide = async (outcome: string) => chooseOutcome(await enterCard(payment), outcome);
  return { merchant, payment, decide };
}

/** Returns an actor who uses the test-mode call. */
export function actByCall(merchant: Merchant, payment: PublicPayment): Actor {
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

/** Fails the first attempt, and waits until the customer may try again. */
async function failOnce(actor: Actor, outcome: string): Promise<void> {
  await actor.decide(outcome);
  await untilCreated(actor);
}

/** Lets the bank stay silent, and refreshes the checkout until it offers another attempt. */
async function noticeSilence(actor: Actor, outcome: string): Promise<void> {
  await actor.decide(outcome);
  await until(
    async () => refreshCheckout(actor.payment),
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

/** Returns a case with a single outcome at the bank. */
const decided = (name: string, status: Case['status']): Case => {
  return { name, status, declines: 0, act: async (actor) => actor.decide(name) };
};

/** Returns a case that is approved after a first attempt that leaves the payment open. */
const retried = (name: string, declines: number, first: (actor: Actor) => Promise<void>): Case => ({
  name: `${name}, then approve`,
  status: 'completed',
  declines,
  act: async (actor) => {
    await first(actor);
    await actor.decide('approve');
  },
});

/** Cases with every outcome. The slowest come first, so that the others run meanwhile. */
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
  retried('never_answer, noticed', 1, async (actor) => noticeSilence(actor, 'never_answer')),
  retried('approve_after_timeout, noticed', 1, async (actor) =>
    noticeSilence(actor, 'approve_after_timeout'),
  ),
  { name: 'nothing at all', status: 'expired', declines: 0, isShort: true, act: async () => {} },
  { ...decided('turn_back', 'expired'), isShort: true, attempt: 'turned_back' },
  { ...decided('card_declined', 'expired'), isShort: true, declines: 1, attempt: 'declined' },
  decided('approve_after_5s', 'completed'),
  decided('approve', 'completed'),
  decided('approve_3ds', 'completed'),
  retried('turn_back', 0, async (actor) => failOnce(actor, 'turn_back')),
  ...SOFT.map((code) => retried(code, 1, async (actor) => failOnce(actor, code))),
  retried('three wrong codes', 1, async (actor) => {
    await enterWrongCodes(await enterCard(actor.payment));
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
