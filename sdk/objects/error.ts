/**
 * The body of a refusal, and every code it can have. Written by `npm run sdk:types`: do not edit.
 */

export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'conflict'
  | 'idempotency'
  | 'rate_limit'
  | 'api';

export type ErrorCode =
  | 'json_invalid'
  | 'parameter_missing'
  | 'parameter_invalid'
  | 'parameter_unknown'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'currency_unsupported'
  | 'url_invalid'
  | 'locale_unsupported'
  | 'card_number_refused'
  | 'limit_out_of_range'
  | 'cursor_invalid'
  | 'idempotency_key_invalid'
  | 'refund_too_large'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_revoked'
  | 'live_mode_unavailable'
  | 'resource_missing'
  | 'route_missing'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'uri_too_long'
  | 'content_type_unsupported'
  | 'headers_too_large'
  | 'payment_state_invalid'
  | 'payment_not_refundable'
  | 'payment_already_refunded'
  | 'refundable_changed'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'internal_error'
  | 'unavailable';

export interface FieldError {
  param: string | null;
  /** Stable. Programs should rely on this. */
  code: ErrorCode;
  /** For developers; the wording may change. */
  message: string;
}

export interface ErrorBody {
  error: {
    type: ErrorType;
    /** Stable. Programs should rely on this. */
    code: ErrorCode;
    /** For developers; the wording may change. */
    message: string;
    /** The parameter with the first error, such as `metadata.color`. */
    param: string | null;
    /** All errors of the request. `param` and `code` repeat the first one. */
    errors: FieldError[];
    /** The documentation of this code. */
    doc_url: string;
    /** The same as the header `Request-Id`. Include it when you ask for support. */
    request_id: string;
  };
}
