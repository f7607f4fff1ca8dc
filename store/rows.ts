/** Stored documents, with the fields that the domain does not know. */
import type { Binary } from 'mongodb';
import type { Actor } from '../domain/audit.ts';
import type { Logo, TenantRow } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import type { Counts } from '../domain/stats.ts';

/** The request that created a document, for repeats with the same key. */
export interface Idempotency {
  k: string;
  /** Canonical JSON of the request. */
  request: string;
  /** The response body, byte for byte. */
  response: string;
}

export interface PaymentRow extends Payment {
  idem?: Idempotency;
  /** The id of the API request that created it. Absent on payments of earlier versions. */
  request_id?: string;
  /** The search terms (domain/search.ts). Absent until `backfillTerms` has added them. */
  found_by?: string[];
  /** The search terms of an earlier version, without those of the order id. */
  terms?: string[];
}
export type RefundRow = Refund & { idem?: Idempotency };

/** Has `k` if the request has an idempotency key, and `response` if it has succeeded. */
export interface RequestRow extends TenantRow, Partial<Idempotency> {
  _id: string;
  payment_id: string;
  /** The operation with the payment's id: the scope of the key. */
  op: string;
  request: string;
  reason: string | null;
  /** The person who asked for it in the dashboard, for the audit. */
  actor?: Actor;
  created_at: Date;
}

/** The bytes of a logo, under the logo's id. */
export interface LogoRow extends Pick<Logo, 'type'> {
  _id: string;
  merchant_id: string;
  bytes: Binary;
}

/** A file of payment pages, by its hash. */
export interface FileRow {
  _id: string;
  type: string;
  bytes: Binary;
}

/** The counts of a tenant's UTC day, in one generation of the statistics. */
export interface DayStatsRow {
  /** Generation, tenant and day: `000001:mer_...:test:2026-11-22`. */
  _id: string;
  counts: Counts;
}

/** One counting of all payments and events. A rebuild makes a new generation. */
export interface Generation {
  number: number;
  /** The last event that is counted, in the order of ids. */
  events: string;
  /** The last payment that is counted. */
  payments: string;
}

/** How far the statistics have been counted. There is one such document. */
export interface StatsStateRow {
  _id: 'stats';
  /** The generation that readers use. */
  current: Generation;
  /** The generation that a rebuild counts. */
  next: Generation | null;
}
