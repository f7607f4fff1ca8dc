/** The list of payments, newest first, with one search for everything. */
import { lastMethod } from '../../domain/method.ts';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';
import type { Payment, PaymentStatus } from '../../domain/payment.ts';
import { readSearch } from '../../domain/search.ts';
import { readPage } from '../../store/page.ts';
import { searchPayments } from '../../store/search.ts';
import { Amount } from '../../ui/amount.tsx';
import { FormField } from '../../ui/form.tsx';
import { readQuery } from '../form.ts';
import { Page, Time } from '../layout.tsx';
import { Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { exactAddress } from './exact.ts';
import { NothingFound } from './nothing.tsx';
import { Around, DayFields, ExportLink, ListTabs, PAGE_ROWS, StatusField } from './parts.tsx';
import type { Found } from './parts.tsx';
import { idsOf, isFiltered, readDays, readPlace, readStatus } from './query.ts';
import type { Days, Place } from './query.ts';
import { Status, methodText } from './status.tsx';

/** The longest text to search for: a key and a value of metadata. */
const MAX_SEARCH_CHARS = 541;
const PATH = '/payments';

/** The search and the filters of the list. An empty field does not filter. */
export interface Filters extends Days {
  readonly q: string;
  readonly status: PaymentStatus | '';
}

/** `GET /payments?q=&status=&from=&to=&after=&before=`. A payment's id leads to the payment. */
export async function showPayments(request: StaffRequest): Promise<Result> {
  const { t, ctx } = request;
  const q = readQuery(ctx).get('q').slice(0, MAX_SEARCH_CHARS);
  const filters = { q, status: readStatus(request, PAYMENT_STATUSES), ...readDays(request) };
  const place = await readPlace(request, 'payment');
  const to = await exactAddress(request, q);
  if (to !== undefined) return { to };
  const found = await find(request, filters, place);
  const listing = { path: PATH, filters: { ...filters } };
  return {
    page: (
      <Page request={request} title={t('menu.payments')}>
        <ListTabs request={request} />
        <SearchForm request={request} filters={filters} />
        {found.rows.length > 0 && <PaymentTable request={request} rows={found.rows} />}
        {found.rows.length === 0 && found.next === null && (
          <NothingFound request={request} filters={filters} />
        )}
        <Around {...{ request, listing, place, found }} />
        {found.rows.length > 0 && q === '' && (
          <p>
            <ExportLink request={request} kind="payments" filters={listing.filters} />
          </p>
        )}
      </Page>
    ),
  };
}

async function find(
  { services: { mongo }, tenant }: StaffRequest,
  filters: Filters,
  { after, before }: Place,
): Promise<Found<Payment>> {
  const { q, status } = filters;
  const page = {
    limit: PAGE_ROWS,
    ids: idsOf('payment', filters),
    startingAfter: after,
    endingBefore: before,
  };
  if (q !== '') {
    const readings = readSearch(q);
    return searchPayments(mongo, { ...page, tenant, readings, status: status || undefined });
  }
  const filter = { m: tenant, ...(status && { status }) };
  const { rows, hasMore } = await readPage(mongo.payments, { ...page, filter });
  const edge = before === undefined ? rows.at(-1) : rows[0];
  return { rows, next: hasMore && edge ? edge._id : null };
}

function SearchForm({ request, filters }: { request: StaffRequest; filters: Filters }) {
  const { t } = request;
  const { q, status, from, to } = filters;
  return (
    <form method="get" action={PATH} role="search" class="filters">
      <FormField
        id="q"
        label={t('payments.search')}
        hint={t('payments.search_hint')}
        input={{ type: 'search', value: q, maxLength: MAX_SEARCH_CHARS }}
      />
      <StatusField
        request={request}
        chosen={status}
        options={PAYMENT_STATUSES.map((each) => [each, t(`status.${each}`)])}
      />
      <DayFields request={request} from={from} to={to} />
      <button class="main-button">{t('payments.show')}</button>
      {isFiltered({ path: PATH, filters: { ...filters } }) && (
        <a href={PATH}>{t('payments.all')}</a>
      )}
    </form>
  );
}

function PaymentTable({ request, rows }: { request: StaffRequest; rows: readonly Payment[] }) {
  const { t, locale } = request;
  return (
    <Table
      id="payments"
      head={[
        t('payments.created'),
        [t('payments.amount'), 'number'],
        t('payments.status'),
        t('payments.order'),
        t('payments.method'),
      ]}
    >
      {rows.map((payment) => {
        const { _id: id, created_at, amount, currency, order_id } = payment;
        const method = lastMethod(payment);
        return (
          <tr key={id}>
            <th scope="row">
              <a href={`${PATH}/${id}`}>
                <Time request={request} at={created_at} />
              </a>
            </th>
            <td class="number">
              <Amount amount={amount} currency={currency} locale={locale} />
            </td>
            <td>
              <Status request={request} of={payment} />
            </td>
            <td>{order_id}</td>
            <td>{method && methodText(request, method)}</td>
          </tr>
        );
      })}
    </Table>
  );
}
