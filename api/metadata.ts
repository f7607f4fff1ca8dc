/** The schema of metadata: the merchant's own keys, and those that plan a test. */
import { FAILURES_KEY } from '../domain/delivery.ts';
import { MAX_METADATA_KEYS } from '../domain/payment.ts';

/** Text without NUL, which ends strings in other programs. `readBody` refuses NUL everywhere. */
export const STORABLE = '^[^\\u0000]*$';

/** The limits of metadata, as in other payment services: enough for references, not for files. */
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

export const metadataKeySchema = {
  maxLength: MAX_METADATA_KEY_LENGTH,
  pattern: '^[A-Za-z0-9_.-]+$',
  'x-card-numbers': 'refused',
} as const;

export const metadataValue = {
  type: 'string',
  maxLength: MAX_METADATA_VALUE_LENGTH,
  pattern: STORABLE,
  'x-card-numbers': 'refused',
} as const;

export const metadata = {
  type: ['object', 'null'],
  maxProperties: MAX_METADATA_KEYS,
  propertyNames: metadataKeySchema,
  additionalProperties: metadataValue,
  description: `Your own keys and values, at most ${MAX_METADATA_KEYS}. A key or value with a card number in it is refused.`,
  examples: [{ basket: 'b-77', customer: '4711' }],
} as const;

export const plannedFailures = {
  [FAILURES_KEY]: {
    type: 'string',
    enum: ['1', '2', '3'],
    description:
      'How many first attempts of each webhook about it count as failed, whatever your receiver responds, so that you see retries. Test mode only.',
  },
} as const;
