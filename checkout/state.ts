/** The page that a customer sees at each address, in each state of a payment. */
import { isPaidElsewhere, isSilenceOver } from '../domain/method.ts';
import { isAnswered, lastAttempt } from '../domain/payment.ts';
import type { Attempt, Payment } from '../domain/payment.ts';

/** The addresses of pages. */
export type PageAddress = 'checkout' | 'cancel' | 'receipt' | 'bank' | 'code';

export type Ending = 'completed' | 'failed' | 'canceled' | 'expired';

/** The page of an attempt that has ended, by the reason. */
export type LateView = 'late_turned_back' | 'late_timed_out' | 'late_decided';

/**
 * The pages of a payment. `refused` is the response to a cancel while it is at the bank. `receipt` is
 * the completed page, without the return to the shop by itself.
 */
export type View =
  | ('form' | 'cancel' | 'refused' | 'instructions' | 'bank' | 'code')
  | ('waiting' | 'leaving' | 'silent' | 'receipt')
  | LateView
  | Ending;

type Row = Readonly<Partial<Record<PageAddress, View>>>;

/** The addresses that show a page in each state. All others redirect to that of `homeOf`. */
const PAGES = {
  /** Created, and there is time to pay. */
  open: { checkout: 'form', cancel: 'cancel' },
  /** Created, but its lifetime has ended. Its workflow is about to expire it. */
  over: { checkout: 'expired' },
  /** At the bank, which has not decided. */
  at_bank: { bank: 'bank', code: 'code' },
  /** Paid elsewhere, and the bank has not decided. The bank's page is that of the sandbox. */
  instructed: { checkout: 'instructions', bank: 'bank' },
  /** The bank has decided. Its answer is delayed or not yet settled. */
  waiting: { checkout: 'waiting' },
  /** The customer has turned back, and the attempt is being canceled at the bank. */
  leaving: { checkout: 'leaving' },
  /** The bank has not answered in time. */
  silent: { checkout: 'silent' },
  completed: { checkout: 'completed', receipt: 'receipt' },
  failed: { checkout: 'failed' },
  canceled: { checkout: 'canceled' },
  expired: { checkout: 'expired' },
} satisfies Record<string, Row>;

export type PageState = keyof typeof PAGES;

/** Returns the page that is shown at that address, or undefined if it redirects. */
export function viewAt(state: PageState, address: PageAddress): View | undefined {
  const row: Row = PAGES[state];
  return row[address];
}

/** Returns the address at which a payment in that state is shown. */
export function homeOf(state: PageState): PageAddress {
  return state === 'at_bank' ? 'bank' : 'checkout';
}

/** Returns the state of the payment at `now`. The bank has `bankTimeoutMs` to answer a card. */
export function stateOf(payment: Payment, rules: { now: Date; bankTimeoutMs: number }): PageState {
  const { now } = rules;
  const { status } = payment;
  if (status !== 'created' && status !== 'processing') return status;
  const attempt = status === 'processing' ? lastAttempt(payment) : undefined;
  if (!attempt) return now >= payment.expires_at ? 'over' : 'open';
  if (attempt.turned_back_at && (attempt.gave_up_at || !isAnswered(attempt))) return 'leaving';
  if (attempt.gave_up_at || isSilenceOver(payment, attempt, rules)) return 'silent';
  if (attempt.bank) return 'waiting';
  return isPaidElsewhere(attempt) ? 'instructed' : 'at_bank';
}

/**
 * Returns the page that explains why a choice on that attempt came too late. Returns undefined if
 * the payment's own page shows the result.
 */
export function lateViewOf(payment: Payment, attemptId: string): LateView | undefined {
  const attempt = payment.attempts.find(({ id }) => id === attemptId);
  if (!attempt || wasTurnedBack(attempt)) return 'late_turned_back';
  if (attempt.gave_up_at) return 'late_timed_out';
  return attempt === lastAttempt(payment) ? undefined : 'late_decided';
}

/**
 * Returns whether the attempt has been turned back for good. The bank may still decide until
 * `gave_up_at`.
 */
function wasTurnedBack({ status, turned_back_at: at, gave_up_at: gaveUpAt }: Attempt): boolean {
  return status === 'turned_back' || (at !== undefined && gaveUpAt !== null);
}
