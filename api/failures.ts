/**
 * Responds to errors. A refusal is in the catalogue. A fault of ours is logged in full, and the
 * response has nothing of it.
 */
import type { Context, Middleware, Next } from 'koa';
import { Refusal, unavailable } from '../operations/refusal.ts';
import { isUnavailable } from '../store/mongo.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import type { ApiOptions, ApiState } from './call.ts';
import { renderError } from './errors.ts';

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error) || error instanceof TemporalUnavailable) return unavailable();
  return new Refusal('internal_error');
}

/** A word of our addresses, such as `openapi.json`, or an id. */
const LOGGABLE = /^(?:v1|[a-z_.]{0,24}|[a-z]{2,3}_[0-9A-HJKMNP-TV-Z]{26})$/;

/**
 * Returns a path for the log. Keeps only words of our addresses and ids, because a caller can put
 * anything into a path, such as a key or a card number.
 */
export function pathForLog(path: string): string {
  return path
    .split('/')
    .map((part) => (LOGGABLE.test(part) ? part : '*'))
    .join('/');
}

/** Responds to any error that the next middleware throws, as RFC 9457 if the client prefers that. */
export function answerErrors({ apiUrl, log }: ApiOptions): Middleware<ApiState> {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (error) {
      const { method } = ctx;
      const path = pathForLog(ctx.path);
      const { requestId } = ctx.state as ApiState;
      const refusal = refusalOf(error);
      const about = { err: error, request_id: requestId, method, path };
      if (refusal.code === 'internal_error') log.error(about, 'a request failed');
      if (refusal.code === 'unavailable') log.warn(about, 'a dependency is unavailable');
      const wanted = ctx.accepts('application/json', 'application/problem+json');
      const problem = wanted === 'application/problem+json';
      const answer = renderError(refusal, { apiUrl, requestId, problem });
      ctx.status = answer.status;
      ctx.set({ ...refusal.headers, 'Content-Type': answer.contentType });
      ctx.body = answer.text;
    }
  };
}
