/** The merchant's JSON interface as one Koa app: what every request goes through, from the top. */
import Koa from 'koa';
import type { Middleware } from 'koa';
import { senderOf } from '../http/sender.ts';
import { mintId } from '../store/mint.ts';
import { VERSION } from '../version.ts';
import { makeAuthenticate } from './auth.ts';
import type { ApiOptions, ApiState } from './call.ts';
import { makeDocuments } from './documents.ts';
import { answerErrors, pathForLog } from './failures.ts';
import { makeReadinessCheck } from './health.ts';
import { limitHead } from './limits.ts';
import { makeOpenApi } from './openapi.ts';
import { limitStrangers, makeLimiters, slowFloods } from './rate.ts';
import { makeRouter, refuseUnrouted } from './routes.ts';
import { makeShares } from './share.ts';

export type { ApiOptions } from './call.ts';
export { refuseFrom } from './limits.ts';

/**
 * Creates the app, to be served as `serve({ handle: app.callback(), refuse: refuseFrom(apiUrl) })`.
 * Opens and closes no connection: that is up to the caller.
 */
export function createApi(options: ApiOptions): Koa<ApiState> {
  const { trustedHops } = options.limits;
  // Without proxies of ours anybody can write X-Forwarded-For; with them, each adds one address.
  const app = new Koa<ApiState>({ proxy: trustedHops > 0, maxIpsCount: trustedHops });
  const limiters = makeLimiters(options.limits);
  const shares = makeShares();
  const authenticate = makeAuthenticate(options);
  const openApi = makeOpenApi({ apiUrl: options.apiUrl, version: VERSION });
  const documents = makeDocuments(openApi, options.docsPage);
  const readiness = makeReadinessCheck(options);
  app.on('error', (error: unknown) => {
    options.log.warn({ err: error }, 'a response could not be sent');
  });
  app.use(nameRequest);
  app.use(logRequests(options));
  app.use(answerErrors(options));
  app.use(slowFloods());
  app.use(limitStrangers(limiters));
  app.use(limitHead);
  const doors = { limiters, shares, authenticate };
  app.use(makeRouter({ ...options, documents, readiness }, doors).routes());
  app.use(refuseUnrouted);
  return app;
}

/** Answers are data for one caller: nothing may store, frame or guess at them. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** `Request-Id` on every answer; a change that the request causes carries the same id. */
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
    const begun = performance.now();
    await next();
    const { method, status } = ctx;
    const { requestId: request_id, m, keyId: key_id } = ctx.state;
    const path = pathForLog(ctx.path);
    const ms = Math.round(performance.now() - begun);
    const from = senderOf(ctx.ip);
    log.info({ request_id, m, key_id, from, method, path, status, ms }, 'request');
  };
}
