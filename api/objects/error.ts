/** The two forms of an error, as JSON Schemas. */
import { idPattern } from '../../domain/id.ts';
import { CATALOGUE } from '../../operations/refusal.ts';

const code = {
  type: 'string',
  enum: Object.keys(CATALOGUE),
  description: 'Stable: this is what programs go by.',
} as const;

const type = {
  type: 'string',
  enum: [...new Set(Object.values(CATALOGUE).map((entry) => entry.type))],
} as const;

const param = {
  type: ['string', 'null'],
  description: 'The parameter that the first fault is about, such as `metadata.color`.',
} as const;

const errors = {
  type: 'array',
  minItems: 1,
  description: 'All faults of the request at once; `param` and `code` repeat the first.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['param', 'code', 'message'],
    properties: {
      param: { type: ['string', 'null'] },
      code,
      message: { type: 'string', description: 'For a developer; its wording may change.' },
    },
  },
} as const;

const requestId = {
  type: 'string',
  pattern: idPattern('request'),
  description: 'The same as the header Request-Id; name it when you ask us.',
} as const;

export const errorObject = {
  type: 'object',
  title: 'Error',
  additionalProperties: false,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'code', 'message', 'param', 'errors', 'doc_url', 'request_id'],
      properties: {
        type,
        code,
        message: { type: 'string', description: 'For a developer; its wording may change.' },
        param,
        errors,
        doc_url: { type: 'string', format: 'uri', description: 'What is known of this code.' },
        request_id: requestId,
      },
    },
  },
} as const;

export const problemObject = {
  type: 'object',
  title: 'Problem',
  description: 'The same as RFC 9457 has it, for `Accept: application/problem+json`.',
  additionalProperties: false,
  required: [
    'type',
    'title',
    'status',
    'detail',
    'error_type',
    'code',
    'param',
    'errors',
    'request_id',
  ],
  properties: {
    type: { type: 'string', format: 'uri', description: 'What is known of this code.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    error_type: type,
    code,
    param,
    errors,
    request_id: requestId,
  },
} as const;
