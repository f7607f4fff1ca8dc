/**
 * Payments, what makes one, and what can be done with one. Written by `npm run sdk:types`: do not
 * edit.
 */

export type PaymentStatus =
  'created' | 'processing' | 'completed' | 'failed' | 'canceled' | 'expired';

export type CurrencyCode = 'AMD' | 'USD' | 'EUR' | 'RUB' | 'GEL' | 'GBP' | 'JPY' | 'KWD';

export type Locale = 'hy' | 'en' | 'ru';

export type FailureCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'authentication_failed'
  | 'limit_exceeded'
  | 'issuer_unavailable'
  | 'processing_error'
  | 'bank_timeout'
  | 'suspected_fraud'
  | 'lost_or_stolen';

export type TestOutcome =
  | 'approve'
  | 'approve_3ds'
  | 'insufficient_funds'
  | 'card_declined'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'limit_exceeded'
  | 'issuer_unavailable'
  | 'suspected_fraud'
  | 'lost_or_stolen'
  | 'approve_after_5s'
  | 'approve_after_30s'
  | 'decline_after_30s'
  | 'approve_after_timeout'
  | 'never_answer'
  | 'turn_back'
  | 'expire';

export type TestAdvance = 'expiry' | 'bank_answer' | 'next_webhook_attempt';

/** One payment by one customer. The same object in every response, event and webhook. */
export interface Payment {
  /** Sorts by time of creation. */
  id: string;
  /** Always `payment`. */
  object: 'payment';
  /**
   * `created`: waiting for the customer. `processing`: the customer is at the bank. Final:
   * `completed` (paid), `failed`, `canceled`, `expired`. Deliver goods on `completed` only.
   */
  status: PaymentStatus;
  /** What the customer pays, in the currency's minor unit: 12500 is 12,500 AMD. */
  amount: number;
  currency: CurrencyCode;
  /** The amount in English notation: `12,500 AMD`, `19.99 USD`. */
  amount_display: string;
  /** The amount refunded so far, in minor units. */
  amount_refunded: number;
  /**
   * The amount that can still be refunded, in minor units. Pending refunds are subtracted. 0 unless
   * `completed`.
   */
  amount_refundable: number;
  /** Your own reference for the order. */
  order_id: string | null;
  /** Shown to the customer. */
  description: string | null;
  /**
   * The page to send the customer to. A day after the payment has ended, it shows only the state.
   */
  checkout_url: string;
  /** Where the customer returns. This is no proof of payment: retrieve the payment. */
  return_url: string;
  /** Where the customer returns after canceling; null means `return_url`. */
  cancel_url: string | null;
  /** Language the checkout begins in. */
  locale: Locale;
  /** Your own keys and values, as you sent them. */
  metadata: Record<string, string>;
  /** True if real money moves; false in test mode. */
  livemode: boolean;
  /**
   * The payment method of the last attempt; null before the first attempt. More types may follow:
   * ignore those you do not know.
   */
  payment_method:
    | {
        type: 'card';
        card: {
          /** Such as `visa` or `mastercard`. */
          brand: string;
          /** The last four digits of the card number. */
          last4: string;
        };
      }
    | {
        type: 'bank_transfer';
        bank_transfer: {
          /** What the customer was asked to enter, such as `TG-7K3M-9P2A`. */
          reference: string;
        };
      }
    | null;
  /**
   * Attempts at the bank, without those with the status `turned_back`. If number 5 is declined, the
   * payment is `failed`.
   */
  attempts_count: number;
  /** The newest attempt at the bank; null before the first one. */
  last_attempt: {
    id: string;
    /**
     * `pending`: at the bank. `turned_back`: the customer returned without a decision. `reversed`:
     * the bank approved after the attempt had ended, so the approval was canceled and no money
     * moved.
     */
    status: 'pending' | 'approved' | 'declined' | 'turned_back' | 'reversed';
    /**
     * Why the bank declined. `suspected_fraud` and `lost_or_stolen` end the payment at once; after
     * any other the customer may try again.
     */
    failure_code: FailureCode | null;
    /** The failure code as a sentence for your developers. Customers see a text of their own. */
    failure_message: string | null;
    /** When the attempt was opened. */
    created_at: string;
  } | null;
  /** Why the payment is `failed`; otherwise null. */
  failure_code: FailureCode | null;
  /** The failure code as a sentence for your developers. Customers see a text of their own. */
  failure_message: string | null;
  /** Who canceled the payment, and why; null unless it is `canceled`. */
  cancellation: {
    by: 'merchant' | 'customer';
    reason: string | null;
  } | null;
  /** When the payment was created. */
  created_at: string;
  /** When it last changed. This never decreases. */
  updated_at: string;
  /** When it expires unless it is paid first. */
  expires_at: string;
  /** When it was paid. */
  completed_at: string | null;
  /** When it failed. */
  failed_at: string | null;
  /** When it was canceled. */
  canceled_at: string | null;
  /** When it expired. */
  expired_at: string | null;
}

