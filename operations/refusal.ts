/** The error catalogue. Every refusal of the API and of the command line has a code from it. */

export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'conflict'
  | 'idempotency'
  | 'rate_limit'
  | 'api';

interface Entry {
  readonly status: number;
  readonly type: ErrorType;
  /** The default message of a refusal. */
  readonly message: string;
}

const entry = (status: number, type: ErrorType, message: string): Entry => ({
  status,
  type,
  message,
});
const invalid = (message: string, status = 400): Entry => entry(status, 'invalid_request', message);
const conflict = (message: string): Entry => entry(409, 'conflict', message);

/** All codes. The status is that of the API's response. */
export const CATALOGUE = {
  json_invalid: invalid('The request body is not a JSON object that can be accepted.'),
  parameter_missing: invalid('A required parameter is missing.'),
  parameter_invalid: invalid('A parameter has a value that is not allowed.'),
  parameter_unknown: invalid('The request has a parameter that is unknown to this call.'),
  amount_too_small: invalid('The amount is below the minimum of its currency.'),
  amount_too_large: invalid('The amount is above the maximum.'),
  currency_unsupported: invalid('The currency is not supported.'),
  url_invalid: invalid('The URL is not an http or https URL that can be accepted.'),
  locale_unsupported: invalid('The locale is not supported.'),
  card_number_refused: invalid('The text seems to contain a card number; never send card data.'),
  limit_out_of_range: invalid('limit must be an integer from 1 to 100.'),
  cursor_invalid: invalid('The cursor is not the id of an object of this list.'),
  idempotency_key_invalid: invalid('Idempotency-Key must be 1 to 255 visible ASCII characters.'),
  refund_too_large: invalid('The refund is larger than the refundable amount.'),
  api_key_missing: entry(
    401,
    'authentication',
    'Send your secret key in the header `Authorization: Bearer sk_test_...`.',
  ),
  api_key_invalid: entry(
    401,
    'authentication',
    'The API key is not valid. Check that all of it was copied, and that it is for this service.',
  ),
  api_key_revoked: entry(
    401,
    'authentication',
    'The API key has been revoked. Use the key that replaced it.',
  ),
  live_mode_unavailable: entry(
    403,
    'permission',
    'Live mode is not available: no real bank is connected. Use a test key (sk_test_...).',
  ),
  resource_missing: invalid('No such object.', 404),
  route_missing: invalid('There is no such address.', 404),
  method_not_allowed: invalid('This address does not support that method.', 405),
  request_timeout: invalid('The request took too long to arrive.', 408),
  body_too_large: invalid('The request body is larger than 64 KiB.', 413),
  uri_too_long: invalid('The address of the request is too long.', 414),
  content_type_unsupported: invalid(
    'Send the body as `Content-Type: application/json`, in UTF-8 and without Content-Encoding.',
    415,
  ),
  headers_too_large: invalid('The headers of the request are too large.', 431),
  payment_state_invalid: conflict('The state of the payment does not allow this.'),
  payment_not_refundable: conflict('The payment cannot be refunded.'),
  payment_already_refunded: conflict('The payment has been refunded already.'),
  refundable_changed: conflict('The refundable amount has changed.'),
  idempotency_key_reused: entry(
    422,
    'idempotency',
    'The Idempotency-Key was used before for another request.',
  ),
  too_many_requests: entry(429, 'rate_limit', 'Too many requests; slow down and try again.'),
  internal_error: entry(500, 'api', 'Something failed on our side; try again with the same key.'),
  unavailable: entry(
    503,
    'api',
    'The service is not available just now; try again with the same key.',
  ),
} as const satisfies Record<string, Entry>;

/** The maximum number of characters of a caller's value that a message repeats. */
export const MAX_ECHO_LENGTH = 64;

export type ErrorCode = keyof typeof CATALOGUE;

/** A fault of one parameter. */
export interface FieldError {
  readonly param: string | null;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The seconds that a client should wait before it retries. Most outages are restarts. */
const RETRY_AFTER_SECONDS = '1';

/** The refusal of a request or a command, which has changed nothing. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    details: { message?: string; param?: string | null; headers?: Record<string, string> } = {},
  ) {
    const message = details.message ?? CATALOGUE[code].message;
    super(message);
    this.code = code;
    this.errors = [{ param: details.param ?? null, code, message }];
    this.headers = details.headers ?? {};
  }

  get type(): ErrorType {
    return CATALOGUE[this.code].type;
  }

  /** Returns the refusal of one parameter. */
  static ofParam(param: string, message: string, code: ErrorCode = 'parameter_invalid'): Refusal {
    return new Refusal(code, { message, param });
  }

  /** Returns the refusal that names all faults of a request. Takes at least one. */
  static ofFields(errors: readonly FieldError[]): Refusal {
    const code = errors[0]?.code ?? 'parameter_invalid';
    const refusal = new Refusal(code, errors[0]?.message ? { message: errors[0].message } : {});
    return Object.assign(refusal, { errors });
  }
}

/** Returns the row. Throws the refusal of a missing object if it is null. */
export function requireFound<Row>(row: Row | null, message: string, param = 'id'): Row {
  if (row !== null) return row;
  throw Refusal.ofParam(param, message, 'resource_missing');
}

/**
 * Returns the refusal for a dependency that is unavailable. A retry with the same key has one
 * effect.
 */
export function unavailable(): Refusal {
  return new Refusal('unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
