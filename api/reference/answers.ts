/** Answers and their headers, as the document has them: the good one and all refusals of a call. */
import { CATALOGUE, Refusal } from '../../operations/refusal.ts';
import { renderError } from '../errors.ts';
import type { ErrorCode } from '../../operations/refusal.ts';
import type { Operation } from './operation.ts';
import { SAMPLE_REQUEST_ID } from '../../domain/samples.ts';

/** What every call can be refused with, whatever it is about. */
const ALWAYS: readonly ErrorCode[] = [
  'parameter_unknown',
  'parameter_invalid',
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'uri_too_long',
  'headers_too_large',
  'too_many_requests',
  'internal_error',
  'unavailable',
];

/** What every call with a body can be refused with. */
const WITH_BODY: readonly ErrorCode[] = [
  'json_invalid',
  'idempotency_key_invalid',
  'request_timeout',
  'body_too_large',
  'content_type_unsupported',
];

const CODES = Object.keys(CATALOGUE) as ErrorCode[];

/** All codes that a call can be refused with, in the order of the catalogue. */
export function codesOf({ body, refusals }: Operation): ErrorCode[] {
  const all = new Set<string>([...ALWAYS, ...(body ? WITH_BODY : []), ...refusals]);
  return CODES.filter((code) => all.has(code));
}

const header = (description: string, schema: object, required = false) => ({
  description,
  ...(required ? { required } : {}),
  schema,
});

export const HEADERS = {
  'Request-Id': header(
    'Names this request; say it when you ask us about it.',
    { type: 'string', pattern: '^req_[0-9A-Z]{26}$' },
    true,
  ),
  'Idempotent-Replayed': header(
    '`true` when this is the stored answer to an earlier request with the same key.',
    { type: 'string', const: 'true' },
  ),
  Link: header(
    'Where reading goes on: `<url>; rel="next"`, or `rel="prev"` with `ending_before`.',
    {
      type: 'string',
    },
  ),
  'RateLimit-Policy': header(
    'The limit, as in `"default";q=200;w=2`: so many requests in a window of so many seconds.',
    { type: 'string', pattern: '^"(?:default|anonymous)";q=[0-9]+;w=[0-9]+$' },
    true,
  ),
  RateLimit: header(
    'What is left of it, as in `"default";r=180;t=1`: so many requests for so many seconds more.',
    { type: 'string', pattern: '^"(?:default|anonymous)";r=[0-9]+;t=[0-9]+$' },
    true,
  ),
  'Retry-After': header(
    'Seconds to wait before trying again.',
    { type: 'string', pattern: '^[0-9]+$' },
    true,
  ),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', pattern: '^Bearer' }, true),
  Allow: header('The methods that the address knows.', { type: 'string' }, true),
} as const;

type HeaderName = keyof typeof HEADERS;

type Headers = Record<string, object>;

