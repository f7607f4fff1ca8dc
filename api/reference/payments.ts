/** The reference of the calls about payments. */
import { FAILURE_MESSAGES, HARD_CODES } from '../../domain/bank.ts';
import * as samples from '../../domain/samples.ts';
import { PAYMENT_LIST } from '../payments.ts';
import { link, pageOf } from './operation.ts';
import type { Operation } from './operation.ts';

const hard = HARD_CODES.map((code) => `\`${code}\``).join(' and ');
const codes = Object.keys(FAILURE_MESSAGES)
  .map((code) => `\`${code}\``)
  .join(', ');

const ID = { payment_id: '$response.body#/id' };

export const PAYMENT_OPERATIONS = {
  createPayment: {
    tag: 'Payments',
    summary: 'Create a payment',
    description: `Creates a payment and returns it with the \`checkout_url\` to send your customer to. The amount is
an integer in the currency's minor unit, written with digits only: 12500 is 12,500 AMD.

Send an \`Idempotency-Key\`, such as your order's reference. If you send the same request again,
you get the same payment and the same bytes. The key lives as long as the payment, so a new try
for an order whose payment failed or expired needs a new key.`,
    body: {
      schema: 'PaymentCreate',
      required: true,
      examples: {
        order: { summary: 'An order', value: samples.PAYMENT_BODY },
        smallest: {
          summary: 'Only the required parameters',
          value: { amount: 1999, currency: 'USD', return_url: 'https://shop.example/thanks' },
        },
      },
    },
    success: {
      status: 201,
      description:
        'The payment was created, now or by an earlier request with the same Idempotency-Key.',
      schema: 'Payment',
      examples: { created: { summary: 'A new payment', value: samples.PAYMENT } },
      links: {
        ...link('retrievePayment', 'Retrieve the current state of the payment.', ID),
        ...link('updatePayment', 'Change the description or the metadata.', ID),
        ...link('cancelPayment', 'Cancel the payment.', ID),
        ...link('decideOutcome', 'Decide the payment in test mode.', ID),
      },
    },
    refusals: [
      'amount_too_small',
      'amount_too_large',
      'currency_unsupported',
      'url_invalid',
      'locale_unsupported',
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
      'Your payments, newest first. `status` and `order_id` can be combined. To find the payments of one order, filter by its `order_id`. To find those of a customer of yours, filter by a key of your metadata, as in `metadata.customer=4711`.',
    list: PAYMENT_LIST,
    success: pageOf(PAYMENT_LIST, {
      schema: 'Payment',
      names: 'payments',
      sample: samples.COMPLETED,
    }),
  },
  retrievePayment: {
    tag: 'Payments',
    summary: 'Retrieve a payment',
    description: `The current state of the payment. This response is the proof of payment: deliver when \`status\` is
\`completed\`, and never because a customer arrived at the \`return_url\`.

A payment is \`created\`, then \`processing\` while its customer is at the bank, and finally
\`completed\`, \`failed\`, \`canceled\` or \`expired\`. Failure codes: ${codes}.
After ${hard} the payment is over. After the others the customer may try again, five times
in all.`,
    id: 'payment',
    success: {
      status: 200,
      description: 'The payment.',
      schema: 'Payment',
      examples: {
        completed: { summary: 'Paid', value: samples.COMPLETED },
        created: { summary: 'Not yet paid', value: samples.PAYMENT },
        failed: { summary: 'Failed', value: samples.FAILED },
      },
    },
  },
  updatePayment: {
    tag: 'Payments',
    summary: 'Change a payment',
    description: `Changes the \`description\` and the \`metadata\` while the payment is \`created\` or \`processing\`;
nothing else can be changed. Keys of the metadata that you do not send stay as they are, and \`null\`
removes a key. The checkout page shows a new description when it is next loaded.

There is no event for this. Later events have the new values, and the bytes of earlier events stay
as they are. A final payment is refused with 409. An \`Idempotency-Key\` is kept for 7 days.`,
    id: 'payment',
    body: {
      schema: 'PaymentUpdate',
      required: true,
      examples: {
        metadata: {
          summary: 'Add a key, and remove another',
          value: { metadata: { customer: '4711', basket: null } },
        },
        description: {
          summary: 'Another description',
          value: { description: 'Two mugs, a teapot and a tray' },
        },
      },
    },
    success: {
      status: 200,
      description: 'The payment after the change.',
      schema: 'Payment',
      examples: { changed: { summary: 'With its new metadata', value: samples.UPDATED } },
    },
    refusals: ['payment_state_invalid'],
  },
  cancelPayment: {
    tag: 'Payments',
    summary: 'Cancel a payment',
    description:
      'Only a `created` payment can be canceled. If the customer is at the bank, or the payment is final, the request is refused with 409 and has no effect, now or later. For a payment that is already canceled, the response is the payment. An `Idempotency-Key` is kept for 7 days.',
    id: 'payment',
    body: {
      schema: 'PaymentCancel',
      required: false,
      examples: {
        reason: { summary: 'With a reason', value: { reason: 'Sold out' } },
        plain: { summary: 'Without one', value: {} },
      },
    },
    success: {
      status: 200,
      description: 'The payment is canceled.',
      schema: 'Payment',
      examples: { canceled: { summary: 'Canceled', value: samples.CANCELED } },
    },
    refusals: ['payment_state_invalid'],
    emits: ['payment.canceled'],
  },
  decideOutcome: {
    tag: 'Test mode',
    summary: 'Decide a test payment',
    description:
      "Pays, or fails to pay, without a browser. Opens an attempt and lets the sandbox bank decide it, by the same code as the bank's page. Returns the payment once it is settled. After `approve_after_5s`, `approve_after_30s`, `decline_after_30s`, `approve_after_timeout` and `never_answer` it is still `processing`. `approve_3ds` is a customer who enters the right code (123456). `expire` ends the payment's lifetime now. A payment that is already decided or final is refused with 409. An `Idempotency-Key` is kept for 7 days.",
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
    success: {
      status: 200,
      description: 'The payment after the outcome.',
      schema: 'Payment',
      examples: {
        approved: { summary: 'Paid', value: samples.COMPLETED },
        declined: { summary: 'Declined once', value: samples.ATTEMPT_FAILED },
        expired: { summary: 'Expired', value: samples.EXPIRED },
      },
      links: {
        createRefund: {
          operationId: 'createRefund',
          description: 'Refund the completed payment.',
          requestBody: ID,
        },
      },
    },
    refusals: ['payment_state_invalid'],
    emits: ['payment.completed', 'payment.attempt_failed', 'payment.failed', 'payment.expired'],
  },
  advancePayment: {
    tag: 'Test mode',
    summary: 'Advance a test payment in time',
    description:
      "Saves you the wait: makes the next step of one payment due now. What happens is what would have happened later, with the real time. `expiry` ends the payment's lifetime, so its `expires_at` becomes now; a payment at the bank stays `processing`, and expires if the bank then declines. `bank_answer` brings the answer of a delayed outcome, or the reversal of a late approval; a silent bank is asked as after its time limit, and the try ends as declined (`bank_timeout`). `next_webhook_attempt` sends every pending webhook about the payment and its refunds again now, at most 50 of them; each call makes one attempt. If nothing of that kind lies ahead, the request is refused with 409. An `Idempotency-Key` is kept for 7 days.",
    id: 'payment',
    body: {
      schema: 'PaymentAdvance',
      required: true,
      examples: {
        expiry: { summary: 'To the end of its lifetime', value: { to: 'expiry' } },
        bank: { summary: "To the bank's answer", value: { to: 'bank_answer' } },
        webhook: { summary: 'To the next attempt', value: { to: 'next_webhook_attempt' } },
      },
    },
    success: {
      status: 200,
      description: 'The payment after the step.',
      schema: 'Payment',
      examples: {
        expired: { summary: 'Expired', value: samples.EXPIRED },
        approved: { summary: 'Paid', value: samples.COMPLETED },
        declined: { summary: 'Declined once', value: samples.ATTEMPT_FAILED },
      },
    },
    refusals: ['payment_state_invalid'],
    emits: ['payment.completed', 'payment.attempt_failed', 'payment.failed', 'payment.expired'],
  },
} as const satisfies Record<string, Operation>;
