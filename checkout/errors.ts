/** Errors as pages, in the customer's language and without internal details. */
import type { Context, Middleware } from 'koa';
import { isUnavailable } from '../store/mongo.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import { chooseLocale, keepLanguage, makeContext } from './context.ts';
import { renderError } from './pages/error.tsx';
import type { ErrorKind } from './pages/error.tsx';
import type { Services } from './request.ts';
import { readLocale } from './text.ts';

/** The `Retry-After` of a 503, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Matches the address of a page at the beginning of a path. */
const PAGE_PATH = /^\/(?:c\/[\w-]+|bank\/\w+\/\w+\/[\w-]+)(?=\/|$)/;

/** Creates the middleware that responds to every thrown error, and logs every 5xx. */
export function handleErrors(services: Services): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const status = statusOf(error);
      if (status >= 500) {
        const message = status === 503 ? 'a dependency is unavailable' : 'a request failed';
        services.log.error({ err: error }, message);
        if (status === 503) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      }
      // The unread rest of a body must not be parsed as the next request.
      if (status === 413) ctx.set('Connection', 'close');
      ctx.status = status;
      ctx.type = 'html';
      ctx.body = renderStatus(services, ctx, status);
    }
  };
}

function statusOf(error: unknown): number {
  if (isUnavailable(error) || error instanceof TemporalUnavailable) return 503;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function renderStatus({ addresses, assets }: Services, ctx: Context, status: number): string {
  const path = status === 404 ? undefined : PAGE_PATH.exec(ctx.path)?.[0];
  const self = path === undefined ? '' : addresses.base + path;
  const locale = readLocale(ctx.state['locale']) ?? chooseLocale(ctx);
  const retryHref = self === '' ? undefined : keepLanguage(ctx, self);
  return renderError(makeContext({ locale, assets, self }), kindOf(status), retryHref);
}

function kindOf(status: number): ErrorKind {
  if (status === 404 || status === 414) return 'not_found';
  if (status === 405) return 'method';
  if (status === 503 || status === 429) return 'unavailable';
  return status < 500 ? 'form' : 'fault';
}
