/** Reading an answer of the service without believing anything about it beforehand. */
import { readRetryAfter } from './backoff.ts';
import { TollgateApiError, TollgateConnectionError } from './errors.ts';
import type { TollgateErrorCode, TollgateErrorType } from './errors.ts';
import type { FieldError } from './objects.ts';

/** A page of 100 events with all the metadata they can hold takes about half of this. */
export const ANSWER_MAX_BYTES = 16 * 1024 * 1024;

export interface Asked {
  /** What `object` the answer must have. */
  readonly expects: string;
  readonly idempotencyKey: string | null;
}

/**
 * The object of a successful answer. Throws TollgateApiError for any other status, and
 * TollgateConnectionError when the answer is too large or is not the object that was asked for.
 */
export async function readAnswer<T>(response: Response, asked: Asked): Promise<T> {
  const value = parse(await readText(response, asked));
  if (!response.ok) throw apiError(response, value, asked.idempotencyKey);
  if (member(value, 'object') === asked.expects) return value as T;
  const { status } = response;
  const about = `The answer with status ${status} holds no ${asked.expects}; check baseUrl.`;
  throw unusable(about, asked);
}

function unusable(message: string, { idempotencyKey }: Asked): TollgateConnectionError {
  return new TollgateConnectionError(message, { reason: 'answer', idempotencyKey });
}

async function readText(response: Response, asked: Asked): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let read = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return read + decoder.decode();
    bytes += value.byteLength;
    if (bytes > ANSWER_MAX_BYTES) {
      await reader.cancel();
      throw unusable(`The answer is larger than ${ANSWER_MAX_BYTES} bytes.`, asked);
    }
    read += decoder.decode(value, { stream: true });
  }
}

function apiError(response: Response, value: unknown, key: string | null): TollgateApiError {
  const { status, headers } = response;
  const error = member(value, 'error');
  return new TollgateApiError({
    status,
    // These come from the service's catalogue; what they may be is for the compiler's use.
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

/** What can be said of an answer that is not one of Tollgate's own. */
function explain(status: number): string {
  if (status >= 400) return `The answer has status ${status} and no explanation.`;
  return `The answer has status ${status} and leads elsewhere, which is not followed; check baseUrl.`;
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
    // What is not JSON has none of the members that are looked for.
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
