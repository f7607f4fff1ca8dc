/** Refunds, and what makes one. Written by `npm run sdk:types`: do not edit. */
import type { CurrencyCode } from './payment.ts';

export type RefundStatus = 'pending' | 'completed' | 'failed' | 'canceled';

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'other';

/** Money of one payment that goes back to its customer: all of it or a part. */
export interface Refund {
  /** Sorts by time of creation. */
  id: string;
  /** Always `refund`. */
  object: 'refund';
  /** The payment that is refunded. */
  payment_id: string;
  /** What is given back, in the currency's minor unit. */
  amount: number;
  /** The payment's currency. */
  currency: CurrencyCode;
  /**
   * `pending`: the amount is reserved and the bank is asked. Final: `completed`, `failed` and
   * `canceled`; after the last two the amount is refundable again.
   */
  status: RefundStatus;
  reason: RefundReason | null;
  /** Your own note. */
  description: string | null;
  /** Why the refund is `failed`; else null. */
  failure_code: 'refund_declined' | null;
  /** Your own keys and values, as you sent them. */
  metadata: Record<string, string>;
  /** Whether real money moves; false in test mode. */
  livemode: boolean;
  /** Which door it came in by. */
  initiated_by: 'api' | 'dashboard';
  /** When the refund was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** When the bank confirmed it. */
  completed_at: string | null;
}

/** A refund to be made. A parameter that is not listed here is refused. */
export interface RefundCreate {
  /** The completed payment that is refunded. */
  payment_id: string;
  /**
   * In the payment's minor unit, written with digits only. Left out, all that is still refundable.
   */
  amount?: number | null | undefined;
  /**
   * What you believe to be refundable. If it is another amount by now, the refund is refused with
   * `refundable_changed`, so that two people do not both refund.
   */
  expected_refundable?: number | null | undefined;
  reason?: RefundReason | null | undefined;
  /** Your own note; the customer does not see it. */
  description?: string | null | undefined;
  /**
   * Your own keys and values, at most 50. No card numbers: a key or value with one in it is
   * refused. `test_outcome`: What the sandbox bank makes of the refund; left out, `complete`. Test
   * mode only.
   */
  metadata?: Record<string, string> | null | undefined;
}
