/** The requests that the merchant's servers sent to the API in the last days. */
import { STATUS_CLASSES, routeOf } from '../../domain/call.ts';
import type { Call } from '../../domain/call.ts';
import { isId } from '../../domain/id.ts';
import { findCall, listCalls } from '../../store/calls.ts';
import { Copy, Time } from '../layout.tsx';
import { ObjectLink } from '../links.tsx';
import { Badge, Facts, Pager, Select, Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { DeveloperPage, PAGE_ROWS, indented, olderOf, queryOf } from './parts.tsx';

const PATH = '/developers/requests';

/** `GET /developers/requests?status=4xx&path=/v1/payments&id=req_...&after=req_...` */
export async function showRequests(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, ctx, now } = request;
  const id = queryOf(request, 'id');
  if (id !== undefined && isId('request', id)) return { to: `${PATH}/${id}` };
  const after = queryOf(request, 'after');
  if (after !== undefined && !isId('request', after)) ctx.throw(404);
  const status = STATUS_CLASSES.find((each) => each === queryOf(request, 'status'));
  const path = queryOf(request, 'path');
  const filter = { status, route: path && routeOf(path) };
  const isFiltered = status !== undefined || path !== undefined || after !== undefined;
  const page = { ...filter, limit: PAGE_ROWS, startingAfter: after, now };
  const { rows, hasMore } = await listCalls(services.mongo, tenant, page);
  return {
    page: (
      <DeveloperPage request={request} title={t('requests.title')}>
        <p class="hint">{t('requests.about')}</p>
        <Filters request={request} />
        {id !== undefined && <p role="status">{t('requests.no_such')}</p>}
        {rows.length === 0 ? (
          <p class="empty">
            {t(isFiltered ? 'requests.empty' : 'requests.none')}{' '}
            {!isFiltered && <a href="/keys">{t('menu.keys')}</a>}
          </p>
        ) : (
          <RequestTable request={request} rows={rows} />
        )}
        <Pager
          request={request}
          newest={after !== undefined && olderOf(PATH, { status, path })}
          older={hasMore && olderOf(PATH, { status, path, after: rows.at(-1)?._id })}
        />
      </DeveloperPage>
    ),
  };
}

function Filters({ request }: { request: StaffRequest }) {
  const { t } = request;
  return (
    <form method="get" action={PATH} class="filters">
      <Select
        id="status"
        label={t('requests.status')}
        options={[
          ['', t('all')],
          ...STATUS_CLASSES.map((each) => [each, t(`requests.${each}`)] as const),
        ]}
        chosen={queryOf(request, 'status')}
      />
      <p class="field">
        <label for="path">{t('requests.path')}</label>
        <input
          id="path"
          name="path"
          value={queryOf(request, 'path') ?? ''}
          placeholder="/v1/payments"
        />
      </p>
      <p class="field">
        <label for="id">Request-Id</label>
        <input id="id" name="id" value={queryOf(request, 'id') ?? ''} placeholder="req_..." />
      </p>
      <button>{t('filter')}</button>
    </form>
  );
}

function RequestTable({ request, rows }: { request: StaffRequest; rows: readonly Call[] }) {
  const { t } = request;
  return (
    <Table
      head={[
        t('requests.at'),
        t('requests.request'),
        t('requests.status'),
        [t('requests.duration'), 'number'],
      ]}
    >
      {rows.map((call) => (
        <tr key={call._id}>
          <td>
            <Time request={request} at={call.at} exact />
            {call.omitted !== undefined && (
              <p class="hint">{t('requests.omitted', { count: call.omitted })}</p>
            )}
          </td>
          <td>
            <a href={`${PATH}/${call._id}`}>
              <code>{`${call.method} ${call.path}`}</code>
            </a>
          </td>
          <td>
            <Status of={call} /> {call.error && <code>{call.error.code}</code>}
          </td>
          <td class="number">{t('requests.ms', { ms: call.duration_ms })}</td>
        </tr>
      ))}
    </Table>
  );
}

const KINDS = { 2: 'succeeded', 4: 'pending', 5: 'failed' } as const;

/** The status of the response: accepted, refused, or a fault. */
function Status({ of: { status } }: { of: Call }) {
  const family = Math.floor(status / 100) as keyof typeof KINDS;
  return <Badge kind={KINDS[family] ?? 'over'}>{status}</Badge>;
}

/** `GET /developers/requests/:id` */
export async function showRequest(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, params, ctx } = request;
  const { id = '' } = params;
  const call = isId('request', id) ? await findCall(services.mongo, tenant, id) : null;
  if (!call) return ctx.throw(404);
  const { at, method, path, error, key_id, duration_ms, body, object_id } = call;
  const route = routeOf(path);
  const alike = `${PATH}?${new URLSearchParams({ path: route }).toString()}`;
  return {
    page: (
      <DeveloperPage request={request} title={`${method} ${path}`}>
        <Facts
          of={[
            ['Request-Id', <Copy request={request} text={id} />],
            [t('requests.at'), <Time request={request} at={at} exact />],
            [t('requests.status'), <Status of={call} />],
            [t('requests.error'), error && <code>{error.code}</code>],
            [t('requests.message'), error && error.message],
            [t('requests.duration'), t('requests.ms', { ms: duration_ms })],
            [t('requests.key'), <code>{key_id}</code>],
            [t('requests.object'), object_id && <ObjectLink request={request} id={object_id} />],
            [t('requests.alike'), <a href={alike}>{route}</a>],
          ]}
        />
        <section>
          <h2>{t('requests.body')}</h2>
          {body !== null && <pre>{indented(body)}</pre>}
          {call.is_cut && <p class="hint">{t('requests.cut')}</p>}
          {body === null && !call.is_cut && <p>{t('none')}</p>}
          {error && (
            <p>
              <a href={`${services.apiUrl}/docs#${error.code}`}>{t('requests.error_docs')}</a>
            </p>
          )}
        </section>
      </DeveloperPage>
    ),
  };
}
