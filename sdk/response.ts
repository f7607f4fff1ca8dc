/** Reads responses of the service, without trusting their form. */
import { readRetryAfter } from './backoff.ts';
import { readStream } from './body.ts';
import { TollgateApiError, TollgateConnectionError } from './errors.ts';
import type { TollgateErrorCode, TollgateErrorType } from './errors.ts';
import type { FieldError } from './objects.ts';

/** A page of 100 events with as much metadata as possible has about half of this. */
const RESPONSE_MAX_BYTES = 16 * 1024 * 1024;

export interface Expectation {
  /** The `object` that the response must have. */
  readonly expects: string;
  readonly idempotencyKey: string | null;
}

/**
 * Returns the object of a successful response. Throws TollgateApiError for any other status, and
 * TollgateConnectionError if the response is too large or is not the expected object.
 */
export async function readResponse<T>(
  response: Response,
  { expects, idempotencyKey }: Expectation,
): Promise<T> {
  const { ok, status, body } = response;
  const unusable = (message: string) =>
    new TollgateConnectionError(message, { reason: 'answer', idempotencyKey });
  const bytes = await readStream(body, RESPONSE_MAX_BYTES);
  if (!bytes) {
    await body?.cancel();
    throw unusable(`The response is larger than ${RESPONSE_MAX_BYTES} bytes.`);
  }
  const value = parse(new TextDecoder().decode(bytes));
  if (!ok) throw apiError(response, value, idempotencyKey);
  if (member(value, 'object') === expects) return value as T;
  throw unusable(`The response with status ${status} has no ${expects}; check baseUrl.`);
}

function apiError(response: Response, value: unknown, key: string | null): TollgateApiError {
  const { status, headers } = response;
  const error = member(value, 'error');
  return new TollgateApiError({
    status,
    // The service has a catalogue of these; a newer one may have more.
    type: (text(error, 'type') ?? 'unknown') as TollgateErrorType,
    code: (text(error, 'code') ?? 'unknown') as TollgateErrorCode,
    message: text(error, 'message') ?? explain(status),
    param: text(error, 'param'),
    errors: fieldErrors(member(error, 'errors')),
    requestId: text(error, 'request_id') ?? headers.get('request-id'),
    docUrl: text(error, 'doc_url'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), Date.now()),
    idempotencyKey: key,
  });
}

/** Returns a message for a response that is not in Tollgate's form. */
function explain(status: number): string {
  if (status >= 400) return `The response has status ${status} and no explanation.`;
  return `The response has status ${status}. Redirects are not followed; check baseUrl.`;
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => ({
    param: text(each, 'param'),
    code: (text(each, 'code') ?? 'unknown') as FieldError['code'],
    message: text(each, 'message') ?? '',
  }));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}
