/** The reference of the calls about refunds. */
import * as samples from '../../domain/samples.ts';
import { REFUND_LIST } from '../refunds.ts';
import { link, pageOf } from './operation.ts';
import type { Operation } from './operation.ts';

export const REFUND_OPERATIONS = {
  createRefund: {
    tag: 'Refunds',
    summary: 'Create a refund',
    description: `Refunds a completed payment: the whole amount (leave \`amount\` out) or parts of it, up to 100
times. The new refund is \`pending\`: the amount is reserved on the payment while the bank decides.
The result comes as \`refund.completed\`, \`refund.failed\` or \`refund.canceled\`, and can be
retrieved.

Send an \`Idempotency-Key\`, so that a repeated request cannot refund twice. The key lives as long
as the refund, so another refund needs another key. In test mode the bank completes every refund,
unless \`metadata.test_outcome\` is \`fail\`, \`cancel\`, \`complete_after_5s\`,
\`complete_after_30s\`, \`fail_after_5s\` or \`fail_after_30s\`.`,
    body: {
      schema: 'RefundCreate',
      required: true,
      examples: {
        part: { summary: 'A part of the amount', value: samples.REFUND_BODY },
        whole: {
          summary: 'The whole remaining amount',
          value: { payment_id: samples.REFUND_BODY.payment_id },
        },
        failing: {
          summary: 'A refund that the sandbox bank refuses',
          value: { ...samples.REFUND_BODY, metadata: { test_outcome: 'fail' } },
        },
      },
    },
    success: {
      status: 201,
      description:
        'The refund was created, now or by an earlier request with the same Idempotency-Key.',
      schema: 'Refund',
      examples: { pending: { summary: 'A new refund', value: samples.REFUND } },
      links: {
        ...link('retrieveRefund', 'Retrieve the current state of the refund.', {
          refund_id: '$response.body#/id',
        }),
        ...link('retrievePayment', 'Retrieve the payment with its refundable amount.', {
          payment_id: '$response.body#/payment_id',
        }),
      },
    },
    refusals: [
      'amount_too_small',
      'amount_too_large',
      'refund_too_large',
      'resource_missing',
      'payment_not_refundable',
      'payment_already_refunded',
      'refundable_changed',
    ],
    emits: [
      'refund.created',
      'refund.completed',
      'payment.refunded',
      'refund.failed',
      'refund.canceled',
    ],
  },
  listRefunds: {
    tag: 'Refunds',
    summary: 'List refunds',
    description: 'Your refunds, newest first. `payment_id` and `status` can be combined.',
    list: REFUND_LIST,
    success: pageOf(REFUND_LIST, {
      schema: 'Refund',
      names: 'refunds',
      sample: samples.REFUND_COMPLETED,
    }),
  },
  retrieveRefund: {
    tag: 'Refunds',
    summary: 'Retrieve a refund',
    description: 'The current state of the refund. `completed`, `failed` and `canceled` are final.',
    id: 'refund',
    success: {
      status: 200,
      description: 'The refund.',
      schema: 'Refund',
      examples: {
        completed: { summary: 'Completed', value: samples.REFUND_COMPLETED },
        failed: { summary: 'Failed', value: samples.REFUND_FAILED },
      },
    },
  },
} as const satisfies Record<string, Operation>;
