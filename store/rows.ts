/** Stored documents, with the fields that the domain does not know. */
import type { TenantRow } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';

/** The request that created a document, for repeats with the same key. */
export interface Idempotency {
  k: string;
  /** Canonical JSON of the request. */
  request: string;
  /** The response body, byte for byte. */
  response: string;
}

export type PaymentRow = Payment & { idem?: Idempotency };
export type RefundRow = Refund & { idem?: Idempotency };

/** Has `k` if the request has an idempotency key, and `response` if it has succeeded. */
export interface RequestRow extends TenantRow, Partial<Idempotency> {
  _id: string;
  payment_id: string;
  /** The operation with the payment's id: the scope of the key. */
  op: string;
  request: string;
  reason: string | null;
  created_at: Date;
}
