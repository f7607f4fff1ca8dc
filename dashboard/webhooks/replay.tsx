/** The progress of one replay, and its stop. */
import { shownUrl } from '../../domain/endpoint.ts';
import * as replays from '../../operations/replay.ts';
import { findEndpoint } from '../../store/endpoints.ts';
import { ActionForm, Page, Time } from '../layout.tsx';
import { Facts } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { ownReplay } from './own.ts';

/** `GET /replays/:id` */
export async function showReplay(request: StaffRequest): Promise<Result> {
  const { t, may, services, tenant } = request;
  const replay = await ownReplay(request);
  const { _id: id, endpoint_id, selection, status, sent, total, from, until } = replay;
  const endpoint = await findEndpoint(services.mongo, tenant, endpoint_id);
  const what = selection.kind === 'events' ? selection.types : selection.states;
  const isRunning = status === 'running';
  return {
    page: (
      <Page
        request={request}
        title={t(`replay.${selection.kind}`)}
        aside={endpoint && shownUrl(endpoint.url)}
      >
        <div id="progress" {...(isRunning && { 'data-live': '' })}>
          <p>
            <label for="sent">{t(`replay_status.${status}`)}</label>
          </p>
          <p>
            <progress id="sent" value={Math.min(sent, total)} max={Math.max(total, 1)} />{' '}
            {t('replay.sent', { sent, total })}
          </p>
          {isRunning && <a href={`/replays/${id}`}>{t('replay.refresh')}</a>}
        </div>
        <Facts
          of={[
            [t('replay.what'), what.join(', ')],
            [
              t('replay.period'),
              <>
                <Time request={request} at={from} exact /> –{' '}
                <Time request={request} at={until} exact />
              </>,
            ],
            [t('replay.started'), <Time request={request} at={replay.created_at} exact />],
            [t('replay.rate'), replay.per_second],
          ]}
        />
        {endpoint && (
          <p>
            <a href={`/webhooks/${endpoint_id}/deliveries`}>{t('hooks.deliveries')}</a>
          </p>
        )}
        {may('deliveries.resend') && replay.stopped_at === undefined && (
          <ActionForm request={request} to={`/replays/${id}/stop`}>
            <p class="hint">{t('replay.stop_hint')}</p>
            <button class="danger-button">{t('replay.stop')}</button>
          </ActionForm>
        )}
      </Page>
    ),
  };
}

/** `POST /replays/:id/stop`: also stops its deliveries that were not sent yet. */
export async function stopReplay(request: StaffRequest): Promise<Result> {
  const { operations, services } = request;
  const { _id: id } = await ownReplay(request);
  await replays.endReplay({ ...operations, temporal: services.temporal }, { id });
  return { to: `/replays/${id}`, done: 'replay_stopped' };
}
