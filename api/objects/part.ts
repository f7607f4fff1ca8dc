/** Parts that the schemas of several objects share. */
import { idPattern } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { MAX_AMOUNT } from '../../domain/money.ts';

/** Returns the keywords of an object that has all of these properties and no others. */
export const exactly = <const P extends Readonly<Record<string, object>>>(properties: P) =>
  ({
    additionalProperties: false,
    required: Object.keys(properties) as (keyof P & string)[],
    properties,
  }) as const;

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Returns the schema of a page of a list, whose objects have the schema `name`. */
export const listOf = (name: string, path: string) => ({
  type: 'object',
  title: `${name}List`,
  ...exactly({
    object: objectName('list'),
    url: { type: 'string', const: path, description: 'The path of the list.' },
    has_more: {
      type: 'boolean',
      description:
        'True if more objects follow in the same direction: older ones, or newer ones with `ending_before`.',
    },
    data: { type: 'array', description: 'Newest first.', items: refTo(name) },
  }),
});

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
  description: 'True if real money moves; false in test mode.',
} as const;

export const storedMetadata = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Your own keys and values, as you sent them.',
} as const;
