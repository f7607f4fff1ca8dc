/**
 * What a customer sees at each address, in every situation a payment can be in: the one table that
 * pages, redirects and tests follow. Looking never changes anything.
 */
import { isAnswered, isFinal, isSilenceOver, lastAttempt } from '../domain/payment.ts';
import type { Attempt, Payment } from '../domain/payment.ts';

export type Situation =
  /** Created, and there is time to pay. */
  | 'open'
  /** Created, but its time is over: its workflow is about to expire it. */
  | 'over'
  /** The customer belongs at the bank, which has not been told what to answer. */
  | 'at_bank'
  /** The bank has been asked; its answer is on the way or is being recorded. */
  | 'waiting'
  /** The customer has turned back, and the attempt is being cancelled at the bank. */
  | 'leaving'
  /** The bank has had its time and said nothing. */
  | 'silent'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'expired';

/** The addresses a customer can open. `old_bank` is the bank's page of an earlier attempt. */
export const PAGES = ['checkout', 'cancel', 'bank', 'code', 'old_bank'] as const;
export type PageName = (typeof PAGES)[number];

export type View =
  | 'form'
  | 'cancel'
  | 'bank'
  | 'code'
  | 'waiting'
  | 'leaving'
  | 'silent'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'expired';

/** The bank's page after a choice that came too late, by the reason. */
export type LateView = 'late_turned_back' | 'late_timed_out' | 'late_decided';

export type Cell = { readonly show: View } | { readonly go: PageName };

const show = (view: View): Cell => ({ show: view });
const toCheckout: Cell = { go: 'checkout' };
const toBank: Cell = { go: 'bank' };

/** Everything but the checkout page leads to the checkout page. */
function only(view: View): Readonly<Record<PageName, Cell>> {
  return {
    checkout: show(view),
    cancel: toCheckout,
    bank: toCheckout,
    code: toCheckout,
    old_bank: toCheckout,
  };
}

export const TABLE: Readonly<Record<Situation, Readonly<Record<PageName, Cell>>>> = {
  open: { ...only('form'), cancel: show('cancel') },
  over: only('expired'),
  at_bank: {
    checkout: toBank,
    cancel: toBank,
    bank: show('bank'),
    code: show('code'),
    old_bank: toCheckout,
  },
  waiting: only('waiting'),
  leaving: only('leaving'),
  silent: only('silent'),
  completed: only('completed'),
  failed: only('failed'),
  canceled: only('canceled'),
  expired: only('expired'),
};

export const SITUATIONS = Object.keys(TABLE) as readonly Situation[];

/** The situation of the payment at `now`; `bankTimeoutMs` is the time that the bank has. */
export function situationOf(
  payment: Payment,
  { now, bankTimeoutMs }: { now: Date; bankTimeoutMs: number },
): Situation {
  const { status } = payment;
  if (isFinal(status)) return status as Exclude<typeof status, 'created' | 'processing'>;
  const attempt = status === 'processing' ? lastAttempt(payment) : undefined;
  if (!attempt) return now >= payment.expires_at ? 'over' : 'open';
  if (attempt.turned_back_at && (attempt.gave_up_at || !isAnswered(attempt))) return 'leaving';
  if (attempt.gave_up_at || isSilenceOver(attempt, now, bankTimeoutMs)) return 'silent';
  return attempt.bank ? 'waiting' : 'at_bank';
}

/**
 * Returns the view that tells the customer why a choice on that attempt came too late. Returns
 * undefined if the payment's own page shows the result.
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

/** The page on which whoever opens `page` ends up, and what is shown there. */
export function destinationOf(
  situation: Situation,
  page: PageName,
): { page: PageName; view: View } {
  let at = page;
  // No way through the table is longer than its number of pages, unless it went in a circle.
  for (let steps = 0; steps <= PAGES.length; steps += 1) {
    const cell = TABLE[situation][at];
    if ('show' in cell) return { page: at, view: cell.show };
    at = cell.go;
  }
  throw new Error(`The table leads in a circle from ${page} when ${situation}.`);
}
