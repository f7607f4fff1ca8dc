/** Payments and steps for the scenes of the checkout. */
import { FAILURE_MESSAGES, isHardDecline } from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { MAX_AMOUNT } from '../../domain/money.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import { makeAttempt, makeTransfer } from '../support/rows/payment.ts';
import { paymentIn } from './harness.ts';
import type { Bench } from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The merchants of scenes: an ordinary one, one with logo and colour, and one with long texts. */
export type Stager = 'plain' | 'branded' | 'wordy';

export interface Submission {
  /** The id of the form on the opened page. */
  readonly form: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Sends the form as plain text, which no page of ours does. */
  readonly isPlain?: boolean;
  /** What happens after the page was opened, and before its form is submitted. */
  readonly meanwhile?: (bench: Bench, payment: Payment) => Promise<unknown> | void;
}

/** How a page comes to be shown. */
export interface Plot {
  /** Of the response; 200 by default. */
  readonly status?: number;
  /** The payment, which is open by default. */
  readonly payment?: () => Payment;
  readonly merchant?: Stager;
  /** The path of the opened page, by default the payment's. */
  readonly path?: (payment: Payment, bench: Bench) => string;
  readonly submit?: Submission;
  /** Too many unknown addresses were requested before. */
  readonly isCrowded?: boolean;
  /** A variant in words only: no picture is taken of it. */
  readonly isVariant?: boolean;
}

export const checkout = ({ checkout_token: token }: Payment): string => `/c/${token}`;
export const atReceipt = (payment: Payment): string => `${checkout(payment)}/receipt`;
export const atCancel = (payment: Payment): string => `${checkout(payment)}/cancel`;
export const atBank = (payment: Payment, bench: Bench): string => bench.bankPath(payment);
export const atCode = (payment: Payment, bench: Bench): string => bench.bankPath(payment, '/code');

export const fresh = (overrides: Partial<Payment> = {}) =>
  paymentIn('open', { attempts: [], ...overrides });
export const visited = (...attempts: Partial<Attempt>[]) =>
  fresh({ attempts: attempts.map((each, index) => makeAttempt({ number: index + 1, ...each })) });
export const declined = (code: FailureCode, count = 1) =>
  visited(
    ...Array.from({ length: count }, () => ({ status: 'declined', failure_code: code }) as const),
  );

export const LONG_TEXTS = {
  description: `${'Subscription to the complete illustrated works, '.repeat(4)}with-a-word-${'o'.repeat(48)}`,
  order_id: `ORDER-${'0123456789'.repeat(12)}`,
  amount: MAX_AMOUNT,
  currency: 'KWD',
};

/** Changes the payment, as another tab or the workflow does. */
export const become =
  (change: () => Partial<Payment>) =>
  async ({ mongo }: Bench, { _id }: Payment): Promise<unknown> =>
    mongo.payments.updateOne({ _id }, { $set: change() });

/** A choice at the bank, whose page was open while the attempt ended. */
export const late = (how: Partial<Attempt>, next: readonly Attempt[] = []): Plot => ({
  status: 409,
  payment: () => paymentIn('at_bank'),
  path: atBank,
  submit: {
    form: 'bank-form',
    fields: { outcome: 'approve' },
    meanwhile: async ({ mongo }, { _id, attempts }) => {
      const ended = attempts.map((attempt) => makeAttempt({ ...attempt, ...how }));
      const status = next.length > 0 ? 'processing' : 'created';
      await mongo.payments.updateOne({ _id }, { $set: { status, attempts: [...ended, ...next] } });
    },
  },
});

/** Makes the workflow fail, for whoever asks it. */
export const failAsk = (error: Error) => (bench: Bench) => {
  bench.temporal.onAsk = async () => {
    throw error;
  };
};

/** A payment whose last attempt is a transfer, in a state of the page. */
export const byTransfer = (attempt: Partial<Attempt> = {}, overrides: Partial<Payment> = {}) => {
  const isOpen = attempt.status === 'declined' || attempt.status === 'turned_back';
  return paymentIn(isOpen ? 'open' : 'instructed', {
    attempts: [makeTransfer(attempt)],
    ...overrides,
  });
};

export const past = (state: 'completed' | 'failed' | 'canceled' | 'expired') => (): Payment => {
  const ended = new Date(Date.now() - DAY_MS);
  return paymentIn(state, { created_at: new Date(ended.getTime() - 1_000), updated_at: ended });
};

export const ending = (
  state: 'completed' | 'failed' | 'canceled' | 'expired',
): Record<string, Plot> => ({
  [state]: { payment: () => paymentIn(state) },
  [`${state}-past`]: { payment: past(state) },
});

export const softCodes = (Object.keys(FAILURE_MESSAGES) as FailureCode[]).filter(
  (code) => !isHardDecline(code),
);
