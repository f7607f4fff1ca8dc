/** What the schemas of several objects have in common. */
import { idPattern } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { MAX_AMOUNT } from '../../domain/money.ts';

export const idOf = (kind: IdKind) =>
  ({
    type: 'string',
    pattern: idPattern(kind),
    description: 'Sorts by time of creation.',
  }) as const;

export const objectName = <const Name extends string>(name: Name) =>
  ({ type: 'string', const: name, description: `Always \`${name}\`.` }) as const;

export const time = (description: string) =>
  ({ type: 'string', format: 'date-time', description }) as const;

export const nullableTime = (description: string) =>
  ({ type: ['string', 'null'], format: 'date-time', description }) as const;

export const minorUnits = (description: string) =>
  ({ type: 'integer', minimum: 0, maximum: MAX_AMOUNT, description }) as const;

export const livemode = {
  type: 'boolean',
  description: 'Whether real money moves; false in test mode.',
} as const;

export const storedMetadata = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Your own keys and values, as you sent them.',
} as const;
