/** The responses of a call in the OpenAPI document: its success and all its refusals. */
import { CATALOGUE, Refusal } from '../../operations/refusal.ts';
import type { ErrorCode } from '../../operations/refusal.ts';
import { SAMPLE_REQUEST_ID } from '../../domain/samples.ts';
import { renderError } from '../errors.ts';
import { refTo } from '../objects/part.ts';
import type { Operation } from './operation.ts';

/** The codes that every call can be refused with. */
const ALWAYS: readonly ErrorCode[] = [
  'parameter_unknown',
  'parameter_invalid',
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'live_mode_unavailable',
  'uri_too_long',
  'headers_too_large',
  'too_many_requests',
  'internal_error',
  'unavailable',
];

/** The codes that every call with a body can be refused with. */
const WITH_BODY: readonly ErrorCode[] = [
  'json_invalid',
  'card_number_refused',
  'idempotency_key_invalid',
  'request_timeout',
  'body_too_large',
  'content_type_unsupported',
  'idempotency_key_reused',
];

const CODES = Object.keys(CATALOGUE) as ErrorCode[];

/** Returns all codes that the call can be refused with, in the order of the catalogue. */
function codesOf({ id, list, body, refusals = [] }: Operation): ErrorCode[] {
  const all = new Set<ErrorCode>([
    ...ALWAYS,
    ...(body ? WITH_BODY : []),
    ...(body?.required ? (['parameter_missing'] as const) : []),
    ...(id ? (['resource_missing', 'route_missing'] as const) : []),
    ...(list ? (['limit_out_of_range', 'cursor_invalid'] as const) : []),
    ...refusals,
  ]);
  return CODES.filter((code) => all.has(code));
}

const header = (description: string, schema: object, required = false) => ({
  description,
  ...(required ? { required } : {}),
  schema,
});

export const HEADERS = {
  'Request-Id': header(
    'The id of this request. Include it when you ask for support.',
    { type: 'string', pattern: '^req_[0-9A-Z]{26}$' },
    true,
  ),
  'Idempotent-Replayed': header(
    '`true` if this is the stored response to an earlier request with the same key.',
    { type: 'string', const: 'true' },
  ),
  Link: header('The next page: `<url>; rel="next"`, or `rel="prev"` with `ending_before`.', {
    type: 'string',
  }),
  'RateLimit-Policy': header(
    'The limit, such as `"default";q=200;w=2`: 200 requests in a window of 2 seconds.',
    { type: 'string', pattern: '^"(?:default|anonymous)";q=[0-9]+;w=[0-9]+$' },
    true,
  ),
  RateLimit: header(
    'The rest of the limit, such as `"default";r=180;t=1`: 180 more requests in the next second.',
    { type: 'string', pattern: '^"(?:default|anonymous)";r=[0-9]+;t=[0-9]+$' },
    true,
  ),
  'Retry-After': header(
    'The seconds to wait before a retry.',
    { type: 'string', pattern: '^[0-9]+$' },
    true,
  ),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', pattern: '^Bearer' }, true),
  Allow: header('The methods that this path supports.', { type: 'string' }, true),
} as const;

type HeaderName = keyof typeof HEADERS;
type Headers = Record<string, object>;

