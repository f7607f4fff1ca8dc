/** Every error that this package throws, except the reason of a caller's own abort signal. */
import type { ErrorCode, ErrorType, FieldError } from './objects.ts';

/** The base of all errors of this package. No error contains the API key or a secret. */
export class TollgateError extends Error {
  override readonly name: string = 'TollgateError';
}

/** A mistake in the calling program, found before any request was sent. Do not retry. */
export class TollgateUsageError extends TollgateError {
  override readonly name = 'TollgateUsageError';
}

/** `unknown`: the response did not come from Tollgate, but perhaps from a proxy in front of it. */
export type TollgateErrorCode = ErrorCode | 'unknown';
export type TollgateErrorType = ErrorType | 'unknown';

export type ApiErrorDetails = Omit<TollgateApiError, 'name' | 'stack' | 'cause' | 'retryable'>;

/**
 * An error response of the service. With a status below 500, the request had no effect. From 500
 * on, its effect is unknown, and the client has used up its retries: call again with
 * `idempotencyKey`.
 */
export class TollgateApiError extends TollgateError {
  override readonly name = 'TollgateApiError';
  /** The HTTP status. */
  declare readonly status: number;
  declare readonly type: TollgateErrorType;
  /** Stable: branch on this. A newer service may send codes that this version does not list. */
  declare readonly code: TollgateErrorCode;
  /** The first parameter that is wrong; null if no parameter is. */
  declare readonly param: string | null;
  /** Everything that is wrong with the request, including the first fault. */
  declare readonly errors: readonly FieldError[];
  /** The request's id in the service's log. Quote it when you ask for help. */
  declare readonly requestId: string | null;
  /** The page that explains the code. */
  declare readonly docUrl: string | null;
  /** The seconds to wait before the next try, if the service named any. */
  declare readonly retryAfterSeconds: number | null;
  /** True if the same call may succeed later. The client has used up its own retries. */
  readonly retryable: boolean;
  /** The key that a POST was sent with, given or generated; null for a GET. */
  declare readonly idempotencyKey: string | null;

  constructor({ message, ...details }: ApiErrorDetails) {
    super(message);
    Object.assign(this, details);
    // Every other 4xx would be returned again.
    this.retryable = details.status === 408 || details.status === 429 || details.status >= 500;
  }
}

/** `answer`: a response with a success status that Tollgate would never send. */
export type ConnectionErrorReason = 'network' | 'timeout' | 'answer';

/**
 * No usable response after all retries, so the effect of the request is unknown. Call again with
 * `idempotencyKey`: the request then has one effect. `cause` is the error of the runtime.
 */
export class TollgateConnectionError extends TollgateError {
  override readonly name = 'TollgateConnectionError';
  readonly reason: ConnectionErrorReason;
  /** True if the same call may succeed later; false if another program responded. */
  readonly retryable: boolean;
  /** The key that a POST was sent with, given or generated; null for a GET. */
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
 * no signature fits. `body`: there is no body, or the signed body is not an event. From
 * `webhooks.receive` also `too_large`, and `incomplete`: the body stopped before its end.
 */
export type WebhookRefusal =
  'headers' | 'timestamp' | 'signature' | 'body' | 'too_large' | 'incomplete';

/** A webhook request that must not be trusted. Respond with `status`. */
export class WebhookVerificationError extends TollgateError {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;
  /** The HTTP status to respond with: 413 if too large, 408 if incomplete, otherwise 400. */
  readonly status: 400 | 408 | 413;

  constructor(reason: WebhookRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.status = reason === 'too_large' ? 413 : reason === 'incomplete' ? 408 : 400;
  }
}
