/** The schema of a refund. */
import { CURRENCIES, MAX_AMOUNT } from '../../domain/money.ts';
import { REFUND_FAILURE_CODES, REFUND_REASONS, REFUND_STATUSES } from '../../domain/refund.ts';
import { exactly, idOf, livemode, nullableTime, objectName, storedMetadata, time } from './part.ts';

export const refundObject = {
  type: 'object',
  title: 'Refund',
  description: 'Money of one payment that goes back to the customer: the whole amount or a part.',
  ...exactly({
    id: idOf('refund'),
    object: objectName('refund'),
    payment_id: { ...idOf('payment'), description: 'The payment that is refunded.' },
    amount: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_AMOUNT,
      description: "The refunded amount, in the currency's minor unit.",
    },
    currency: {
      type: 'string',
      enum: CURRENCIES.map(({ code }) => code),
      description: "The payment's currency.",
    },
    status: {
      type: 'string',
      enum: REFUND_STATUSES,
      description:
        '`pending`: the amount is reserved and the bank is deciding. Final: `completed`, `failed` and `canceled`; after the last two the amount is refundable again.',
    },
    reason: { type: ['string', 'null'], enum: [...REFUND_REASONS, null] },
    description: { type: ['string', 'null'], description: 'Your own note.' },
    failure_code: {
      type: ['string', 'null'],
      enum: [...REFUND_FAILURE_CODES, null],
      description: 'Why the refund is `failed`; otherwise null.',
    },
    metadata: storedMetadata,
    livemode,
    initiated_by: {
      type: 'string',
      enum: ['api', 'dashboard'],
      description: 'Where the refund was created.',
    },
    created_at: time('When the refund was created.'),
    updated_at: time('When it last changed.'),
    completed_at: nullableTime('When the bank completed it.'),
  }),
} as const;
