/** The check of a receiver: what was found, and the row in which an endpoint's last report is. */
import type { DeliveryError } from './delivery.ts';
import type { TenantRow } from './merchant.ts';

/** The rules that are checked. `genuine` comes first: if it fails, the others prove nothing. */
export const CHECK_CODES = [
  'genuine',
  'wrong_secret',
  'no_signature',
  'empty_key',
  'changed_body',
  'cut_signature',
  'changed_id',
  'old',
  'other_timestamp',
  'future',
  'one_form',
  'rotation',
  'twice',
  'order',
  'unknown_type',
  'non_ascii',
  'large',
  'bytes',
  'method',
  'time',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

/** The requests that are sent, each with what is special about it. `slowest` is not a request. */
export const STEP_CODES = [
  'completed',
  'wrong_secret',
  'wrong_secret_own',
  'wrong_secret_standard',
  'no_headers',
  'no_timestamps',
  'empty_signatures',
  'empty_key',
  'changed_digit',
  'cut_own',
  'cut_standard',
  'cut_half',
  'other_id',
  'old_edge',
  'old',
  'old_own',
  'old_standard',
  'future_edge',
  'future',
  'own_alone',
  'standard_alone',
  'unknown_first',
  'unknown_last',
  'same',
  'same_again',
  'refund_first',
  'payment_after',
  'future_type',
  'scripts',
  'large',
  'respelled',
  'get',
  'slowest',
] as const;
export type StepCode = (typeof STEP_CODES)[number];

export type Verdict = 'pass' | 'warning' | 'fail' | 'skipped';

/** The reason of a check that did not pass, or was skipped. */
export type Cause =
  /** A request that must be accepted was refused. */
  | 'refused'
  /** A request that must be refused was accepted. */
  | 'accepted'
  | 'redirect'
  /** 405 */
  | 'not_post'
  | 'no_response'
  /** A request that must be refused got no response. */
  | 'forgery_ignored'
  /** 5xx, for a payment that is made up: the receiver may have failed to retrieve it. */
  | 'unreal'
  /** 5xx for a forgery, where genuine deliveries get the same. */
  | 'unproven'
  /** 5xx for a forgery. */
  | 'server_error'
  | 'slow'
  /** Skipped, because the genuine delivery was not accepted. */
  | 'not_accepted'
  /** Skipped, because the time of the whole check was over. */
  | 'out_of_time';

/** A request and its response. `Failure` is how the sender names the lack of a response. */
export interface Exchange<Failure = DeliveryError> {
  readonly step: StepCode;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** The reason of a missing response; null if there was one. */
  readonly error: Failure | null;
  readonly duration_ms: number;
  /** The beginning of the response's body. */
  readonly body: string;
}

export interface Finding<Failure = DeliveryError> {
  readonly check: CheckCode;
  readonly verdict: Verdict;
  /** Null if the check passed. */
  readonly cause: Cause | null;
  readonly exchanges: readonly Exchange<Failure>[];
}

/** The last check of an endpoint. The row is also the lock against a second check meanwhile. */
export interface Check extends TenantRow {
  /** The endpoint's id. */
  _id: string;
  /** The run that began last. Only this run may write its report. */
  run: string;
  /** No other run begins before this time. */
  busy_until: Date;
  /** Absent until the first run has ended. */
  report?: CheckReport;
  /** MongoDB deletes the row after this time. */
  expires_at: Date;
}

export interface CheckReport {
  readonly at: Date;
  /** The address that was checked, without its query. */
  readonly url: string;
  readonly findings: readonly Finding[];
}

/** How long a report is kept: long enough to mend a receiver. */
export const REPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
