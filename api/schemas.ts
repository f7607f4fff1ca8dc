/**
 * The schemas of request bodies. The same objects validate requests, give handlers their types, and
 * are published in the OpenAPI document.
 */
import type { FromSchema } from 'json-schema-to-ts';
import { ADVANCES } from '../domain/advance.ts';
import { CHOICES } from '../domain/bank.ts';
import { MAX_URL_LENGTH } from '../domain/endpoint.ts';
import { idPattern } from '../domain/id.ts';
import { CURRENCIES, MAX_AMOUNT } from '../domain/money.ts';
import { LOCALES } from '../domain/merchant.ts';
import { REFUND_REASONS, REFUND_TEST_KEY, REFUND_TEST_OUTCOMES } from '../domain/refund.ts';
import { STORABLE, metadata, plannedFailures } from './metadata.ts';

/** The maximum length of a merchant's own reference, which is in an index. */
const MAX_ORDER_ID_LENGTH = 128;
/** The maximum length of descriptions and reasons: a sentence for people. */
const MAX_SENTENCE_LENGTH = 255;

/** The body without nulls. `readBody` leaves them out, because null means absent. */
type Given<Body> = { [Name in keyof Body]: Exclude<Body[Name], null> };

/** `http-url` is our own format: what browsers accept as an http or https URL. */
const webAddress = {
  maxLength: MAX_URL_LENGTH,
  format: 'http-url',
  'x-card-numbers': 'refused',
} as const;

const PLACEHOLDERS =
  'The placeholders `{PAYMENT_ID}`, `{ORDER_ID}` and `{STATUS}` are filled in; nothing else is added. Any other word of letters in braces is refused.';

export const paymentIdSchema = { type: 'string', pattern: idPattern('payment') } as const;

export const orderIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_ORDER_ID_LENGTH,
  pattern: STORABLE,
} as const;

export const sentence = {
  type: ['string', 'null'],
  maxLength: MAX_SENTENCE_LENGTH,
  pattern: STORABLE,
  'x-card-numbers': 'refused',
} as const;

const paymentFields = {
  type: 'object',
  title: 'PaymentCreate',
  description: 'A payment to create. Parameters that are not listed here are refused.',
  additionalProperties: false,
  required: ['amount', 'currency', 'return_url'],
  properties: {
    amount: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_AMOUNT,
      description:
        "The amount that the customer pays, as an integer in the currency's minor unit: 12500 is 12,500 AMD (the dram has no smaller unit), 1999 is 19.99 USD. At least 10 for AMD. Written with digits only: a number with a decimal point or an exponent is refused.",
      examples: [12_500],
    },
    currency: {
      type: 'string',
      enum: CURRENCIES.map(({ code }) => code),
      description: 'The ISO 4217 code, in upper case.',
      examples: ['AMD'],
    },
    return_url: {
      type: 'string',
      ...webAddress,
      description: `Where the customer returns after checkout: an http or https URL without user name and password. ${PLACEHOLDERS} This is no proof of payment: retrieve the payment.`,
      examples: ['https://shop.example/return?order={ORDER_ID}'],
    },
    order_id: {
      ...orderIdSchema,
      type: ['string', 'null'],
      'x-card-numbers': 'refused in groups',
      description:
        'Your own reference for the order. The list of payments can be filtered by it. Digits in groups like those of a card number (4242-4242-...) are refused; plain digits are not.',
      examples: ['order-1001'],
    },
    description: {
      ...sentence,
      description: 'What the customer pays for. It is shown on the checkout page.',
      examples: ['Two mugs and a teapot'],
    },
    cancel_url: {
      type: ['string', 'null'],
      ...webAddress,
      description: `Where the customer returns after canceling; by default \`return_url\`. ${PLACEHOLDERS}`,
      examples: ['https://shop.example/basket'],
    },
    locale: {
      type: ['string', 'null'],
      enum: [...LOCALES, null],
      description: "The language in which the checkout begins; by default the merchant's own.",
      examples: ['hy'],
    },
    metadata: { ...metadata, properties: plannedFailures },
    expires_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'When the payment expires unless it is paid: 5 minutes to 7 days ahead; by default 30 minutes, or the lifetime in your settings.',
    },
  },
} as const;

