/** Everything this package throws, besides the reason of a caller's own abort signal. */
import type { ErrorCode, ErrorType, FieldError } from './objects.ts';

/** The base of all errors of this package. None of them ever holds the API key or a secret. */
export class TollgateError extends Error {
  override readonly name: string = 'TollgateError';
}

/** A mistake in the calling program, seen before any request was made: fix it, do not retry. */
export class TollgateUsageError extends TollgateError {
  override readonly name = 'TollgateUsageError';
}

/** `unknown`: the answer was not one of Tollgate's own, but perhaps that of a proxy before it. */
export type TollgateErrorCode = ErrorCode | 'unknown';
export type TollgateErrorType = ErrorType | 'unknown';

export interface ApiErrorDetails {
  readonly status: number;
  readonly type: TollgateErrorType;
  readonly code: TollgateErrorCode;
  readonly message: string;
  readonly param: string | null;
  readonly errors: readonly FieldError[];
  readonly requestId: string | null;
  readonly docUrl: string | null;
  readonly retryAfterSeconds: number | null;
  readonly idempotencyKey: string | null;
}

/**
 * The service answered, and not with success. Below 500 it said no, and nothing was done. From 500
 * on it is unknown whether it was done; retries are over by now: call again with `idempotencyKey`.
 */
export class TollgateApiError extends TollgateError {
  override readonly name = 'TollgateApiError';
  /** The HTTP status. */
  readonly status: number;
  readonly type: TollgateErrorType;
  /** Stable: branch on this. A newer service may send codes that this version does not list. */
  readonly code: TollgateErrorCode;
  /** The first parameter that is wrong, if it is about one. */
  readonly param: string | null;
  /** Everything that is wrong with the request, the first included. */
  readonly errors: readonly FieldError[];
  /** Names this request in the service's log: quote it when asking for help. */
  readonly requestId: string | null;
  /** Where the code is explained. */
  readonly docUrl: string | null;
  /** Seconds the service asked to wait before the next try, if it did. */
  readonly retryAfterSeconds: number | null;
  /** Whether the same call may have another end later; retries of the client are over by now. */
  readonly retryable: boolean;
  /** The key that a POST was sent with, given or made; null for a GET. */
  readonly idempotencyKey: string | null;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.status = details.status;
    this.type = details.type;
    this.code = details.code;
    this.param = details.param;
    this.errors = details.errors;
    this.requestId = details.requestId;
    this.docUrl = details.docUrl;
    this.retryAfterSeconds = details.retryAfterSeconds;
    // These say "not now"; every other 4xx says "no", and would say it again.
    this.retryable = details.status === 408 || details.status === 429 || details.status >= 500;
    this.idempotencyKey = details.idempotencyKey;
  }
}

/** `answer`: something came with a success status that no Tollgate would send. */
export type ConnectionErrorReason = 'network' | 'timeout' | 'answer';

/**
 * No usable answer, after all retries: whether the service did what was asked is unknown. Call
 * again with `idempotencyKey`, and it is done once whatever happened. `cause` is what the runtime
 * reported.
 */
export class TollgateConnectionError extends TollgateError {
  override readonly name = 'TollgateConnectionError';
  readonly reason: ConnectionErrorReason;
  /** Whether the same call may have another end later; an answer of another program repeats. */
  readonly retryable: boolean;
  /** The key that a POST was sent with, given or made; null for a GET. */
  readonly idempotencyKey: string | null;

  constructor(
    message: string,
    details: { reason: ConnectionErrorReason; idempotencyKey: string | null; cause?: unknown },
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : {});
    this.reason = details.reason;
    this.retryable = details.reason !== 'answer';
    this.idempotencyKey = details.idempotencyKey;
  }
}

/**
 * Why a webhook request was refused. `headers`: its signature headers are missing or malformed.
 * `timestamp`: it was signed too long ago, or too far ahead of this machine's clock. `signature`:
 * no signature fits. `body`: there is none, or it is signed, but is no event.
 */
export type WebhookRefusal = 'headers' | 'timestamp' | 'signature' | 'body';

/** The webhook request is not to be trusted: answer it with a status of 400 or 401. */
export class WebhookVerificationError extends TollgateError {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
