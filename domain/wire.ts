/**
 * The public objects, with their fields in the published order. They are the same in all responses,
 * events and webhooks.
 */
import { FAILURE_MESSAGES } from './bank.ts';
import type { FailureCode } from './bank.ts';
import type { Endpoint } from './endpoint.ts';
import { isLive } from './merchant.ts';
import { CURRENCIES, displayAmount } from './money.ts';
import { lastMethod } from './method.ts';
import { countAttempts, lastAttempt } from './payment.ts';
import type { Attempt, Payment } from './payment.ts';
import { refundableAmount } from './refund.ts';
import type { Refund } from './refund.ts';

export interface Links {
  /** The base of links to the checkout, without a slash at the end. */
  readonly checkoutUrl: string;
}

const time = (date: Date | null): string | null => date?.toISOString() ?? null;
const message = (code: FailureCode | null): string | null => (code ? FAILURE_MESSAGES[code] : null);

function publicAttempt(attempt: Attempt) {
  return {
    id: attempt.id,
    status: attempt.status,
    failure_code: attempt.failure_code,
    failure_message: message(attempt.failure_code),
    created_at: attempt.created_at.toISOString(),
  };
}

/** Returns the address of the payment's hosted page. */
export function checkoutUrl(payment: Pick<Payment, 'checkout_token'>, links: Links): string {
  return `${links.checkoutUrl}/c/${payment.checkout_token}`;
}

export function publicPayment(payment: Payment, links: Links) {
  const attempt = lastAttempt(payment);
  return {
    id: payment._id,
    object: 'payment' as const,
    status: payment.status,
    amount: payment.amount,
    currency: payment.currency,
    amount_display: displayAmount(payment.amount, payment.currency),
    amount_refunded: payment.amount_refunded,
    amount_refundable: refundableAmount(payment),
    order_id: payment.order_id,
    description: payment.description,
    checkout_url: checkoutUrl(payment, links),
    return_url: payment.return_url,
    cancel_url: payment.cancel_url,
    locale: payment.locale,
    metadata: payment.metadata,
    livemode: payment.livemode,
    payment_method: lastMethod(payment) ?? null,
    attempts_count: countAttempts(payment),
    last_attempt: attempt ? publicAttempt(attempt) : null,
    failure_code: payment.failure_code,
    failure_message: message(payment.failure_code),
    cancellation: payment.cancellation,
    created_at: payment.created_at.toISOString(),
    updated_at: payment.updated_at.toISOString(),
    expires_at: payment.expires_at.toISOString(),
    completed_at: time(payment.completed_at),
    failed_at: time(payment.failed_at),
    canceled_at: time(payment.canceled_at),
    expired_at: time(payment.expired_at),
  };
}

export type PublicPayment = ReturnType<typeof publicPayment>;

export function publicRefund(refund: Refund) {
  return {
    id: refund._id,
    object: 'refund' as const,
    payment_id: refund.payment_id,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason,
    description: refund.description,
    failure_code: refund.failure_code,
    metadata: refund.metadata,
    livemode: refund.livemode,
    initiated_by: refund.initiated_by,
    created_at: refund.created_at.toISOString(),
    updated_at: refund.updated_at.toISOString(),
    completed_at: time(refund.completed_at),
  };
}

export function publicCurrencies() {
  return CURRENCIES.map(({ code, decimals, min }) => ({
    id: code,
    object: 'currency' as const,
    code,
    decimals,
    min_amount: min,
  }));
}

/** The names of the placeholders in `return_url` and `cancel_url`. */
export const PLACEHOLDERS = ['PAYMENT_ID', 'ORDER_ID', 'STATUS'] as const;

/**
 * Matches all placeholders at once, so that a value in braces is not replaced again. `URL.href`
 * percent-encodes braces outside the query, so both spellings are placeholders.
 */
const IN_BRACES = new RegExp(`(?:\\{|%7[Bb])(${PLACEHOLDERS.join('|')})(?:\\}|%7[Dd])`, 'g');

/** Returns a merchant's return or cancel URL with its placeholders replaced. */
export function fillPlaceholders(
  url: string,
  payment: Pick<Payment, '_id' | 'order_id' | 'status'>,
): string {
  const values: Record<(typeof PLACEHOLDERS)[number], string> = {
    PAYMENT_ID: payment._id,
    ORDER_ID: payment.order_id ?? '',
    STATUS: payment.status,
  };
  return url.replaceAll(IN_BRACES, (_, name: keyof typeof values) =>
    encodeURIComponent(values[name]),
  );
}

/** Returns the endpoint without its secret. */
export function publicEndpoint(endpoint: Endpoint, lastSuccessAt: Date | null) {
  return {
    id: endpoint._id,
    object: 'webhook_endpoint' as const,
    url: endpoint.url,
    description: endpoint.description,
    enabled_events: endpoint.enabled_events,
    status: endpoint.status,
    disabled_reason: endpoint.disabled_reason,
    livemode: isLive(endpoint.m),
    secret_hint: endpoint.secret_hint,
    created_at: endpoint.created_at.toISOString(),
    updated_at: endpoint.updated_at.toISOString(),
    health: {
      last_success_at: time(lastSuccessAt),
      failing_since: time(endpoint.failing_since),
    },
  };
}
