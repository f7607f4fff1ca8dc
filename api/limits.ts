/** The limits of a request's head, and the refusals of requests that never reach Koa. */
import type { Middleware } from 'koa';
import { publish } from '../facts.ts';
import { faultOfHead } from '../http/refuse.ts';
import type { Fault, Refuse } from '../http/refuse.ts';
import { mintId } from '../store/mint.ts';
import type { ApiState } from './call.ts';
import { Refusal } from '../operations/refusal.ts';
import { renderError } from './errors.ts';

const brokenHttp = (): Refusal =>
  new Refusal('parameter_invalid', { message: 'The request is not valid HTTP.' });

const REFUSALS: Readonly<Record<Fault, () => Refusal>> = {
  broken: brokenHttp,
  headers_too_large: () => new Refusal('headers_too_large'),
  body_too_large: () => new Refusal('body_too_large'),
  timeout: () => new Refusal('request_timeout'),
  connect: () => new Refusal('method_not_allowed', { headers: { Allow: '' } }),
};

/**
 * Returns a function that refuses broken requests from the catalogue. `apiUrl` is the base of the
 * links to the error documentation.
 */
export function refuseFrom(apiUrl: string): Refuse {
  return (fault) => {
    const refusal = REFUSALS[fault]();
    publish('refused', { code: refusal.code });
    const requestId = mintId('request');
    const about = { apiUrl, requestId, problem: false };
    const { status, contentType, text } = renderError(refusal, about);
    const headers = { 'Content-Type': contentType, 'Request-Id': requestId, ...refusal.headers };
    return { status, headers, text };
  };
}

/** Refuses unknown versions of HTTP, requests without exactly one host, and paths that are too long. */
export const limitHead: Middleware<ApiState> = async (ctx, next) => {
  const fault = faultOfHead(ctx.req);
  if (fault) throw fault === 414 ? new Refusal('uri_too_long') : brokenHttp();
  await next();
};
