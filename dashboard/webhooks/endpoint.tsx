/** One endpoint: its state, its secrets, its health, and the result of a test event. */
import { shownUrl } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { Copy, Page, Time } from '../layout.tsx';
import { Facts } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { EndpointForms } from './forms.tsx';
import { HealthOf, readHealth } from './health.tsx';
import { ownEndpoint } from './own.ts';
import { EndpointBadge, EndpointLinks } from './parts.tsx';
import { readTest, TestResult } from './test-event.tsx';

/** The deliveries of the last day that the health is computed from. */
const HEALTH_ROWS = 200;

/** `GET /webhooks/:id?test=dlv_...`: waits a moment for the result of the test event. */
export async function showEndpoint(request: StaffRequest): Promise<Result> {
  return { page: await endpointPage(request) };
}

/** Returns the page, with the new secret if there is one: it is never shown again. */
export async function endpointPage(request: StaffRequest, { secret }: { secret?: string } = {}) {
  const { t, may } = request;
  const endpoint = await ownEndpoint(request);
  const test = await readTest(request, endpoint);
  const health = await readHealth(request, endpoint, HEALTH_ROWS);
  return (
    <Page
      request={request}
      title={shownUrl(endpoint.url)}
      status={<EndpointBadge request={request} of={endpoint} />}
    >
      <EndpointLinks request={request} id={endpoint._id} />
      {secret !== undefined && <FreshSecret request={request} secret={secret} />}
      {test && <TestResult request={request} of={test} />}
      <EndpointFacts request={request} of={endpoint} />
      <section>
        <h2>{t('hooks.health')}</h2>
        <HealthOf request={request} endpoint={endpoint} health={health} />
      </section>
      {may('endpoints.write') && <EndpointForms request={request} of={endpoint} />}
    </Page>
  );
}

function FreshSecret({ request, secret }: { request: StaffRequest; secret: string }) {
  return (
    <div class="notice notice-good" role="status" id="fresh-secret">
      <p>{request.t('hooks.fresh')}</p>
      <Copy request={request} text={secret} />
    </div>
  );
}

function EndpointFacts({ request, of }: { request: StaffRequest; of: Endpoint }) {
  const { t, now } = request;
  const { _id: id, description, enabled_events: events, secret_hint: hint, created_at } = of;
  const old = (of.previous_secrets ?? []).filter(({ expires_at: end }) => end > now);
  const secrets = (
    <>
      <code>{`whsec_...${hint}`}</code>
      {old.map((each) => (
        <p key={each.hint} class="hint">
          <code>{`whsec_...${each.hint}`}</code> {t('hooks.signs_until')}{' '}
          <Time request={request} at={each.expires_at} />
        </p>
      ))}
    </>
  );
  return (
    <Facts
      of={[
        [t('hooks.id'), <Copy request={request} text={id} />],
        ...(description ? [[t('hooks.description'), description] as const] : []),
        [t('hooks.events'), events.includes('*') ? t('hooks.all_events') : events.join(', ')],
        [t('hooks.secret'), secrets],
        [t('keys.created'), <Time request={request} at={created_at} />],
      ]}
    />
  );
}
