/** A currency that payments can be made in, as a JSON Schema. */
import { objectName } from './part.ts';

export const currencyObject = {
  type: 'object',
  title: 'Currency',
  description: 'A currency that payments can be made in.',
  additionalProperties: false,
  required: ['id', 'object', 'code', 'decimals', 'min_amount'],
  properties: {
    id: { type: 'string', pattern: '^[A-Z]{3}$', description: 'The code once more.' },
    object: objectName('currency'),
    code: { type: 'string', pattern: '^[A-Z]{3}$', description: 'As in a payment.' },
    decimals: {
      type: 'integer',
      minimum: 0,
      maximum: 3,
      description: 'Digits after the point: an amount is divided by ten to the power of this.',
    },
    min_amount: {
      type: 'integer',
      minimum: 1,
      description: 'The smallest amount of a payment, in minor units.',
    },
  },
} as const;
