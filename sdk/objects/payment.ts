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

/** One payment by one customer. The same object in every answer, event and webhook. */
export interface Payment {
  /** Sorts by time of creation. */
  id: string;
  /** Always `payment`. */
  object: 'payment';
  /**
   * `created`: waits for the customer. `processing`: the customer is at the bank. Final:
   * `completed` (paid), `failed`, `canceled`, `expired`. Deliver goods on `completed` only.
   */
  status: PaymentStatus;
  /** What the customer pays, in the currency's minor unit: 12500 is 12,500 AMD. */
  amount: number;
  currency: CurrencyCode;
  /** The amount as an English reader writes it: `12,500 AMD`, `19.99 USD`. */
  amount_display: string;
  /** What has been given back so far, in minor units. */
  amount_refunded: number;
  /**
   * What can still be refunded, in minor units: pending refunds are taken off; 0 unless completed.
   */
  amount_refundable: number;
  /** Your own reference of the order. */
  order_id: string | null;
  /** Shown to the customer. */
  description: string | null;
  /**
   * Where to send the customer. A day after the payment has ended, the page shows only its state.
   */
  checkout_url: string;
  /** Where the customer returns. Arriving there proves nothing: retrieve the payment. */
  return_url: string;
  /** Where the customer returns after canceling; null means `return_url`. */
  cancel_url: string | null;
  /** Language the checkout begins in. */
  locale: Locale;
  /** Your own keys and values, as you sent them. */
  metadata: Record<string, string>;
  /** Whether real money moves; false in test mode. */
  livemode: boolean;
  /** What the customer paid with, or tried to; null before the first attempt. */
  payment_method: {
    type: 'card';
    card: {
      /** Such as `visa` or `mastercard`. */
      brand: string;
      /** The last four digits of the card number. */
      last4: string;
    };
  } | null;
  /**
   * Attempts at the bank, without those that were turned back; the decline of number 5 ends the
   * payment as `failed`.
   */
  attempts_count: number;
  /** The attempt that is, or was last, at the bank; null before the first one. */
  last_attempt: {
    id: string;
    /**
     * `pending`: at the bank. `turned_back`: the customer came back undecided. `reversed`: the bank
     * approved after the attempt had ended, and the approval was cancelled there: no money moved.
     */
    status: 'pending' | 'approved' | 'declined' | 'turned_back' | 'reversed';
    /**
     * Why the bank declined. `suspected_fraud` and `lost_or_stolen` end the payment at once; after
     * any other the customer may try again.
     */
    failure_code: FailureCode | null;
    /** The failure code as a sentence for your developers; customers read their own. */
    failure_message: string | null;
    /** When the attempt was opened. */
    created_at: string;
  } | null;
  /** Why the payment is `failed`; else null. */
  failure_code: FailureCode | null;
  /** The failure code as a sentence for your developers; customers read their own. */
  failure_message: string | null;
  /** Who canceled the payment, and why; null unless it is `canceled`. */
  cancellation: {
    by: 'merchant' | 'customer';
    reason: string | null;
  } | null;
  /** When the payment was created. */
  created_at: string;
  /** When it last changed. It never goes back. */
  updated_at: string;
  /** When it expires unless it is paid before. */
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

/** A payment to be made. A parameter that is not listed here is refused. */
export interface PaymentCreate {
  /**
   * What the customer is to pay, as an integer in the currency's minor unit: 12500 is 12,500 AMD
   * (the dram has no smaller unit), 1999 is 19.99 USD. At least 10 for AMD. Written with digits
   * only: a number with a decimal point or an exponent is refused.
   */
  amount: number;
  /** The ISO 4217 code, in upper case. */
  currency: CurrencyCode;
  /**
   * Where the customer returns after checkout: an http or https URL without user name and password.
   * `{PAYMENT_ID}`, `{ORDER_ID}` and `{STATUS}` in it are filled in; nothing else is added.
   * Arriving there proves nothing: retrieve the payment.
   */
  return_url: string;
  /**
   * Your own reference of the order; the list of payments can be filtered by it. Digits in the
   * groups of a card number (4242-4242-...) are refused, plain digits are not.
   */
  order_id?: string | null | undefined;
  /** What is paid for; the customer reads it on the checkout page. */
  description?: string | null | undefined;
  /**
   * Where the customer returns after canceling; left out, `return_url`. `{PAYMENT_ID}`,
   * `{ORDER_ID}` and `{STATUS}` in it are filled in; nothing else is added.
   */
  cancel_url?: string | null | undefined;
  /** The language that checkout begins in; left out, the merchant's own. */
  locale?: Locale | null | undefined;
  /**
   * Your own keys and values, at most 50. No card numbers: a key or value with one in it is
   * refused.
   */
  metadata?: Record<string, string> | null | undefined;
  /**
   * When the payment expires unless it is paid: 5 minutes to 7 days ahead. Left out, in 30 minutes.
   */
  expires_at?: string | null | undefined;
}

export interface PaymentCancel {
  /** Why, for your own records: the payment shows it as `cancellation.reason`. */
  reason?: string | null | undefined;
}

export interface PaymentOutcome {
  /**
   * What the sandbox bank decides. `turn_back`: the customer comes back undecided. `expire`: the
   * lifetime of the payment ends now.
   */
  outcome: TestOutcome;
}