/** Each currency has its own smallest amount. */
const minimums = CURRENCIES.filter(({ min }) => min > 1).map(({ code, min }) => ({
  if: { type: 'object', properties: { currency: { const: code } }, required: ['currency'] },
  // oxlint-disable-next-line unicorn/no-thenable -- It is a keyword of JSON Schema.
  then: { type: 'object', properties: { amount: { type: 'integer', minimum: min } } },
}));

export const paymentSchema = { ...paymentFields, allOf: minimums };
/** Types of schemas know no "all other keys" beside known ones. */
type WithMetadata<Body> = Omit<Body, 'metadata'> & { metadata?: Record<string, string> };
export type PaymentBody = WithMetadata<Given<FromSchema<typeof paymentFields>>>;

export const refundSchema = {
  type: 'object',
  title: 'RefundCreate',
  description: 'A refund to create. Parameters that are not listed here are refused.',
  additionalProperties: false,
  required: ['payment_id'],
  properties: {
    payment_id: {
      ...paymentIdSchema,
      description: 'The completed payment that is refunded.',
    },
    amount: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_AMOUNT,
      description:
        "In the payment's minor unit, written with digits only; by default the whole refundable amount.",
      examples: [2500],
    },
    expected_refundable: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: MAX_AMOUNT,
      description:
        'The refundable amount that you expect. If it has changed, the refund is refused with `refundable_changed`, so that two people do not both refund.',
      examples: [12_500],
    },
    reason: {
      type: ['string', 'null'],
      enum: [...REFUND_REASONS, null],
      examples: ['requested_by_customer'],
    },
    description: {
      ...sentence,
      description: 'Your own note. The customer does not see it.',
      examples: ['One mug arrived broken'],
    },
    metadata: {
      ...metadata,
      properties: {
        ...plannedFailures,
        [REFUND_TEST_KEY]: {
          type: 'string',
          enum: Object.keys(REFUND_TEST_OUTCOMES),
          description: 'The outcome at the sandbox bank; by default `complete`. Test mode only.',
        },
      },
    },
  },
} as const;
export type RefundBody = WithMetadata<Given<FromSchema<typeof refundSchema>>>;

export const cancelSchema = {
  type: 'object',
  title: 'PaymentCancel',
  additionalProperties: false,
  properties: {
    reason: {
      ...sentence,
      description: 'The reason, for your own records. The payment has it as `cancellation.reason`.',
      examples: ['Sold out'],
    },
  },
} as const;
export type CancelBody = Given<FromSchema<typeof cancelSchema>>;

/** `expire` is no decision of the bank: it ends the payment's lifetime. */
export const OUTCOMES = [...CHOICES, 'expire'] as const;

export const outcomeSchema = {
  type: 'object',
  title: 'PaymentOutcome',
  additionalProperties: false,
  required: ['outcome'],
  properties: {
    outcome: {
      type: 'string',
      enum: OUTCOMES,
      description:
        'The decision of the sandbox bank. `turn_back`: the customer returns without a decision. `expire`: the lifetime of the payment ends now.',
      examples: ['approve'],
    },
  },
} as const;
export type OutcomeBody = { outcome: (typeof OUTCOMES)[number] };

export const advanceSchema = {
  type: 'object',
  title: 'PaymentAdvance',
  additionalProperties: false,
  required: ['to'],
  properties: {
    to: {
      type: 'string',
      enum: ADVANCES,
      description:
        "`expiry`: the payment's lifetime ends now. `bank_answer`: the bank's delayed or late answer arrives now; a silent bank is asked, as after its time limit. `next_webhook_attempt`: every pending webhook delivery about the payment makes its next attempt now.",
      examples: ['expiry'],
    },
  },
} as const;
export type AdvanceBody = { to: (typeof ADVANCES)[number] };
