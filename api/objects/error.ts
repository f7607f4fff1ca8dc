/** The schemas of the two forms of an error. */
import { idPattern } from '../../domain/id.ts';
import { CATALOGUE } from '../../operations/refusal.ts';
import { exactly } from './part.ts';

const code = {
  type: 'string',
  enum: Object.keys(CATALOGUE),
  description: 'Stable. Programs should rely on this.',
} as const;

const type = {
  type: 'string',
  enum: [...new Set(Object.values(CATALOGUE).map((entry) => entry.type))],
} as const;

const param = {
  type: ['string', 'null'],
  description: 'The parameter with the first error, such as `metadata.color`.',
} as const;

const errors = {
  type: 'array',
  minItems: 1,
  description: 'All errors of the request. `param` and `code` repeat the first one.',
  items: {
    type: 'object',
    ...exactly({
      param: { type: ['string', 'null'] },
      code,
      message: { type: 'string', description: 'For developers; the wording may change.' },
    }),
  },
} as const;

const requestId = {
  type: 'string',
  pattern: idPattern('request'),
  description: 'The same as the header `Request-Id`. Include it when you ask for support.',
} as const;

export const errorObject = {
  type: 'object',
  title: 'Error',
  ...exactly({
    error: {
      type: 'object',
      ...exactly({
        type,
        code,
        message: { type: 'string', description: 'For developers; the wording may change.' },
        param,
        errors,
        doc_url: { type: 'string', format: 'uri', description: 'The documentation of this code.' },
        request_id: requestId,
      }),
    },
  }),
} as const;

export const problemObject = {
  type: 'object',
  title: 'Problem',
  description: 'The same error in the form of RFC 9457, for `Accept: application/problem+json`.',
  ...exactly({
    type: { type: 'string', format: 'uri', description: 'The documentation of this code.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    error_type: type,
    code,
    param,
    errors,
    request_id: requestId,
  }),
} as const;