/** A payment to create. Parameters that are not listed here are refused. */
export interface PaymentCreate {
  /**
   * The amount that the customer pays, as an integer in the currency's minor unit: 12500 is 12,500
   * AMD (the dram has no smaller unit), 1999 is 19.99 USD. At least 10 for AMD. Written with digits
   * only: a number with a decimal point or an exponent is refused.
   */
  amount: number;
  /** The ISO 4217 code, in upper case. */
  currency: CurrencyCode;
  /**
   * Where the customer returns after checkout: an http or https URL without user name and password.
   * The placeholders `{PAYMENT_ID}`, `{ORDER_ID}` and `{STATUS}` are filled in; nothing else is
   * added. Any other word of letters in braces is refused. This is no proof of payment: retrieve
   * the payment.
   */
  return_url: string;
  /**
   * Your own reference for the order. The list of payments can be filtered by it. Digits in groups
   * like those of a card number (4242-4242-...) are refused; plain digits are not.
   */
  order_id?: string | null | undefined;
  /** What the customer pays for. It is shown on the checkout page. */
  description?: string | null | undefined;
  /**
   * Where the customer returns after canceling; by default `return_url`. The placeholders
   * `{PAYMENT_ID}`, `{ORDER_ID}` and `{STATUS}` are filled in; nothing else is added. Any other
   * word of letters in braces is refused.
   */
  cancel_url?: string | null | undefined;
  /** The language in which the checkout begins; by default the merchant's own. */
  locale?: Locale | null | undefined;
  /**
   * Your own keys and values, at most 50. A key or value with a card number in it is refused.
   * `test_webhook_failures`: How many first attempts of each webhook about it count as failed,
   * whatever your receiver responds, so that you see retries. Test mode only.
   */
  metadata?: Record<string, string> | null | undefined;
  /**
   * When the payment expires unless it is paid: 5 minutes to 7 days ahead; by default 30 minutes,
   * or the lifetime in your settings.
   */
  expires_at?: string | null | undefined;
}

/** What is changed: at least one of the two. Other parameters are refused. */
export interface PaymentUpdate {
  /** The new text on the checkout page. `null` removes it. */
  description?: string | null | undefined;
  /**
   * Keys to add, to change, or with `null` to remove. Keys that are not named stay as they are.
   * `null` in place of the object removes all keys. A payment has at most 50 keys. A key or value
   * with a card number in it is refused. `test_webhook_failures`: How many first attempts of each
   * webhook about it count as failed, whatever your receiver responds, so that you see retries.
   * Test mode only.
   */
  metadata?: Record<string, string | null> | null | undefined;
}

export interface PaymentCancel {
  /** The reason, for your own records. The payment has it as `cancellation.reason`. */
  reason?: string | null | undefined;
}

export interface PaymentOutcome {
  /**
   * The decision of the sandbox bank. `turn_back`: the customer returns without a decision.
   * `expire`: the lifetime of the payment ends now.
   */
  outcome: TestOutcome;
}

export interface PaymentAdvance {
  /**
   * `expiry`: the payment's lifetime ends now. `bank_answer`: the bank's delayed or late answer
   * arrives now; a silent bank is asked, as after its time limit. `next_webhook_attempt`: every
   * pending webhook delivery about the payment makes its next attempt now.
   */
  to: TestAdvance;
}
