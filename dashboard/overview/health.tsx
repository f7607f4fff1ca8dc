/** The state of the merchant's webhook endpoints. */
import { shownUrl } from '../../domain/endpoint.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { listEndpoints } from '../../store/endpoints.ts';
import { Time } from '../layout.tsx';
import { Badge, Table } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';

/** Returns the merchant's endpoints: 16 at most. */
export async function readHealth({ services, tenant }: StaffRequest): Promise<Endpoint[]> {
  return listEndpoints(services.mongo, tenant);
}

interface HealthProps {
  readonly request: StaffRequest;
  readonly endpoints: readonly Endpoint[];
}

export function Health({ request, endpoints }: HealthProps) {
  const { t } = request;
  return (
    <section id="health">
      <h2>{t('overview.health')}</h2>
      {endpoints.length === 0 ? (
        <p class="empty">
          {t('overview.no_endpoints')} <a href="/webhooks">{t('hooks.create')}</a>
        </p>
      ) : (
        <Table head={[t('overview.endpoint'), t('overview.state')]}>
          {endpoints.map((endpoint) => (
            <tr key={endpoint._id}>
              <th scope="row">
                <EndpointLink of={endpoint} />
              </th>
              <td>
                <State request={request} of={endpoint} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The endpoints that do not accept events, for the top of the page. Renders nothing without any. */
export function Trouble({ request, endpoints }: HealthProps) {
  const broken = endpoints.filter(({ status, disabled_reason: reason, failing_since: since }) =>
    status === 'enabled' ? since !== null : reason !== 'merchant',
  );
  if (broken.length === 0) return null;
  return (
    <div class="notice notice-bad" role="status" id="trouble">
      {broken.map((endpoint) => (
        <p key={endpoint._id}>
          {request.t('menu.webhooks')} <EndpointLink of={endpoint} page="/deliveries" />:{' '}
          <State request={request} of={endpoint} />
        </p>
      ))}
    </div>
  );
}

function EndpointLink({ of: { _id: id, url }, page = '' }: { of: Endpoint; page?: string }) {
  return (
    <a href={`/webhooks/${id}${page}`}>
      <code>{shownUrl(url)}</code>
    </a>
  );
}

function State({ request, of }: { request: StaffRequest; of: Endpoint }) {
  const { t } = request;
  const { status, disabled_reason: reason, failing_since: since } = of;
  if (status !== 'enabled' && reason === 'merchant') {
    return <Badge kind="skipped">{t('overview.disabled.merchant')}</Badge>;
  }
  if (status !== 'enabled') {
    return <strong class="bad">{t(`overview.disabled.${reason ?? 'merchant'}`)}</strong>;
  }
  if (since === null) return <Badge kind="enabled">{t('overview.works')}</Badge>;
  return (
    <strong class="bad">
      {t('overview.failing')} <Time request={request} at={since} />
    </strong>
  );
}
