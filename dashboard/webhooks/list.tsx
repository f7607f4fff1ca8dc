/** The merchant's endpoints with their health, and the form that registers one. */
import { MAX_ENDPOINTS, shownUrl } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import * as endpoints from '../../operations/create-endpoint.ts';
import { listEndpoints, newestOf } from '../../store/endpoints.ts';
import { NO_FORM } from '../form.ts';
import { ActionForm, ConfirmField, Field, Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { endpointPage } from './endpoint.tsx';
import { chosenEvents, EventChoice } from './events.tsx';
import { HealthOf, readHealth } from './health.tsx';
import type { ShownHealth } from './health.tsx';
import { EndpointBadge } from './parts.tsx';

/** The deliveries of each endpoint that its health is computed from: at most 16 times as many. */
const HEALTH_ROWS = 40;

/** `GET /webhooks` */
export async function showEndpoints(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, may } = request;
  const all = await listEndpoints(services.mongo, tenant);
  const shown = await Promise.all(
    all.map(async (endpoint) => ({
      endpoint,
      health: await readHealth(request, endpoint, HEALTH_ROWS),
    })),
  );
  return {
    page: (
      <Page
        request={request}
        title={t('menu.webhooks')}
        aside={
          may('deliveries.read') && (
            <a class="button" href="/webhooks/explain">
              {t('explain.title')}
            </a>
          )
        }
      >
        {all.length === 0 && <p class="empty">{t('hooks.empty')}</p>}
        {shown.map(({ endpoint, health }) => (
          <Card key={endpoint._id} request={request} endpoint={endpoint} health={health} />
        ))}
        {may('endpoints.write') && all.length < MAX_ENDPOINTS && (
          <Registration request={request} all={all} />
        )}
      </Page>
    ),
  };
}

interface CardProps {
  readonly request: StaffRequest;
  readonly endpoint: Endpoint;
  readonly health: ShownHealth;
}

function Card({ request, endpoint, health }: CardProps) {
  const { t, may } = request;
  const { _id: id, url, description, enabled_events: events } = endpoint;
  return (
    <section id={id}>
      <h2 class="head">
        <a href={`/webhooks/${id}`}>{shownUrl(url)}</a>
        <EndpointBadge request={request} of={endpoint} />
      </h2>
      {description && <p>{description}</p>}
      <p class="hint">{events.includes('*') ? t('hooks.all_events') : events.join(', ')}</p>
      <HealthOf request={request} endpoint={endpoint} health={health} />
      {may('deliveries.read') && (
        <p>
          <a href={`/webhooks/${id}/deliveries`}>{t('hooks.deliveries')}</a>
        </p>
      )}
    </section>
  );
}

/** Folded if there are endpoints, unless it is shown again with the reason of its refusal. */
function Registration({ request, all }: { request: StaffRequest; all: readonly Endpoint[] }) {
  const { t } = request;
  return (
    <section>
      <details class="fold" open={all.length === 0 || request.refusal !== undefined}>
        <summary>{t('hooks.create')}</summary>
        <ActionForm request={request} to="/webhooks">
          <input type="hidden" name="newest" value={newestOf(all)} />
          <Field
            request={request}
            name="url"
            label="hooks.url"
            hint="hooks.url_hint"
            input={{ type: 'url', autocomplete: 'off', required: true }}
          />
          <Field request={request} name="description" label="hooks.description" />
          <EventChoice request={request} chosen={['*']} />
          <ConfirmField request={request} />
          <button class="main-button">{t('hooks.create')}</button>
        </ActionForm>
      </details>
    </section>
  );
}

/** `POST /webhooks`. The secret is shown once, in the response. */
export async function createEndpoint(request: StaffRequest): Promise<Result> {
  const { operations, merchant, form } = request;
  const description = form.get('description');
  const { id, secret } = await endpoints.createEndpoint(operations, {
    merchant: merchant._id,
    url: form.get('url'),
    events: chosenEvents(form),
    newest: form.get('newest'),
    ...(description && { description }),
  });
  const shown = { ...request, params: { id }, form: NO_FORM };
  return { page: await endpointPage(shown, { secret }) };
}