const headersOf = (names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RATE: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/** They are missing where the request was refused before anybody could count it. */
const RATE_IF_COUNTED: Headers = Object.fromEntries(
  RATE.map((name) => [name, { ...HEADERS[name], required: false }]),
);

/** The headers that refusals with that status have. */
function refusalHeaders(status: number): Headers {
  switch (status) {
    case 401:
      return headersOf(['Request-Id', ...RATE, 'WWW-Authenticate']);
    case 429:
      return headersOf(['Request-Id', ...RATE, 'Retry-After']);
    case 503:
      return { ...headersOf(['Request-Id', 'Retry-After']), ...RATE_IF_COUNTED };
    case 405:
      return { ...headersOf(['Request-Id', 'Allow']), ...RATE_IF_COUNTED };
    case 400:
    case 408:
    case 431:
    case 500:
      return { ...headersOf(['Request-Id']), ...RATE_IF_COUNTED };
    default:
      return headersOf(['Request-Id', ...RATE]);
  }
}

interface StatusText {
  /** Of the answer in the document's components. */
  readonly name: string;
  readonly text: string;
}

const again = 'Try again with the same Idempotency-Key: it will have one effect.';

/** Every status of the catalogue. */
const STATUSES: Readonly<Record<number, StatusText>> = {
  400: { name: 'BadRequest', text: 'The request is wrong; `errors` names all its faults at once.' },
  401: { name: 'Unauthorized', text: 'The secret key is missing, unknown or revoked.' },
  403: { name: 'Forbidden', text: 'The key may not do that.' },
  404: { name: 'NotFound', text: 'There is no such object, or not for this key.' },
  405: { name: 'MethodNotAllowed', text: 'The address does not know that method.' },
  408: { name: 'RequestTimeout', text: 'The request took too long to arrive.' },
  409: {
    name: 'Conflict',
    text: 'The state of the object does not allow it; nothing was changed.',
  },
  413: { name: 'BodyTooLarge', text: 'The body is too large.' },
  414: { name: 'UriTooLong', text: 'The address is too long.' },
  415: { name: 'UnsupportedMediaType', text: 'The body is not JSON in UTF-8.' },
  422: { name: 'KeyReused', text: 'The Idempotency-Key was used before for another request.' },
  429: { name: 'TooManyRequests', text: 'Too many requests: wait as `Retry-After` says.' },
  431: { name: 'HeadersTooLarge', text: 'The headers are too large.' },
  500: { name: 'InternalError', text: `A fault on our side. ${again}` },
  503: { name: 'Unavailable', text: `Not available just now. ${again}` },
};

const statusOf = (code: ErrorCode): number => CATALOGUE[code].status;
const codesWith = (status: number): ErrorCode[] =>
  CODES.filter((code) => statusOf(code) === status);

/** Examples of every code in both forms, for `components`. */
export function errorExamples(apiUrl: string): Record<string, object> {
  const sample = (code: ErrorCode, problem: boolean): object => {
    const at = { apiUrl, requestId: SAMPLE_REQUEST_ID, problem };
    const value: unknown = JSON.parse(renderError(new Refusal(code), at).text);
    return { summary: CATALOGUE[code].message, value };
  };
  return Object.fromEntries(
    CODES.flatMap((code) => [
      [code, sample(code, false)],
      [`${code}_problem`, sample(code, true)],
    ]),
  );
}

/** The answer with that status and these codes, in both forms of an error. */
function refusalOf(status: number, codes: readonly ErrorCode[]) {
  const content = (name: string, suffix: string) => ({
    schema: { $ref: `#/components/schemas/${name}` },
    examples: Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}${suffix}` }]),
    ),
  });
  return {
    description: STATUSES[status]?.text ?? '',
    headers: refusalHeaders(status),
    content: {
      'application/json': content('Error', ''),
      'application/problem+json': content('Problem', '_problem'),
    },
  };
}

/** For each status the answer with all its codes, for `components`. */
export function allRefusals(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(STATUSES).map(([status, { name }]) => [
      name,
      refusalOf(Number(status), codesWith(Number(status))),
    ]),
  );
}

/** All answers of a call: the good one, then one for each status it can be refused with. */
export function answersOf(operation: Operation): Record<string, object> {
  const codes = codesOf(operation);
  const statuses = [...new Set(codes.map(statusOf))];
  const refusals = statuses.map((status) => {
    const all = codesWith(status);
    const own = all.filter((code) => codes.includes(code));
    const name = STATUSES[status]?.name ?? '';
    const isShared = own.length === all.length;
    return [
      String(status),
      isShared ? { $ref: `#/components/responses/${name}` } : refusalOf(status, own),
    ] as const;
  });
  return {
    [String(operation.answer.status)]: goodAnswer(operation),
    ...Object.fromEntries(refusals),
  };
}

function goodAnswer({ answer, body, list }: Operation): object {
  const names: HeaderName[] = ['Request-Id', ...RATE];
  if (body) names.push('Idempotent-Replayed');
  if (list) names.push('Link');
  return {
    description: answer.description,
    headers: headersOf(names),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${answer.schema}` },
        examples: answer.examples,
      },
    },
    ...linksOf(answer),
  };
}

function linksOf({ links }: Operation['answer']): { links?: Record<string, object> } {
  if (!links) return {};
  const entries = links.map(({ operationId, description, name, from, inBody }) => {
    const given = inBody ? { requestBody: inBody } : { parameters: { [name]: from } };
    return [operationId, { operationId, description, ...given }];
  });
  return { links: Object.fromEntries(entries) as Record<string, object> };
}
