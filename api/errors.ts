/** Responses to errors: refusals from the catalogue, and 500 for our own errors. */
import type { Context, Middleware, Next } from 'koa';
import { publish } from '../facts.ts';
import { CATALOGUE, Refusal, unavailable } from '../operations/refusal.ts';
import { isUnavailable } from '../store/mongo.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import type { ApiOptions, ApiState } from './call.ts';

/** Returns the response to a refusal. With `problem` it has the form of RFC 9457. */
export function renderError(
  { code, message, errors }: Refusal,
  { apiUrl, requestId, problem }: { apiUrl: string; requestId: string; problem: boolean },
): { readonly status: number; readonly contentType: string; readonly text: string } {
  const { status, type, message: title } = CATALOGUE[code];
  const docUrl = `${apiUrl}/docs#${code}`;
  const fields = { param: errors[0]?.param ?? null, errors };
  const request_id = requestId;
  const body = problem
    ? {
        type: docUrl,
        title,
        status,
        detail: message,
        error_type: type,
        code,
        ...fields,
        request_id,
      }
    : { error: { type, code, message, ...fields, doc_url: docUrl, request_id } };
  const contentType = problem ? 'application/problem+json' : 'application/json; charset=utf-8';
  return { status, contentType, text: JSON.stringify(body) };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error) || error instanceof TemporalUnavailable) return unavailable();
  return new Refusal('internal_error');
}

/** Matches a word of our paths, such as `openapi.json`, or an id. */
const LOGGABLE = /^(?:v1|[a-z_.]{0,24}|[a-z]{2,3}_[0-9A-HJKMNP-TV-Z]{26})$/;

/**
 * Returns a path for the log. Keeps only words of our paths and ids, because a caller can put
 * anything into a path, such as a key or a card number.
 */
export function pathForLog(path: string): string {
  return path
    .split('/')
    .map((part) => (LOGGABLE.test(part) ? part : '*'))
    .join('/');
}

/**
 * Responds to any error that the next middleware throws, as RFC 9457 if the client prefers that.
 * Logs our own errors in full. The response has no details of them.
 */
export function handleErrors({ apiUrl, log }: ApiOptions): Middleware<ApiState> {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state as ApiState;
      const refusal = refusalOf(error);
      const { code, message } = refusal;
      (ctx.state as ApiState).refused = { code, message };
      publish('refused', { code });
      const path = pathForLog(ctx.path);
      const about = { err: error, request_id: requestId, method: ctx.method, path };
      if (refusal.code === 'internal_error') log.error(about, 'a request failed');
      if (refusal.code === 'unavailable') log.warn(about, 'a dependency is unavailable');
      const accepted = ctx.accepts('application/json', 'application/problem+json');
      const problem = accepted === 'application/problem+json';
      const { status, contentType, text } = renderError(refusal, { apiUrl, requestId, problem });
      ctx.status = status;
      ctx.set({ ...refusal.headers, 'Content-Type': contentType });
      ctx.body = text;
    }
  };
}
