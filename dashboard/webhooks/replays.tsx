/** Sending many events to one endpoint again: what was not accepted, or all of a window. */
import { shownUrl } from '../../domain/endpoint.ts';
import { REPEATABLE_STATES } from '../../domain/replay.ts';
import type { Replay } from '../../domain/replay.ts';
import * as replays from '../../operations/replay.ts';
import { readPage } from '../../store/page.ts';
import { ActionForm, Field, Page, Time } from '../layout.tsx';
import { Badge, Table, Tabs } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { refusalText } from '../text.ts';
import { EventChoice } from './events.tsx';
import { ownEndpoint } from './own.ts';
import { EndpointLinks } from './parts.tsx';
import { fieldTime, KINDS, readKind, readWindow } from './window.ts';
import type { Kind } from './window.ts';

const LISTED = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The events that a replay would send. */
interface Counted {
  readonly total: number;
  readonly left_out: number;
}

/** `GET /webhooks/:id/replays?kind=events` */
export async function showReplays(request: StaffRequest): Promise<Result> {
  return { page: await replaysPage(request) };
}

async function replaysPage(request: StaffRequest, counted?: Counted) {
  const { t, services, may } = request;
  const endpoint = await ownEndpoint(request);
  const { m, _id: endpoint_id } = endpoint;
  const query = { filter: { m, endpoint_id }, limit: LISTED };
  const { rows } = await readPage(services.mongo.replays, query);
  const isOpen = may('deliveries.resend') && endpoint.status === 'enabled';
  return (
    <Page request={request} title={t('hooks.replays')} aside={shownUrl(endpoint.url)}>
      <EndpointLinks request={request} id={endpoint_id} />
      {counted && (
        <p class="notice" role="status" id="counted">
          {t('replay.counted', { total: counted.total, left: counted.left_out })}
        </p>
      )}
      {isOpen && (
        <StartForm request={request} id={endpoint_id} newest={rows[0]?._id ?? ''}>
          {endpoint.enabled_events}
        </StartForm>
      )}
      {endpoint.status !== 'enabled' && <p>{t('replay.disabled')}</p>}
      {rows.length > 0 && <ReplayTable request={request} of={rows} />}
    </Page>
  );
}

interface StartProps {
  readonly request: StaffRequest;
  readonly id: string;
  /** The newest replay that the reader sees; empty if there is none. */
  readonly newest: string;
  /** The events that the endpoint subscribes to. */
  readonly children: readonly string[];
}

function StartForm({ request, id, newest, children: events }: StartProps) {
  const { t, ctx, form, now } = request;
  const kind = readKind(form.get('kind') || ctx.query['kind']);
  const { since } = ctx.query;
  const given = typeof since === 'string' ? new Date(since) : undefined;
  const from = given && !Number.isNaN(given.getTime()) ? given : new Date(now.getTime() - DAY_MS);
  return (
    <section aria-label={t(`replay.${kind}`)}>
      <KindLinks request={request} chosen={kind} id={id} />
      <p class="hint">{t(`replay.${kind}_hint`)}</p>
      <ActionForm request={request} to={`/webhooks/${id}/replays`}>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="newest" value={newest} />
        {kind === 'events' ? (
          <EventChoice request={request} chosen={events} />
        ) : (
          <StateChoice request={request} />
        )}
        <TimeField request={request} name="since" value={fieldTime(from)} />
        <TimeField request={request} name="until" />
        <p class="buttons">
          <button class="main-button" name="step" value="start">
            {t('replay.start')}
          </button>
          <button name="step" value="count">
            {t('replay.count')}
          </button>
        </p>
      </ActionForm>
    </section>
  );
}

function KindLinks({ request, chosen, id }: { request: StaffRequest; chosen: Kind; id: string }) {
  const { t } = request;
  return (
    <Tabs
      label={t('hooks.replays')}
      places={KINDS.map((kind) => ({
        to: `/webhooks/${id}/replays?kind=${kind}`,
        text: t(`replay.${kind}`),
        isHere: kind === chosen,
      }))}
    />
  );
}

function TimeField({
  request,
  name,
  value,
}: {
  request: StaffRequest;
  name: 'since' | 'until';
  value?: string;
}) {
  const input = { type: 'datetime-local', step: 1, ...(value && { value }) } as const;
  const hint = name === 'until' ? ({ hint: 'replay.until_hint' } as const) : {};
  return <Field request={request} name={name} label={`replay.${name}`} {...hint} input={input} />;
}

function StateChoice({ request }: { request: StaffRequest }) {
  const { t, ctx, form, refusal } = request;
  const asked = [ctx.query['state'] ?? 'failed'].flat();
  const sent = form.all('state');
  const checked: readonly string[] = sent.length > 0 ? sent : asked;
  const error = refusal?.errors.find(({ param }) => param === 'state');
  return (
    <fieldset id="state" class="choice">
      <legend>{t('delivery.state')}</legend>
      {error && <p class="wrong">{refusalText(error)}</p>}
      {REPEATABLE_STATES.map((state) => (
        <label key={state} class="check">
          <input type="checkbox" name="state" value={state} checked={checked.includes(state)} />
          {t(`delivery_state.${state}`)}
        </label>
      ))}
    </fieldset>
  );
}

function ReplayTable({ request, of }: { request: StaffRequest; of: readonly Replay[] }) {
  const { t } = request;
  const head = ['started', 'kind', 'status', 'progress'] as const;
  return (
    <Table head={head.map((name) => t(`replay.${name}`))}>
      {of.map(({ _id: id, created_at, selection, status, sent, total }) => (
        <tr key={id}>
          <td>
            <a href={`/replays/${id}`}>
              <Time request={request} at={created_at} exact />
            </a>
          </td>
          <td>{t(`replay.${selection.kind}`)}</td>
          <td>
            <Badge kind={status}>{t(`replay_status.${status}`)}</Badge>
          </td>
          <td>{t('replay.sent', { sent, total })}</td>
        </tr>
      ))}
    </Table>
  );
}

/** `POST /webhooks/:id/replays`: counts what would be sent, or starts to send it. */
export async function startReplay(request: StaffRequest): Promise<Result> {
  const { operations, services, form, now } = request;
  const { _id: id } = await ownEndpoint(request);
  const wanted = readWindow(form, id, now);
  if (form.get('step') === 'count') {
    const counted = (await replays.countReplay(operations, wanted)) as unknown as Counted;
    return { page: await replaysPage(request, counted) };
  }
  const withTemporal = { ...operations, temporal: services.temporal };
  const asked = { ...wanted, newest: form.get('newest') };
  const { id: made } = (await replays.startReplay(withTemporal, asked)) as { id: string | null };
  if (made === null) return { to: `/webhooks/${id}/replays`, done: 'replay_empty' };
  return { to: `/replays/${made}` };
}
