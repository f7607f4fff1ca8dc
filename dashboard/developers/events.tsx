/** Events, each with the exact bytes that its webhooks carry. */
import { EVENT_TYPES } from '../../domain/event.ts';
import type { Event } from '../../domain/event.ts';
import { isId } from '../../domain/id.ts';
import { deliveriesOfEvents } from '../../store/deliveries.ts';
import type { DeliverySummary } from '../../store/deliveries.ts';
import { findEvent } from '../../store/events.ts';
import { readPage } from '../../store/page.ts';
import { Copy, Time } from '../layout.tsx';
import { ObjectLink } from '../links.tsx';
import { Facts, Pager, Select, Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { DeliveryBadge } from '../webhooks/parts.tsx';
import { DeveloperPage, PAGE_ROWS, indented, olderOf, queryOf } from './parts.tsx';

const PATH = '/developers/events';
/** The most deliveries of an event that are shown: those to all endpoints, and some replays. */
const MAX_DELIVERIES = 50;

/** `GET /developers/events?type=payment.completed&payment=pay_...&after=evt_...` */
export async function showEvents(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, ctx } = request;
  const after = queryOf(request, 'after');
  if (after !== undefined && !isId('event', after)) ctx.throw(404);
  const type = EVENT_TYPES.find((each) => each === queryOf(request, 'type'));
  const payment = queryOf(request, 'payment');
  if (payment !== undefined && !isId('payment', payment)) ctx.throw(404);
  const filter = { m: tenant, ...(payment && { payment_id: payment }), ...(type && { type }) };
  const page = { filter, limit: PAGE_ROWS, startingAfter: after };
  const { rows, hasMore } = await readPage(services.mongo.events, page);
  return {
    page: (
      <DeveloperPage request={request} title={t('events.title')}>
        {payment !== undefined && (
          <p>
            {t('events.about')}: <ObjectLink request={request} id={payment} />,{' '}
            <a href={PATH}>{t('events.all')}</a>
          </p>
        )}
        <form method="get" action={PATH} class="filters">
          {payment !== undefined && <input type="hidden" name="payment" value={payment} />}
          <Select
            id="type"
            label={t('events.type')}
            options={[['', t('all')], ...EVENT_TYPES.map((each) => [each, each] as const)]}
            chosen={type}
          />
          <button>{t('filter')}</button>
        </form>
        {rows.length === 0 ? (
          <p class="empty">{t(type ? 'events.empty' : 'events.none')}</p>
        ) : (
          <EventTable request={request} rows={rows} />
        )}
        <Pager
          request={request}
          newest={after !== undefined && olderOf(PATH, { type, payment })}
          older={hasMore && olderOf(PATH, { type, payment, after: rows.at(-1)?._id })}
        />
      </DeveloperPage>
    ),
  };
}

function EventTable({ request, rows }: { request: StaffRequest; rows: readonly Event[] }) {
  const { t } = request;
  return (
    <Table head={[t('requests.at'), t('events.type'), t('events.event'), t('events.about')]}>
      {rows.map((event) => (
        <tr key={event._id}>
          <td>
            <Time request={request} at={event.created_at} exact />
          </td>
          <td>{event.type}</td>
          <td>
            <a href={`${PATH}/${event._id}`}>
              <code>{event._id}</code>
            </a>
          </td>
          <td>{event.payment_id && <ObjectLink request={request} id={event.payment_id} />}</td>
        </tr>
      ))}
    </Table>
  );
}

/** `GET /developers/events/:id` */
export async function showEvent(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, params, ctx } = request;
  const { id = '' } = params;
  const event = isId('event', id) ? await findEvent(services.mongo, tenant, id) : null;
  if (!event) return ctx.throw(404);
  const deliveries = await deliveriesOfEvents(
    services.mongo,
    { tenant, eventIds: [event._id] },
    MAX_DELIVERIES,
  );
  return {
    page: (
      <DeveloperPage request={request} title={event.type}>
        <Facts
          of={[
            [t('events.event'), <Copy request={request} text={id} />],
            [t('requests.at'), <Time request={request} at={event.created_at} exact />],
            [
              t('events.about'),
              event.payment_id && <ObjectLink request={request} id={event.payment_id} />,
            ],
          ]}
        />
        <section>
          <h2>JSON</h2>
          <pre>{indented(event.body)}</pre>
          <details>
            <summary>{t('events.exact')}</summary>
            <p class="hint">{t('events.exact_hint')}</p>
            <Copy request={request} text={event.body} />
          </details>
        </section>
        <section>
          <h2>{t('events.deliveries')}</h2>
          {deliveries.length === 0 ? (
            <p>{t('events.no_deliveries')}</p>
          ) : (
            <Deliveries request={request} rows={deliveries} />
          )}
        </section>
      </DeveloperPage>
    ),
  };
}

/** Deliveries with their state and next attempt. */
export function Deliveries({
  request,
  rows,
}: {
  request: StaffRequest;
  rows: readonly DeliverySummary[];
}) {
  const { t } = request;
  return (
    <Table
      head={[
        t('events.delivery'),
        t('requests.status'),
        [t('events.attempts'), 'number'],
        t('events.next'),
      ]}
    >
      {rows.map((delivery) => {
        const { _id, attempts, next_attempt_at: next } = delivery;
        return (
          <tr key={_id}>
            <td>
              <a href={`/deliveries/${_id}`}>
                <code>{_id}</code>
              </a>
            </td>
            <td>
              <DeliveryBadge request={request} of={delivery} />
            </td>
            <td class="number">{attempts.length}</td>
            <td>{next ? <Time request={request} at={next} exact /> : t('none')}</td>
          </tr>
        );
      })}
    </Table>
  );
}
