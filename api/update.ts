/** Changing a payment: its schema and its handler. */
import { FAILURES_KEY } from '../domain/delivery.ts';
import { MAX_METADATA_KEYS } from '../domain/payment.ts';
import type { DetailChanges } from '../domain/payment.ts';
import { Refusal } from '../operations/refusal.ts';
import { updatePayment } from '../operations/update-payment.ts';
import { replyWithResult } from './call.ts';
import type { Call, Reply } from './call.ts';
import { metadata, metadataValue, plannedFailures } from './metadata.ts';
import { sentence } from './schemas.ts';
import { compile, validate } from './validate.ts';

export const updateSchema = {
  type: 'object',
  title: 'PaymentUpdate',
  description: 'What is changed: at least one of the two. Other parameters are refused.',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    description: {
      ...sentence,
      description: 'The new text on the checkout page. `null` removes it.',
      examples: ['Two mugs, a teapot and a tray'],
    },
    metadata: {
      ...metadata,
      properties: {
        [FAILURES_KEY]: {
          ...plannedFailures[FAILURES_KEY],
          type: ['string', 'null'],
          enum: [...plannedFailures[FAILURES_KEY].enum, null],
        },
      },
      additionalProperties: { ...metadataValue, type: ['string', 'null'] },
      description: `Keys to add, to change, or with \`null\` to remove. Keys that are not named stay as they are. \`null\` in place of the object removes all keys. A payment has at most ${MAX_METADATA_KEYS} keys. A key or value with a card number in it is refused.`,
      examples: [{ customer: '4711', basket: null }],
    },
  },
} as const;

const updateBody = compile<DetailChanges>(updateSchema);

/** `POST /v1/payments/{id}`: 200 with the changed payment. Null removes a value. */
export async function postUpdate(call: Call): Promise<Reply> {
  if (Object.keys(call.body).length === 0) {
    const message = 'Send what to change: description, metadata, or both.';
    throw new Refusal('parameter_missing', { message });
  }
  const fields = { ...validate(updateBody, call), id: call.id };
  return replyWithResult(200, await updatePayment(call.request, fields));
}