const headersOf = (names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const RATE: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

const OPTIONAL_RATE: Headers = Object.fromEntries(
  RATE.map((name) => [name, { ...HEADERS[name], required: false }]),
);

interface Status {
  /** The name of the response in `components`. */
  readonly name: string;
  readonly text: string;
  /** A header that only this status has. */
  readonly header?: HeaderName;
  /** True if a request can be refused before it is counted. Such a response has no rate limit. */
  readonly mayBeUncounted?: true;
}

const retry = 'Retry with the same Idempotency-Key: it will have one effect.';
const mayBeUncounted = true;

/** Every status of the catalogue. */
const STATUSES: Readonly<Record<number, Status>> = {
  400: {
    name: 'BadRequest',
    text: 'The request is wrong. `errors` lists everything that is wrong with it.',
    mayBeUncounted,
  },
  401: {
    name: 'Unauthorized',
    text: 'The secret key is missing, unknown or revoked.',
    header: 'WWW-Authenticate',
  },
  403: { name: 'Forbidden', text: 'The key may not do this.' },
  404: { name: 'NotFound', text: 'The object does not exist, or the key has no access to it.' },
  405: {
    name: 'MethodNotAllowed',
    text: 'The path does not support this method.',
    header: 'Allow',
    mayBeUncounted,
  },
  408: { name: 'RequestTimeout', text: 'The request took too long to arrive.', mayBeUncounted },
  409: {
    name: 'Conflict',
    text: 'The state of the object does not allow this. Nothing was changed.',
  },
  413: { name: 'BodyTooLarge', text: 'The body is too large.' },
  414: { name: 'UriTooLong', text: 'The address is too long.' },
  415: { name: 'UnsupportedMediaType', text: 'The body is not JSON in UTF-8.' },
  422: { name: 'KeyReused', text: 'The Idempotency-Key was used before for another request.' },
  429: {
    name: 'TooManyRequests',
    text: 'Too many requests. Wait for the time in `Retry-After`.',
    header: 'Retry-After',
  },
  431: { name: 'HeadersTooLarge', text: 'The headers are too large.', mayBeUncounted },
  500: { name: 'InternalError', text: `An error on our side. ${retry}`, mayBeUncounted },
  503: {
    name: 'Unavailable',
    text: `The service is temporarily unavailable. ${retry}`,
    header: 'Retry-After',
    mayBeUncounted,
  },
};

const statusOf = (code: ErrorCode): number => CATALOGUE[code].status;
const codesWith = (status: number): ErrorCode[] =>
  CODES.filter((code) => statusOf(code) === status);

/** Returns examples of every code in both forms, for `components`. */
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

/** Returns the response with that status and these codes, in both forms of an error. */
function refusalOf(status: number, codes: readonly ErrorCode[]) {
  const { text = '', header: own, mayBeUncounted: isOptional } = STATUSES[status] ?? {};
  const extra = own ? [own] : [];
  const content = (name: string, suffix: string) => ({
    schema: refTo(name),
    examples: Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}${suffix}` }]),
    ),
  });
  return {
    description: text,
    headers: isOptional
      ? { ...headersOf(['Request-Id', ...extra]), ...OPTIONAL_RATE }
      : headersOf(['Request-Id', ...RATE, ...extra]),
    content: {
      'application/json': content('Error', ''),
      'application/problem+json': content('Problem', '_problem'),
    },
  };
}

/** Returns the response of each status with all its codes, for `components`. */
export const allRefusals = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(STATUSES).map(([status, { name }]) => [
      name,
      refusalOf(Number(status), codesWith(Number(status))),
    ]),
  );

/** Returns all responses of a call: its success, and one for each status of its refusals. */
export function responsesOf(operation: Operation): Record<string, object> {
  const codes = codesOf(operation);
  const refusals = [...new Set(codes.map(statusOf))].map((status) => {
    const all = codesWith(status);
    const own = all.filter((code) => codes.includes(code));
    const name = STATUSES[status]?.name ?? '';
    const isShared = own.length === all.length;
    const response = isShared ? { $ref: `#/components/responses/${name}` } : refusalOf(status, own);
    return [String(status), response] as const;
  });
  const { success, body, list } = operation;
  const { status, description, schema, examples, links } = success;
  const names: HeaderName[] = ['Request-Id', ...RATE];
  if (body) names.push('Idempotent-Replayed');
  if (list) names.push('Link');
  return {
    [String(status)]: {
      description,
      headers: headersOf(names),
      content: { 'application/json': { schema: refTo(schema), examples } },
      ...(links ? { links } : {}),
    },
    ...Object.fromEntries(refusals),
  };
}
