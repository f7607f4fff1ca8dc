/** The check of an endpoint's receiver: the button, and the report of the last check. */
import { shownUrl } from '../../domain/endpoint.ts';
import type { Rate } from '../../http/sender.ts';
import { checkReceiver } from '../../operations/check-receiver.ts';
import { Refusal } from '../../operations/refusal.ts';
import { findCheck } from '../../store/checks.ts';
import { ActionForm, Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { CheckReport } from './check-report.tsx';
import { ownEndpoint } from './own.ts';
import { EndpointLinks } from './parts.tsx';

const CHECKS_AN_HOUR = 20;
/** The checks of one merchant. A URL may belong to somebody else, who should not be flooded. */
export const CHECKS: Rate = { perSecond: CHECKS_AN_HOUR / 3_600, burst: CHECKS_AN_HOUR };

/** `GET /webhooks/:id/check` */
export async function showCheck(request: StaffRequest): Promise<Result> {
  const { t, may, services, now } = request;
  const endpoint = await ownEndpoint(request);
  const last = await findCheck(services.mongo, endpoint);
  const path = `/webhooks/${endpoint._id}/check`;
  const isBusy = last !== null && last.busy_until > now;
  return {
    page: (
      <Page request={request} title={t('check.title')} aside={shownUrl(endpoint.url)}>
        <EndpointLinks request={request} id={endpoint._id} />
        <p>{t('check.intro')}</p>
        {isBusy && (
          <p class="notice" role="status">
            {t('check.busy')} <a href={path}>{t('check.refresh')}</a>
          </p>
        )}
        {may('endpoints.write') && (
          <ActionForm request={request} to={path}>
            <p class="hint">{t('check.hint')}</p>
            <button class="main-button">{t('check.start')}</button>
          </ActionForm>
        )}
        {last?.report ? (
          <CheckReport request={request} of={last.report} />
        ) : (
          <p id="report">{t('check.none')}</p>
        )}
      </Page>
    ),
  };
}

/** `POST /webhooks/:id/check`: waits for the report, as long as the browser waits, too. */
export async function checkEndpoint(request: StaffRequest): Promise<Result> {
  const { operations, services, tenant, ctx } = request;
  const { _id: id } = await ownEndpoint(request);
  const { isOver, resetSeconds } = await services.countCheck(tenant);
  if (isOver) {
    const message = `A merchant can check receivers ${CHECKS_AN_HOUR} times an hour.`;
    const headers = { 'Retry-After': String(resetSeconds) };
    throw new Refusal('too_many_requests', { message, headers });
  }
  const isUnwanted = (): boolean => ctx.res.closed;
  await checkReceiver({ ...operations, outbound: services.outbound }, { id, isUnwanted });
  return { to: `/webhooks/${id}/check#report` };
}
