/** What the database keeps of a document besides what the domain knows of it. */
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';

/** The answer to the request that created the document, for a repeat with the same key. */
export interface Idempotency {
  k: string;
  /** Canonical JSON of the request. */
  request: string;
  /** The response body, byte for byte. */
  response: string;
}

export interface PaymentRow extends Payment {
  idem?: Idempotency;
}

export interface RefundRow extends Refund {
  idem?: Idempotency;
}

export interface RequestRow {
  _id: string;
  m: string;
  payment_id: string;
  /** What was asked, with the payment's id: the scope of the key. */
  op: string;
  /** The idempotency key; absent when none was sent. */
  k?: string;
  /** Canonical JSON of the request. */
  request: string;
  reason: string | null;
  created_at: Date;
  /** The answer's bytes, once it was successful: a repeat gets the same. */
  response?: string;
}
