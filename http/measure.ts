/** Reports each request of a Koa app, for metrics. */
import type { Middleware } from 'koa';
import { publish } from '../facts.ts';

/** Creates the outermost middleware of an app, which publishes each request and its duration. */
export function measureRequests(service: 'api' | 'checkout' | 'dashboard'): Middleware {
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const route: unknown = ctx['_matchedRoute'];
    publish('request', {
      service,
      method: ctx.method,
      // The pattern, never the path: paths contain ids and secrets.
      route: typeof route === 'string' ? route : null,
      status: ctx.status,
      durationMs: performance.now() - startedMs,
      isReplay: ctx.response.get('Idempotent-Replayed') === 'true',
    });
  };
}
