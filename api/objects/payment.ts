/** The schema of a payment. */
import { FAILURE_MESSAGES } from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { idPattern } from '../../domain/id.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { LOCALES } from '../../domain/merchant.ts';
import { MAX_ATTEMPTS, PAYMENT_STATUSES } from '../../domain/payment.ts';
import {
  exactly,
  idOf,
  livemode,
  minorUnits,
  nullableTime,
  objectName,
  storedMetadata,
  time,
} from './part.ts';

const FAILURE_CODES = Object.keys(FAILURE_MESSAGES) as FailureCode[];
const ATTEMPT_STATUSES = ['pending', 'approved', 'declined', 'turned_back', 'reversed'] as const;

const failureCode = {
  type: ['string', 'null'],
  enum: [...FAILURE_CODES, null],
  description:
    'Why the bank declined. `suspected_fraud` and `lost_or_stolen` end the payment at once; after any other the customer may try again.',
} as const;

const failureMessage = {
  type: ['string', 'null'],
  description:
    'The failure code as a sentence for your developers. Customers see a text of their own.',
} as const;

const byCard = {
  type: 'object',
  ...exactly({
    type: { type: 'string', const: 'card' },
    card: {
      type: 'object',
      ...exactly({
        brand: { type: 'string', description: 'Such as `visa` or `mastercard`.' },
        last4: { type: 'string', description: 'The last four digits of the card number.' },
      }),
    },
  }),
} as const;

const byTransfer = {
  type: 'object',
  ...exactly({
    type: { type: 'string', const: 'bank_transfer' },
    bank_transfer: {
      type: 'object',
      ...exactly({
        reference: {
          type: 'string',
          description: 'What the customer was asked to enter, such as `TG-7K3M-9P2A`.',
        },
      }),
    },
  }),
} as const;

const paymentMethod = {
  oneOf: [byCard, byTransfer, { type: 'null' }],
  description:
    'The payment method of the last attempt; null before the first attempt. More types may follow: ignore those you do not know.',
} as const;

const lastAttempt = {
  type: ['object', 'null'],
  description: 'The newest attempt at the bank; null before the first one.',
  ...exactly({
    id: { type: 'string', pattern: idPattern('attempt') },
    status: {
      type: 'string',
      enum: ATTEMPT_STATUSES,
      description:
        '`pending`: at the bank. `turned_back`: the customer returned without a decision. `reversed`: the bank approved after the attempt had ended, so the approval was canceled and no money moved.',
    },
    failure_code: failureCode,
    failure_message: failureMessage,
    created_at: time('When the attempt was opened.'),
  }),
} as const;

const cancellation = {
  type: ['object', 'null'],
  description: 'Who canceled the payment, and why; null unless it is `canceled`.',
  ...exactly({
    by: { type: 'string', enum: ['merchant', 'customer'] },
    reason: { type: ['string', 'null'] },
  }),
} as const;

const STATUS_TEXT =
  '`created`: waiting for the customer. `processing`: the customer is at the bank. Final: `completed` (paid), `failed`, `canceled`, `expired`. Deliver goods on `completed` only.';

const properties = {
  id: idOf('payment'),
  object: objectName('payment'),
  status: { type: 'string', enum: PAYMENT_STATUSES, description: STATUS_TEXT },
  amount: minorUnits("What the customer pays, in the currency's minor unit: 12500 is 12,500 AMD."),
  currency: { type: 'string', enum: CURRENCIES.map(({ code }) => code) },
  amount_display: {
    type: 'string',
    description: 'The amount in English notation: `12,500 AMD`, `19.99 USD`.',
  },
  amount_refunded: minorUnits('The amount refunded so far, in minor units.'),
  amount_refundable: minorUnits(
    'The amount that can still be refunded, in minor units. Pending refunds are subtracted. 0 unless `completed`.',
  ),
  order_id: { type: ['string', 'null'], description: 'Your own reference for the order.' },
  description: { type: ['string', 'null'], description: 'Shown to the customer.' },
  checkout_url: {
    type: 'string',
    format: 'uri',
    description:
      'The page to send the customer to. A day after the payment has ended, it shows only the state.',
  },
  return_url: {
    type: 'string',
    description: 'Where the customer returns. This is no proof of payment: retrieve the payment.',
  },
  cancel_url: {
    type: ['string', 'null'],
    description: 'Where the customer returns after canceling; null means `return_url`.',
  },
  locale: { type: 'string', enum: LOCALES, description: 'Language the checkout begins in.' },
  metadata: storedMetadata,
  livemode,
  payment_method: paymentMethod,
  attempts_count: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_ATTEMPTS,
    description: `Attempts at the bank, without those with the status \`turned_back\`. If number ${MAX_ATTEMPTS} is declined, the payment is \`failed\`.`,
  },
  last_attempt: lastAttempt,
  failure_code: { ...failureCode, description: 'Why the payment is `failed`; otherwise null.' },
  failure_message: failureMessage,
  cancellation,
  created_at: time('When the payment was created.'),
  updated_at: time('When it last changed. This never decreases.'),
  expires_at: time('When it expires unless it is paid first.'),
  completed_at: nullableTime('When it was paid.'),
  failed_at: nullableTime('When it failed.'),
  canceled_at: nullableTime('When it was canceled.'),
  expired_at: nullableTime('When it expired.'),
} as const;

export const paymentObject = {
  type: 'object',
  title: 'Payment',
  description: 'One payment by one customer. The same object in every response, event and webhook.',
  ...exactly(properties),
} as const;
