/** The texts and search attributes that people see in Temporal's UI. They have no personal data. */
import {
  SearchAttributeType,
  TypedSearchAttributes,
  defineSearchAttributeKey,
} from '@temporalio/common';
import type { SearchAttributePair } from '@temporalio/common';
import { containsCardNumber } from '../domain/cardnumber.ts';
import type { Delivery } from '../domain/delivery.ts';
import { merchantOf } from '../domain/merchant.ts';
import { displayAmount } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';

const merchantId = defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD);
const orderId = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
const currency = defineSearchAttributeKey('Currency', SearchAttributeType.KEYWORD);
const amount = defineSearchAttributeKey('Amount', SearchAttributeType.INT);

/** The search attributes that the namespace must have. */
export const ATTRIBUTES = [merchantId, orderId, currency, amount];

/** Order ids that a summary may show. It is Markdown, so others could be links or pictures. */
const PLAIN = /^[\w#-]{1,64}$/;

/**
 * Returns the search attributes of a payment, for operators in Temporal's UI. Leaves out an order
 * id that may be a card number: only the database may hold one, and Temporal shows attributes to
 * all its users.
 */
export function paymentAttributes(payment: Payment): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: merchantId, value: payment.merchant_id },
    { key: currency, value: payment.currency },
    { key: amount, value: payment.amount },
  ];
  const { order_id: order } = payment;
  if (order !== null && !containsCardNumber(order)) pairs.push({ key: orderId, value: order });
  return new TypedSearchAttributes(pairs);
}

/** Returns the search attributes of a refund. */
export function refundAttributes(refund: Refund): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: merchantId, value: merchantOf(refund.m) },
    { key: currency, value: refund.currency },
    { key: amount, value: refund.amount },
  ]);
}

/** Returns the search attributes of a delivery. */
export function deliveryAttributes({ m }: Pick<Delivery, 'm'>): TypedSearchAttributes {
  return new TypedSearchAttributes([{ key: merchantId, value: merchantOf(m) }]);
}

/** Returns the summary of a payment's workflow: `12,500 AMD · order-1042`. */
export function paymentSummary({
  amount: value,
  currency: code,
  order_id: order,
}: Payment): string {
  const isShown = order !== null && PLAIN.test(order) && !containsCardNumber(order);
  return displayAmount(value, code) + (isShown ? ` · ${order}` : '');
}

/** Returns the summary of a refund's workflow: `Refund of 2,500 AMD · pay_...`. */
export function refundSummary({ amount: value, currency: code, payment_id }: Refund): string {
  return `Refund of ${displayAmount(value, code)} · ${payment_id}`;
}
