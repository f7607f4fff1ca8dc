/** The list of refunds, newest first. */
import { isId } from '../../domain/id.ts';
import { REFUND_STATUSES } from '../../domain/refund.ts';
import type { Refund } from '../../domain/refund.ts';
import { readPage } from '../../store/page.ts';
import { orderIdsOf } from '../../store/payments.ts';
import { Amount } from '../../ui/amount.tsx';
import { readQuery } from '../form.ts';
import { Page, Time } from '../layout.tsx';
import { Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { Around, DayFields, ExportLink, ListTabs, PAGE_ROWS, StatusField } from './parts.tsx';
import { idsOf, isFiltered, readDays, readPlace, readStatus } from './query.ts';
import type { Listing } from './query.ts';
import { RefundStatus } from './status.tsx';

const PATH = '/payments/refunds';

/** `GET /payments/refunds?payment_id=&status=&from=&to=&after=&before=` */
export async function showRefunds(request: StaffRequest): Promise<Result> {
  const { t, ctx, services, tenant } = request;
  const payment_id = readQuery(ctx).get('payment_id');
  if (payment_id !== '' && !isId('payment', payment_id)) ctx.throw(404);
  const filters = {
    payment_id,
    status: readStatus(request, REFUND_STATUSES),
    ...readDays(request),
  };
  const place = await readPlace(request, 'refund');
  const { status } = filters;
  const { rows, hasMore } = await readPage(services.mongo.refunds, {
    filter: { m: tenant, ...(payment_id && { payment_id }), ...(status && { status }) },
    limit: PAGE_ROWS,
    ids: idsOf('refund', filters),
    startingAfter: place.after,
    endingBefore: place.before,
  });
  const edge = place.before === undefined ? rows.at(-1) : rows[0];
  const found = { rows, next: hasMore && edge ? edge._id : null };
  const ids = rows.map((refund) => refund.payment_id);
  const orders = await orderIdsOf(services.mongo, tenant, ids);
  const listing = { path: PATH, filters };
  return {
    page: (
      <Page request={request} title={t('payment.refunds')}>
        <ListTabs request={request} />
        <FilterForm request={request} listing={listing} />
        {rows.length === 0 ? (
          <p class="empty" id="no-refunds">
            {t(isFiltered(listing) ? 'refunds.none_found' : 'refunds.none')}
          </p>
        ) : (
          <RefundTable request={request} rows={rows} orders={orders} />
        )}
        <Around {...{ request, listing, place, found }} />
        {rows.length > 0 && (
          <p>
            <ExportLink request={request} kind="refunds" filters={filters} />
          </p>
        )}
      </Page>
    ),
  };
}

function FilterForm({ request, listing }: { request: StaffRequest; listing: Listing }) {
  const { t } = request;
  const { payment_id: id = '', status = '', from = '', to = '' } = listing.filters;
  return (
    <form method="get" action={PATH} class="filters">
      {id !== '' && <input type="hidden" name="payment_id" value={id} />}
      <StatusField
        request={request}
        chosen={status}
        options={REFUND_STATUSES.map((each) => [each, t(`refund_status.${each}`)])}
      />
      <DayFields request={request} from={from} to={to} />
      <button class="main-button">{t('payments.show')}</button>
      {isFiltered(listing) && <a href={PATH}>{t('payments.all')}</a>}
    </form>
  );
}

interface TableProps {
  readonly request: StaffRequest;
  readonly rows: readonly Refund[];
  /** The order ids by the ids of payments. */
  readonly orders: ReadonlyMap<string, string | null>;
}

function RefundTable({ request, rows, orders }: TableProps) {
  const { t, locale } = request;
  return (
    <Table
      id="refunds"
      head={[
        t('payments.created'),
        [t('payments.amount'), 'number'],
        t('payments.status'),
        t('refund.reason'),
        t('payments.order'),
      ]}
    >
      {rows.map(({ _id: id, payment_id, created_at, amount, currency, ...refund }) => (
        <tr key={id}>
          <th scope="row">
            <a href={`/payments/${payment_id}#${id}`}>
              <Time request={request} at={created_at} />
            </a>
          </th>
          <td class="number">
            <Amount amount={amount} currency={currency} locale={locale} />
          </td>
          <td>
            <RefundStatus request={request} status={refund.status} />
          </td>
          <td>{refund.reason && t(`reason.${refund.reason}`)}</td>
          <td>{orders.get(payment_id)}</td>
        </tr>
      ))}
    </Table>
  );
}
