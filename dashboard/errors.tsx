/** Errors as pages, in the reader's language and without internal details. */
import type { Context, Middleware } from 'koa';
import { handleErrors } from '../http/pages.ts';
import { isUnavailable } from '../store/mongo.ts';
import { Refusal } from '../operations/refusal.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import { renderDocument } from '../ui/document.tsx';
import { PlainPage } from './layout.tsx';
import { makeRequest } from './request.ts';
import type { Services } from './request.ts';
import { chooseLocale, readLocale } from './text.ts';

/** Creates the middleware that responds to every thrown error, and logs every 5xx. */
export function pageErrors(services: Services): Middleware {
  return handleErrors({
    log: services.log,
    statusOf,
    render: (ctx, status) => renderStatus(services, ctx, status),
  });
}

function renderStatus(services: Services, ctx: Context, status: number): string {
  const locale = readLocale(ctx.state['locale']) ?? chooseLocale(ctx);
  const request = makeRequest(services, ctx, { locale, params: {} });
  const { t } = request;
  const kind = kindOf(status);
  return renderDocument(
    <PlainPage request={request} title={t(`error.${kind}.title`)}>
      <p>{t(`error.${kind}.text`)}</p>
      <p>
        <a href="/">{t('error.home')}</a>
      </p>
    </PlainPage>,
  );
}

function statusOf(error: unknown): number | undefined {
  if (isUnavailable(error) || error instanceof TemporalUnavailable) return 503;
  if (!(error instanceof Refusal)) return undefined;
  // A refused query, such as the cursor of another list. Refused forms are shown again instead.
  return error.code === 'unavailable' ? 503 : 404;
}

function kindOf(status: number): 'missing' | 'forbidden' | 'unavailable' | 'form' | 'fault' {
  if (status === 404 || status === 414 || status === 405) return 'missing';
  if (status === 403) return 'forbidden';
  if (status === 503 || status === 429) return 'unavailable';
  return status < 500 ? 'form' : 'fault';
}
