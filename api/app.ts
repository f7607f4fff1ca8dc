/** The merchant's JSON API as one Koa app: the middlewares of every request, in their order. */
import Koa from 'koa';
import type { Middleware } from 'koa';
import { measureRequests } from '../http/measure.ts';
import { senderOf } from '../http/sender.ts';
import { mintId } from '../store/mint.ts';
import { traceRequests } from '../tracing/requests.ts';
import { VERSION } from '../version.ts';
import { makeAuthenticate } from './auth.ts';
import type { ApiOptions, ApiState } from './call.ts';
import { makeDocuments } from './documents.ts';
import { handleErrors, pathForLog } from './errors.ts';
import { makeReadiness } from './health.ts';
import { limitHead } from './limits.ts';
import { makeOpenApi } from './openapi.ts';
import { limitStrangers, makeLimiters } from './rate.ts';
import { noteRequests } from './requestlog.ts';
import { makeRouter } from './routes.ts';
import { makeAdmit } from './share.ts';
import { refuseUnrouted } from './unrouted.ts';

export type { ApiOptions } from './call.ts';
export { refuseFrom } from './limits.ts';

/**
 * Creates the app, to be served as `serve({ handle: app.callback(), refuse: refuseFrom(apiUrl) })`.
 * The caller opens and closes the connections to the dependencies.
 */
export function createApi(options: ApiOptions): Koa<ApiState> {
  const { trustedHops } = options.limits;
  // Each of our proxies adds one address to X-Forwarded-For. A client can forge the others.
  const app = new Koa<ApiState>({ proxy: trustedHops > 0, maxIpsCount: trustedHops });
  const limiters = makeLimiters(options.limits);
  const guards = { limiters, admit: makeAdmit(), authenticate: makeAuthenticate(options) };
  const openApi = makeOpenApi({ apiUrl: options.apiUrl, version: VERSION });
  const documents = makeDocuments(openApi, options);
  const getReadiness = makeReadiness(options);
  app.on('error', (error: unknown) => {
    options.log.warn({ err: error }, 'a response could not be sent');
  });
  app.use(measureRequests('api'));
  app.use(nameRequest);
  app.use(traceRequests({ accepts: true }));
  app.use(logRequests(options));
  app.use(noteRequests(options.requestLog));
  app.use(handleErrors(options));
  app.use(limitStrangers(limiters));
  app.use(limitHead);
  app.use(makeRouter({ api: options, guards, documents, getReadiness }).routes());
  app.use(refuseUnrouted);
  return app;
}

/** Responses are data for one client: nothing may store or frame them, or guess their type. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** Sets `Request-Id` on every response. Changes that the request makes are recorded with it. */
const nameRequest: Middleware<ApiState> = async (ctx, next) => {
  ctx.state.requestId = mintId('request');
  ctx.set({ ...HEADERS, 'Request-Id': ctx.state.requestId });
  await next();
};

/**
 * Logs one line for each request: its key's id, its sender and its result. Never logs the key, the
 * query string or the body, because they belong to the merchant.
 */
function logRequests({ log }: ApiOptions): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const { method, status } = ctx;
    const { requestId: request_id, tenant, keyId: key_id } = ctx.state;
    const path = pathForLog(ctx.path);
    const ms = Math.round(performance.now() - startedMs);
    const from = senderOf(ctx.ip);
    log.info({ request_id, m: tenant, key_id, from, method, path, status, ms }, 'request');
  };
}
