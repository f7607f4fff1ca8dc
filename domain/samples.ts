/** The examples of all calls, objects and events. They follow one order from its payment on. */
import { FAILURE_MESSAGES } from './bank.ts';
import type { FailureCode } from './bank.ts';
import type { EventType } from './event.ts';

export const SAMPLE_REQUEST_ID = 'req_01KAK3T0S0QJ6M5R9P7X2YB4CD';
const PAYMENT_ID = 'pay_01KAK3S2ZG8W4V5T6R7Q8P9NAB';
const REFUND_ID = 'ref_01KAMB40F8H2J3K4M5N6P7Q8RS';
const CREATED_AT = '2025-11-21T12:00:00.000Z';
const PAID_AT = '2025-11-21T12:03:17.000Z';
const REFUNDED_AT = '2025-11-21T15:30:00.000Z';

export const PAYMENT_BODY = {
  amount: 12_500,
  currency: 'AMD',
  order_id: 'order-1001',
  description: 'Two mugs and a teapot',
  return_url: 'https://shop.example/return?order={ORDER_ID}',
  locale: 'hy',
  metadata: { basket: 'b-77' },
};

export const PAYMENT = {
  id: PAYMENT_ID,
  object: 'payment',
  status: 'created',
  amount: 12_500,
  currency: 'AMD',
  amount_display: '12,500 AMD',
  amount_refunded: 0,
  amount_refundable: 0,
  order_id: 'order-1001',
  description: 'Two mugs and a teapot',
  checkout_url: 'https://pay.example/c/4mJ2cQ8vT1sXbN6yKdW3hR5z',
  return_url: 'https://shop.example/return?order={ORDER_ID}',
  cancel_url: null,
  locale: 'hy',
  metadata: { basket: 'b-77' },
  livemode: false,
  payment_method: null,
  attempts_count: 0,
  last_attempt: null,
  failure_code: null,
  failure_message: null,
  cancellation: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  expires_at: '2025-11-21T12:30:00.000Z',
  completed_at: null,
  failed_at: null,
  canceled_at: null,
  expired_at: null,
};

const attempt = {
  id: 'att_01KAK3Y3Q0C1D2E3F4G5H6J7K8',
  status: 'approved',
  failure_code: null as string | null,
  failure_message: null as string | null,
  created_at: '2025-11-21T12:02:45.000Z',
};
const card = { type: 'card', card: { brand: 'visa', last4: '4242' } };

export const COMPLETED = {
  ...PAYMENT,
  status: 'completed',
  amount_refundable: 12_500,
  payment_method: card,
  attempts_count: 1,
  last_attempt: attempt,
  updated_at: PAID_AT,
  completed_at: PAID_AT,
};

const failure = (code: FailureCode) => ({
  failure_code: code,
  failure_message: FAILURE_MESSAGES[code],
});

export const ATTEMPT_FAILED = {
  ...COMPLETED,
  status: 'created',
  amount_refundable: 0,
  last_attempt: { ...attempt, status: 'declined', ...failure('insufficient_funds') },
  completed_at: null,
};

export const FAILED = {
  ...ATTEMPT_FAILED,
  status: 'failed',
  last_attempt: { ...attempt, status: 'declined', ...failure('suspected_fraud') },
  ...failure('suspected_fraud'),
  failed_at: PAID_AT,
};

export const UPDATED = {
  ...PAYMENT,
  metadata: { customer: '4711' },
  updated_at: '2025-11-21T12:01:05.000Z',
};

export const CANCELED = {
  ...PAYMENT,
  status: 'canceled',
  cancellation: { by: 'merchant', reason: 'Sold out' },
  updated_at: PAID_AT,
  canceled_at: PAID_AT,
};

export const EXPIRED = {
  ...PAYMENT,
  status: 'expired',
  updated_at: PAYMENT.expires_at,
  expired_at: PAYMENT.expires_at,
};

const PARTLY_REFUNDED = {
  ...COMPLETED,
  amount_refunded: 2500,
  amount_refundable: 10_000,
  updated_at: REFUNDED_AT,
};

export const REFUND_BODY = {
  payment_id: PAYMENT_ID,
  amount: 2500,
  reason: 'requested_by_customer',
  description: 'One mug arrived broken',
};

export const REFUND = {
  id: REFUND_ID,
  object: 'refund',
  payment_id: PAYMENT_ID,
  amount: REFUND_BODY.amount,
  currency: 'AMD',
  status: 'pending',
  reason: REFUND_BODY.reason,
  description: REFUND_BODY.description,
  failure_code: null as string | null,
  metadata: {},
  livemode: false,
  initiated_by: 'api',
  created_at: '2025-11-21T15:29:58.000Z',
  updated_at: '2025-11-21T15:29:58.000Z',
  completed_at: null as string | null,
};

const ended = { ...REFUND, updated_at: REFUNDED_AT };
export const REFUND_COMPLETED = { ...ended, status: 'completed', completed_at: REFUNDED_AT };
export const REFUND_FAILED = { ...ended, status: 'failed', failure_code: 'refund_declined' };
const REFUND_CANCELED = { ...ended, status: 'canceled' };

export const ENDPOINT = {
  id: 'we_01KAJZ5V3N9P8Q7R6S5T4V3W2X',
  object: 'webhook_endpoint',
  url: 'https://shop.example/webhooks',
  description: 'Orders',
  enabled_events: ['payment.*', 'refund.*'],
  status: 'enabled',
  disabled_reason: null as string | null,
  livemode: false,
  secret_hint: 'kX8=',
  created_at: '2025-11-10T09:00:00.000Z',
  updated_at: '2025-11-10T09:00:00.000Z',
  health: { last_success_at: PAID_AT, failing_since: null as string | null },
};

export const ENDPOINT_DISABLED = {
  ...ENDPOINT,
  status: 'disabled',
  disabled_reason: 'failing',
  updated_at: REFUNDED_AT,
  health: {
    last_success_at: '2025-11-16T15:28:41.000Z',
    failing_since: '2025-11-16T15:30:00.000Z',
  },
};

export const CURRENCY = {
  id: 'AMD',
  object: 'currency',
  code: 'AMD',
  decimals: 0,
  min_amount: 10,
};

/** The public object of each type of event. */
export const SAMPLE_OBJECTS = {
  'payment.completed': COMPLETED,
  'payment.attempt_failed': ATTEMPT_FAILED,
  'payment.failed': FAILED,
  'payment.canceled': CANCELED,
  'payment.expired': EXPIRED,
  'payment.refunded': PARTLY_REFUNDED,
  'refund.created': REFUND,
  'refund.completed': REFUND_COMPLETED,
  'refund.failed': REFUND_FAILED,
  'refund.canceled': REFUND_CANCELED,
  'webhook_endpoint.disabled': ENDPOINT_DISABLED,
  'webhook_endpoint.ping': ENDPOINT,
} as const satisfies Record<EventType, object>;
