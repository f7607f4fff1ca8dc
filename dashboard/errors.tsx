/** Errors as pages, in the reader's language and without internal details. */
import type { Middleware } from 'koa';
import { isUnavailable } from '../store/mongo.ts';
import { Refusal } from '../operations/refusal.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import { renderDocument } from '../ui/document.tsx';
import { PlainPage } from './layout.tsx';
import { makeRequest } from './request.ts';
import type { Services } from './request.ts';
import { chooseLocale, readLocale } from './text.ts';

/** The `Retry-After` of a 503, in seconds. */
const RETRY_AFTER_SECONDS = 5;

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
      const locale = readLocale(ctx.state['locale']) ?? chooseLocale(ctx);
      const request = makeRequest(services, ctx, { locale, params: {} });
      const { t } = request;
      const kind = kindOf(status);
      ctx.status = status;
      ctx.type = 'html';
      ctx.body = renderDocument(
        <PlainPage request={request} title={t(`error.${kind}.title`)}>
          <p>{t(`error.${kind}.text`)}</p>
          <p>
            <a href="/">{t('error.home')}</a>
          </p>
        </PlainPage>,
      );
    }
  };
}

function statusOf(error: unknown): number {
  if (isUnavailable(error) || error instanceof TemporalUnavailable) return 503;
  // A refused query, such as the cursor of another list. Refused forms are shown again instead.
  if (error instanceof Refusal) return error.code === 'unavailable' ? 503 : 404;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function kindOf(status: number): 'missing' | 'forbidden' | 'unavailable' | 'form' | 'fault' {
  if (status === 404 || status === 414 || status === 405) return 'missing';
  if (status === 403) return 'forbidden';
  if (status === 503 || status === 429) return 'unavailable';
  return status < 500 ? 'form' : 'fault';
}
