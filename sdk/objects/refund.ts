/** Refunds, and what makes one. Written by `npm run sdk:types`: do not edit. */
import type { CurrencyCode } from './payment.ts';

export type RefundStatus = 'pending' | 'completed' | 'failed' | 'canceled';

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'other';

/** Money of one payment that goes back to the customer: the whole amount or a part. */
export interface Refund {
  /** Sorts by time of creation. */
  id: string;
  /** Always `refund`. */
  object: 'refund';
  /** The payment that is refunded. */
  payment_id: string;
  /** The refunded amount, in the currency's minor unit. */
  amount: number;
  /** The payment's currency. */
  currency: CurrencyCode;
  /**
   * `pending`: the amount is reserved and the bank is deciding. Final: `completed`, `failed` and
   * `canceled`; after the last two the amount is refundable again.
   */
  status: RefundStatus;
  reason: RefundReason | null;
  /** Your own note. */
  description: string | null;
  /** Why the refund is `failed`; otherwise null. */
  failure_code: 'refund_declined' | null;
  /** Your own keys and values, as you sent them. */
  metadata: Record<string, string>;
  /** True if real money moves; false in test mode. */
  livemode: boolean;
  /** Where the refund was created. */
  initiated_by: 'api' | 'dashboard';
  /** When the refund was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** When the bank completed it. */
  completed_at: string | null;
}

/** A refund to create. Parameters that are not listed here are refused. */
export interface RefundCreate {
  /** The completed payment that is refunded. */
  payment_id: string;
  /**
   * In the payment's minor unit, written with digits only; by default the whole refundable amount.
   */
  amount?: number | null | undefined;
  /**
   * The refundable amount that you expect. If it has changed, the refund is refused with
   * `refundable_changed`, so that two people do not both refund.
   */
  expected_refundable?: number | null | undefined;
  reason?: RefundReason | null | undefined;
  /** Your own note. The customer does not see it. */
  description?: string | null | undefined;
  /**
   * Your own keys and values, at most 50. A key or value with a card number in it is refused.
   * `test_webhook_failures`: How many first attempts of each webhook about it count as failed,
   * whatever your receiver responds, so that you see retries. Test mode only. `test_outcome`: The
   * outcome at the sandbox bank; by default `complete`. Test mode only.
   */
  metadata?: Record<string, string> | null | undefined;
}
