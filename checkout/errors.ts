/** Errors as pages, in the customer's language and without internal details. */
import type { Context, Middleware } from 'koa';
import { handleErrors } from '../http/pages.ts';
import { isUnavailable } from '../store/mongo.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import { chooseLocale, keepLanguage, makeContext } from './context.ts';
import { renderError } from './pages/error.tsx';
import type { ErrorKind } from './pages/error.tsx';
import type { Services } from './request.ts';
import { readLocale } from './text.ts';

/** Matches the address of a page at the beginning of a path. */
const PAGE_PATH = /^\/(?:c\/[\w-]+|bank\/\w+\/\w+\/[\w-]+)(?=\/|$)/;

/** Creates the middleware that responds to every thrown error, and logs every 5xx. */
export function pageErrors(services: Services): Middleware {
  return handleErrors({
    log: services.log,
    statusOf: (error) =>
      isUnavailable(error) || error instanceof TemporalUnavailable ? 503 : undefined,
    render: (ctx, status) => renderStatus(services, ctx, status),
  });
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
  if (status === 429) return 'too_many';
  if (status === 503) return 'unavailable';
  return status < 500 ? 'form' : 'fault';
}
