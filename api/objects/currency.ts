/** A currency that payments can be made in, as a JSON Schema. */
import { exactly, objectName } from './part.ts';

export const currencyObject = {
  type: 'object',
  title: 'Currency',
  description: 'A currency that payments can be made in.',
  ...exactly({
    id: { type: 'string', pattern: '^[A-Z]{3}$', description: 'The same as `code`.' },
    object: objectName('currency'),
    code: {
      type: 'string',
      pattern: '^[A-Z]{3}$',
      description: 'The ISO 4217 code, as in a payment.',
    },
    decimals: {
      type: 'integer',
      minimum: 0,
      maximum: 3,
      description: 'Digits after the point: divide an amount by ten to the power of this.',
    },
    min_amount: {
      type: 'integer',
      minimum: 1,
      description: 'The smallest amount of a payment, in minor units.',
    },
  }),
} as const;
