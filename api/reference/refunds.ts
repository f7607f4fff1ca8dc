/** The reference of the calls about refunds. */
import { REFUND_LIST } from '../refunds.ts';
import type { Operation } from './operation.ts';
import { listSample } from './payments.ts';
import * as samples from '../../domain/samples.ts';

export const REFUND_OPERATIONS = {
  createRefund: {
    tag: 'Refunds',
    summary: 'Create a refund',
    description: `Gives a completed payment back to its customer, whole (leave \`amount\` out) or in parts, up to
100 times. The answer is \`pending\`: the amount is reserved on the payment and the bank is
asked. What became of it comes as \`refund.completed\`, \`refund.failed\` or
\`refund.canceled\`, and can be retrieved.

Send an \`Idempotency-Key\`, so that a repeated request cannot refund twice; the key lives as
long as the refund, so another refund needs another key. In test mode the bank completes every
refund, unless \`metadata.test_outcome\` says \`fail\`, \`cancel\`, \`complete_after_5s\`,
\`complete_after_30s\`, \`fail_after_5s\` or \`fail_after_30s\`.`,
    body: {
      schema: 'RefundCreate',
      required: true,
      examples: {
        part: { summary: 'A part of it', value: samples.REFUND_BODY },
        whole: {
          summary: 'All that remains',
          value: { payment_id: samples.REFUND_BODY.payment_id },
        },
        failing: {
          summary: 'One that the sandbox bank refuses',
          value: { ...samples.REFUND_BODY, metadata: { test_outcome: 'fail' } },
        },
      },
    },
    answer: {
      status: 201,
      description: 'The refund was created, or had been by an earlier request with the same key.',
      schema: 'Refund',
      examples: { pending: { summary: 'A new refund', value: samples.REFUND } },
      links: [
        {
          operationId: 'retrieveRefund',
          description: 'What has become of the refund.',
          name: 'refund_id',
          from: '$response.body#/id',
        },
        {
          operationId: 'retrievePayment',
          description: 'What is left of the payment.',
          name: 'payment_id',
          from: '$response.body#/payment_id',
        },
      ],
    },
    refusals: [
      'parameter_missing',
      'amount_too_small',
      'amount_too_large',
      'card_number_refused',
      'refund_too_large',
      'live_mode_unavailable',
      'resource_missing',
      'payment_not_refundable',
      'payment_already_refunded',
      'refundable_changed',
      'idempotency_key_reused',
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
    description: 'Your refunds, newest first. At most one of `payment_id` and `status` at a time.',
    list: REFUND_LIST,
    answer: {
      status: 200,
      description: 'A page of refunds.',
      schema: 'RefundList',
      examples: {
        page: {
          summary: 'The only page',
          value: listSample('/v1/refunds', [samples.REFUND_COMPLETED]),
        },
      },
      links: [
        {
          operationId: 'retrieveRefund',
          description: 'One of the refunds.',
          name: 'refund_id',
          from: '$response.body#/data/0/id',
        },
      ],
    },
    refusals: ['limit_out_of_range', 'cursor_invalid'],
  },
  retrieveRefund: {
    tag: 'Refunds',
    summary: 'Retrieve a refund',
    description: 'The refund as it is now. `completed`, `failed` and `canceled` are final.',
    id: 'refund',
    answer: {
      status: 200,
      description: 'The refund.',
      schema: 'Refund',
      examples: {
        completed: { summary: 'Given back', value: samples.REFUND_COMPLETED },
        failed: { summary: 'Failed', value: samples.REFUND_FAILED },
      },
    },
    refusals: ['resource_missing', 'route_missing'],
  },
} as const satisfies Record<string, Operation>;
