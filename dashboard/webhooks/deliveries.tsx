/** The deliveries of an endpoint, newest first. */
import { DELIVERY_STATES } from '../../domain/delivery.ts';
import type { DeliveryState } from '../../domain/delivery.ts';
import { shownUrl } from '../../domain/endpoint.ts';
import { isId } from '../../domain/id.ts';
import { listDeliveries } from '../../store/deliveries.ts';
import type { DeliveryLine } from '../../store/deliveries.ts';
import { namedEvents } from '../../store/selection.ts';
import { Page, Time } from '../layout.tsx';
import { Pager, Select, Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { ownEndpoint } from './own.ts';
import { DeliveryBadge, EndpointLinks, Outcome } from './parts.tsx';

const PAGE_ROWS = 25;

/** `GET /webhooks/:id/deliveries?state=failed&after=dlv_...` */
export async function showDeliveries(request: StaffRequest): Promise<Result> {
  const { t, services, ctx } = request;
  const { m, _id: endpoint_id, url } = await ownEndpoint(request);
  const { state, after } = readQuery(request);
  const filter = { m, endpoint_id, ...(state && { state }) };
  const found = await listDeliveries(services.mongo, filter, {
    below: after,
    limit: PAGE_ROWS + 1,
  });
  const shown = found.slice(0, PAGE_ROWS);
  const types = await typesOf(request, shown);
  const next = new URLSearchParams({ ...(state && { state }), after: shown.at(-1)?._id ?? '' });
  const sameRows = new URLSearchParams({
    kind: 'deliveries',
    endpoint: endpoint_id,
    ...(state && { status: state }),
  });
  return {
    page: (
      <Page request={request} title={t('hooks.deliveries')} aside={shownUrl(url)}>
        <EndpointLinks request={request} id={endpoint_id} />
        <StateFilter request={request} chosen={state} />
        {shown.length === 0 ? (
          <p class="empty">{t('hooks.no_deliveries')}</p>
        ) : (
          <DeliveryTable request={request} of={shown} types={types} />
        )}
        <Pager
          request={request}
          newest={after !== undefined && (state ? `${ctx.path}?state=${state}` : ctx.path)}
          older={found.length > PAGE_ROWS && `${ctx.path}?${next}`}
        />
        {shown.length > 0 && (
          <p>
            <a href={`/exports?${sameRows}#export-deliveries`}>{t('payments.export')}</a>
          </p>
        )}
      </Page>
    ),
  };
}

/** Returns the filter and the cursor of the address. Throws 404 for malformed ones. */
function readQuery({ ctx }: StaffRequest): {
  state: DeliveryState | undefined;
  after: string | undefined;
} {
  const { state = '', after } = ctx.query;
  const known = DELIVERY_STATES.find((each) => each === state);
  if (known === undefined && state !== '') ctx.throw(404);
  if (after === undefined) return { state: known, after };
  const isCursor = typeof after === 'string' && isId('delivery', after);
  return { state: known, after: isCursor ? after : ctx.throw(404) };
}

function StateFilter({
  request,
  chosen,
}: {
  request: StaffRequest;
  chosen: DeliveryState | undefined;
}) {
  const { t, ctx } = request;
  return (
    <form method="get" action={ctx.path} class="filters">
      <Select
        id="state"
        label={t('delivery.state')}
        options={[
          ['', t('hooks.any_state')],
          ...DELIVERY_STATES.map(
            (state) =>
              [
                state,
                t(state === 'pending' ? 'hooks.pending' : `delivery_state.${state}`),
              ] as const,
          ),
        ]}
        chosen={chosen}
      />
      <button>{t('hooks.filter')}</button>
    </form>
  );
}

interface TableProps {
  readonly request: StaffRequest;
  readonly of: readonly DeliveryLine[];
  /** The types of events by their ids. */
  readonly types: ReadonlyMap<string, string>;
}

function DeliveryTable({ request, of, types }: TableProps) {
  const { t } = request;
  return (
    <Table
      head={[
        t('delivery.state'),
        t('delivery.created'),
        t('delivery.event'),
        [t('delivery.attempts'), 'number'],
        t('delivery.result'),
        t('delivery.next'),
      ]}
    >
      {of.map(({ _id: id, event_id, state, attempts, next_attempt_at: next, created_at }) => (
        <tr key={id}>
          <td>
            <DeliveryBadge request={request} of={{ state, attempts }} />
          </td>
          <td>
            <a href={`/deliveries/${id}`}>
              <Time request={request} at={created_at} exact />
            </a>
          </td>
          <td>{types.get(event_id) ?? event_id}</td>
          <td class="number">{attempts.length}</td>
          <td>
            <Outcome request={request} of={attempts.at(-1)} />
          </td>
          <td>{next ? <Time request={request} at={next} exact /> : t('none')}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Returns the types of the deliveries' events by their ids. */
async function typesOf({ services, tenant }: StaffRequest, lines: readonly DeliveryLine[]) {
  const ids = lines.map(({ event_id }) => event_id);
  const events = await namedEvents(services.mongo, tenant, ids);
  return new Map<string, string>(events.map(({ _id, type }) => [_id, type]));
}
