/** The reference of the calls about payments. */
import { FAILURE_MESSAGES, HARD_CODES } from '../../domain/bank.ts';
import { PAYMENT_LIST } from '../payments.ts';
import type { Link, Operation } from './operation.ts';
import * as samples from '../../domain/samples.ts';

const hard = HARD_CODES.map((code) => `\`${code}\``).join(' and ');
const codes = Object.keys(FAILURE_MESSAGES)
  .map((code) => `\`${code}\``)
  .join(', ');

/** From an answer that is a payment. */
const ON_PAYMENT: readonly Link[] = [
  {
    operationId: 'retrievePayment',
    description: 'What has become of the payment.',
    name: 'payment_id',
    from: '$response.body#/id',
  },
  {
    operationId: 'cancelPayment',
    description: 'Cancel the payment.',
    name: 'payment_id',
    from: '$response.body#/id',
  },
  {
    operationId: 'decideOutcome',
    description: 'Decide the payment in test mode.',
    name: 'payment_id',
    from: '$response.body#/id',
  },
];

export const PAYMENT_OPERATIONS = {
  createPayment: {
    tag: 'Payments',
    summary: 'Create a payment',
    description: `Makes a payment and answers it with the \`checkout_url\` to send your customer to. The amount is
an integer in the currency's minor unit, written with digits only: 12500 is 12,500 AMD.

Send an \`Idempotency-Key\`, such as your order's reference: the same request again then gives
the same payment and the same bytes, however often it is sent. The key lives as long as the
payment, so a new try for an order whose payment failed or expired needs a new key.`,
    body: {
      schema: 'PaymentCreate',
      required: true,
      examples: {
        order: { summary: 'An order', value: samples.PAYMENT_BODY },
        smallest: {
          summary: 'Only what is required',
          value: { amount: 1999, currency: 'USD', return_url: 'https://shop.example/thanks' },
        },
      },
    },
    answer: {
      status: 201,
      description: 'The payment was created, or had been by an earlier request with the same key.',
      schema: 'Payment',
      examples: { created: { summary: 'A new payment', value: samples.PAYMENT } },
      links: ON_PAYMENT,
    },
    refusals: [
      'parameter_missing',
      'amount_too_small',
      'amount_too_large',
      'currency_unsupported',
      'url_invalid',
      'locale_unsupported',
      'card_number_refused',
      'live_mode_unavailable',
      'idempotency_key_reused',
    ],
    emits: [
      'payment.completed',
      'payment.attempt_failed',
      'payment.failed',
      'payment.expired',
      'payment.canceled',
    ],
  },
  listPayments: {
    tag: 'Payments',
    summary: 'List payments',
    description:
      'Your payments, newest first. `status` and `order_id` may be given together; to find the payments of one order, ask for its `order_id`.',
    list: PAYMENT_LIST,
    answer: {
      status: 200,
      description: 'A page of payments.',
      schema: 'PaymentList',
      examples: {
        page: {
          summary: 'The only page',
          value: listSample('/v1/payments', [samples.COMPLETED]),
        },
      },
      links: [
        {
          operationId: 'retrievePayment',
          description: 'One of the payments.',
          name: 'payment_id',
          from: '$response.body#/data/0/id',
        },
      ],
    },
    refusals: ['limit_out_of_range', 'cursor_invalid'],
  },
  retrievePayment: {
    tag: 'Payments',
    summary: 'Retrieve a payment',
    description: `The payment as it is now. This answer is the proof of payment: deliver when \`status\` is
\`completed\`, and never because a customer arrived at the \`return_url\`.

A payment is \`created\`, then \`processing\` while its customer is at the bank, and in the end
\`completed\`, \`failed\`, \`canceled\` or \`expired\`; these four are final. Failure codes:
${codes}. After ${hard} the payment is over; after the others the customer may try again, five
times in all.`,
    id: 'payment',
    answer: {
      status: 200,
      description: 'The payment.',
      schema: 'Payment',
      examples: {
        completed: { summary: 'Paid', value: samples.COMPLETED },
        created: { summary: 'Not yet paid', value: samples.PAYMENT },
        failed: { summary: 'Failed', value: samples.FAILED },
      },
    },
    refusals: ['resource_missing', 'route_missing'],
  },
  cancelPayment: {
    tag: 'Payments',
    summary: 'Cancel a payment',
    description:
      'Only a `created` payment can be canceled: one whose customer is at the bank is refused with 409, and so are final ones, without any effect, now or later. A payment that is canceled already is answered as it is. An `Idempotency-Key` is kept for 7 days.',
    id: 'payment',
    body: {
      schema: 'PaymentCancel',
      required: false,
      examples: {
        reason: { summary: 'With a reason', value: { reason: 'Sold out' } },
        plain: { summary: 'Without one', value: {} },
      },
    },
    answer: {
      status: 200,
      description: 'The payment is canceled.',
      schema: 'Payment',
      examples: { canceled: { summary: 'Canceled', value: samples.CANCELED } },
    },
    refusals: [
      'card_number_refused',
      'resource_missing',
      'route_missing',
      'payment_state_invalid',
      'idempotency_key_reused',
    ],
    emits: ['payment.canceled'],
  },
  decideOutcome: {
    tag: 'Test mode',
    summary: 'Decide a test payment',
    description:
      "Pays, or fails to, without a browser: opens an attempt and lets the sandbox bank decide, by the same code as its page. Answers the payment once it is settled; after `approve_after_5s`, `approve_after_30s`, `decline_after_30s`, `approve_after_timeout` and `never_answer` it is still `processing`. `approve_3ds` stands for a customer who enters the right code (123456). `expire` ends the payment's lifetime now. A payment that is decided already or final: 409. An `Idempotency-Key` is kept for 7 days.",
    id: 'payment',
    body: {
      schema: 'PaymentOutcome',
      required: true,
      examples: {
        approve: { summary: 'The customer pays', value: { outcome: 'approve' } },
        decline: { summary: 'The card is empty', value: { outcome: 'insufficient_funds' } },
        expire: { summary: 'Nobody pays', value: { outcome: 'expire' } },
      },
    },
    answer: {
      status: 200,
      description: 'The payment as the outcome leaves it.',
      schema: 'Payment',
      examples: {
        approved: { summary: 'Paid', value: samples.COMPLETED },
        declined: { summary: 'Declined once', value: samples.ATTEMPT_FAILED },
        expired: { summary: 'Expired', value: samples.EXPIRED },
      },
      links: [
        {
          operationId: 'createRefund',
          description: 'Give the completed payment back.',
          name: 'payment_id',
          from: '$response.body#/id',
          inBody: { payment_id: '$response.body#/id' },
        },
      ],
    },
    refusals: [
      'parameter_missing',
      'card_number_refused',
      'live_mode_unavailable',
      'resource_missing',
      'route_missing',
      'payment_state_invalid',
      'idempotency_key_reused',
    ],
    emits: ['payment.completed', 'payment.attempt_failed', 'payment.failed', 'payment.expired'],
  },
} as const satisfies Record<string, Operation>;

/** A page that is the only one. */
export function listSample(url: string, data: readonly unknown[]) {
  return { object: 'list', url, has_more: false, data };
}
