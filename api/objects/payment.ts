/** The payment as its readers see it, as a JSON Schema: published, typed by it, tested against it. */
import { FAILURE_MESSAGES } from '../../domain/bank.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { idPattern } from '../../domain/id.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { LOCALES, MAX_ATTEMPTS, PAYMENT_STATUSES } from '../../domain/payment.ts';
import {
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
  description: 'The failure code as a sentence for your developers; customers read their own.',
} as const;

const paymentMethod = {
  type: ['object', 'null'],
  description: 'What the customer paid with, or tried to; null before the first attempt.',
  additionalProperties: false,
  required: ['type', 'card'],
  properties: {
    type: { type: 'string', const: 'card' },
    card: {
      type: 'object',
      additionalProperties: false,
      required: ['brand', 'last4'],
      properties: {
        brand: { type: 'string', description: 'Such as `visa` or `mastercard`.' },
        last4: { type: 'string', description: 'The last four digits of the card number.' },
      },
    },
  },
} as const;

const lastAttempt = {
  type: ['object', 'null'],
  description: 'The attempt that is, or was last, at the bank; null before the first one.',
  additionalProperties: false,
  required: ['id', 'status', 'failure_code', 'failure_message', 'created_at'],
  properties: {
    id: { type: 'string', pattern: idPattern('attempt') },
    status: {
      type: 'string',
      enum: ATTEMPT_STATUSES,
      description:
        '`pending`: at the bank. `turned_back`: the customer came back undecided. `reversed`: the bank approved after the attempt had ended, and the approval was cancelled there: no money moved.',
    },
    failure_code: failureCode,
    failure_message: failureMessage,
    created_at: time('When the attempt was opened.'),
  },
} as const;

const cancellation = {
  type: ['object', 'null'],
  description: 'Who canceled the payment, and why; null unless it is `canceled`.',
  additionalProperties: false,
  required: ['by', 'reason'],
  properties: {
    by: { type: 'string', enum: ['merchant', 'customer'] },
    reason: { type: ['string', 'null'] },
  },
} as const;

const STATUS_TEXT =
  '`created`: waits for the customer. `processing`: the customer is at the bank. Final: `completed` (paid), `failed`, `canceled`, `expired`. Deliver goods on `completed` only.';

const properties = {
  id: idOf('payment'),
  object: objectName('payment'),
  status: { type: 'string', enum: PAYMENT_STATUSES, description: STATUS_TEXT },
  amount: minorUnits("What the customer pays, in the currency's minor unit: 12500 is 12,500 AMD."),
  currency: { type: 'string', enum: CURRENCIES.map(({ code }) => code) },
  amount_display: {
    type: 'string',
    description: 'The amount as an English reader writes it: `12,500 AMD`, `19.99 USD`.',
  },
  amount_refunded: minorUnits('What has been given back so far, in minor units.'),
  amount_refundable: minorUnits(
    'What can still be refunded, in minor units: pending refunds are taken off; 0 unless completed.',
  ),
  order_id: { type: ['string', 'null'], description: 'Your own reference of the order.' },
  description: { type: ['string', 'null'], description: 'Shown to the customer.' },
  checkout_url: {
    type: 'string',
    format: 'uri',
    description:
      'Where to send the customer. A day after the payment has ended, the page shows only its state.',
  },
  return_url: {
    type: 'string',
    description: 'Where the customer returns. Arriving there proves nothing: retrieve the payment.',
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
    description: `Attempts at the bank, without those that were turned back; the decline of number ${MAX_ATTEMPTS} ends the payment as \`failed\`.`,
  },
  last_attempt: lastAttempt,
  failure_code: { ...failureCode, description: 'Why the payment is `failed`; else null.' },
  failure_message: failureMessage,
  cancellation,
  created_at: time('When the payment was created.'),
  updated_at: time('When it last changed. It never goes back.'),
  expires_at: time('When it expires unless it is paid before.'),
  completed_at: nullableTime('When it was paid.'),
  failed_at: nullableTime('When it failed.'),
  canceled_at: nullableTime('When it was canceled.'),
  expired_at: nullableTime('When it expired.'),
} as const;

export const paymentObject = {
  type: 'object',
  title: 'Payment',
  description: 'One payment by one customer. The same object in every answer, event and webhook.',
  additionalProperties: false,
  required: [
    'id',
    'object',
    'status',
    'amount',
    'currency',
    'amount_display',
    'amount_refunded',
    'amount_refundable',
    'order_id',
    'description',
    'checkout_url',
    'return_url',
    'cancel_url',
    'locale',
    'metadata',
    'livemode',
    'payment_method',
    'attempts_count',
    'last_attempt',
    'failure_code',
    'failure_message',
    'cancellation',
    'created_at',
    'updated_at',
    'expires_at',
    'completed_at',
    'failed_at',
    'canceled_at',
    'expired_at',
  ],
  properties,
} as const;
