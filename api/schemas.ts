/** The bodies that calls take, as JSON Schemas: checked by them, typed by them, published later. */
import type { FromSchema } from 'json-schema-to-ts';
import { CHOICES } from '../domain/bank.ts';
import { MAX_URL_LENGTH } from '../domain/endpoint.ts';
import { idPattern } from '../domain/id.ts';
import { CURRENCIES, MAX_AMOUNT } from '../domain/money.ts';
import { LOCALES } from '../domain/payment.ts';
import { REFUND_REASONS, REFUND_TEST_KEY, REFUND_TEST_OUTCOMES } from '../domain/refund.ts';

/** A merchant's own reference; theirs are short, and it is an index's key. */
export const MAX_ORDER_ID_LENGTH = 128;
/** Descriptions and reasons are a sentence that people read. */
const MAX_SENTENCE_LENGTH = 255;
/** Metadata as other payment services take it: enough for references, too little for files. */
const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

const address = { type: 'string', maxLength: MAX_URL_LENGTH, format: 'http-url' } as const;

const sentence = {
  type: 'string',
  maxLength: MAX_SENTENCE_LENGTH,
  format: 'no-card-number',
} as const;

const metadata = {
  type: 'object',
  maxProperties: MAX_METADATA_KEYS,
  propertyNames: { maxLength: MAX_METADATA_KEY_LENGTH, pattern: '^[A-Za-z0-9_.-]+$' },
  additionalProperties: {
    type: 'string',
    maxLength: MAX_METADATA_VALUE_LENGTH,
    format: 'no-card-number',
  },
} as const;

const paymentFields = {
  type: 'object',
  additionalProperties: false,
  required: ['amount', 'currency', 'return_url'],
  properties: {
    amount: { type: 'integer', minimum: 1, maximum: MAX_AMOUNT },
    currency: { type: 'string', enum: CURRENCIES.map(({ code }) => code) },
    return_url: address,
    order_id: { type: 'string', minLength: 1, maxLength: MAX_ORDER_ID_LENGTH },
    description: sentence,
    cancel_url: address,
    locale: { type: 'string', enum: LOCALES },
    metadata,
    expires_at: { type: 'string', format: 'rfc-3339' },
  },
} as const;

/** Each currency has its own smallest amount. */
const minimums = CURRENCIES.map(({ code, min }) => ({
  if: { type: 'object', properties: { currency: { const: code } }, required: ['currency'] },
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema calls it that; nobody awaits it.
  then: { type: 'object', properties: { amount: { type: 'integer', minimum: min } } },
}));

export const paymentSchema = { ...paymentFields, allOf: minimums };
export type PaymentBody = FromSchema<typeof paymentFields>;

export const refundSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['payment_id'],
  properties: {
    payment_id: { type: 'string', pattern: idPattern('payment') },
    amount: { type: 'integer', minimum: 1, maximum: MAX_AMOUNT },
    expected_refundable: { type: 'integer', minimum: 0, maximum: MAX_AMOUNT },
    reason: { type: 'string', enum: REFUND_REASONS },
    description: sentence,
    metadata: {
      ...metadata,
      properties: {
        [REFUND_TEST_KEY]: { type: 'string', enum: Object.keys(REFUND_TEST_OUTCOMES) },
      },
    },
  },
} as const;
export type RefundBody = FromSchema<typeof refundSchema>;

export const cancelSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { reason: { type: 'string', maxLength: MAX_SENTENCE_LENGTH } },
} as const;
export type CancelBody = FromSchema<typeof cancelSchema>;

/** `expire` is no decision of the bank: it brings the payment's lifetime to its end. */
export const OUTCOMES = [...CHOICES, 'expire'] as const;

export const outcomeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['outcome'],
  properties: { outcome: { type: 'string', enum: OUTCOMES } },
} as const;
export type OutcomeBody = { outcome: (typeof OUTCOMES)[number] };
