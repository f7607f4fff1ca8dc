/** The list of payments, newest first, with one search for everything. */
import { PAYMENT_STATUSES, lastAttempt } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { readPaymentId, readSearch } from '../../domain/search.ts';
import { readPage } from '../../store/page.ts';
import { findPayment } from '../../store/payments.ts';
import { searchPayments } from '../../store/search.ts';
import { Amount } from '../../ui/amount.tsx';
import { FormField } from '../../ui/form.tsx';
import { Page, Time } from '../layout.tsx';
import { Pager } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { MAX_SEARCH_CHARS, addressOf, idsOf, readListQuery } from './query.ts';
import type { Filters, Place } from './query.ts';
import { Status, cardText } from './status.tsx';

const PAGE_ROWS = 50;

/** A page of the list. `next` is the cursor of the page after it, in the direction of reading. */
interface Found {
  readonly rows: readonly Payment[];
  readonly next: string | null;
}

/** `GET /payments?q=&status=&from=&to=&after=&before=`. A payment's id leads to the payment. */
export async function showPayments(request: StaffRequest): Promise<Result> {
  const { t, services, tenant } = request;
  const { place, ...filters } = await readListQuery(request);
  const id = readPaymentId(filters.q);
  if (id !== undefined && (await findPayment(services.mongo, tenant, id))) {
    return { to: `/payments/${id}` };
  }
  const found = await find(request, filters, place);
  return {
    page: (
      <Page request={request} title={t('menu.payments')}>
        <SearchForm request={request} filters={filters} />
        {found.rows.length === 0 ? (
          <p id="no-payments">{t(isFiltered(filters) ? 'payments.none_found' : 'payments.none')}</p>
        ) : (
          <PaymentTable request={request} rows={found.rows} />
        )}
        <Around {...{ request, filters, place, found }} />
      </Page>
    ),
  };
}

const isFiltered = ({ q, status, from, to }: Filters): boolean =>
  [q, status, from, to].some((field) => field !== '');

async function find(
  { services: { mongo }, tenant }: StaffRequest,
  filters: Filters,
  { after, before }: Place,
): Promise<Found> {
  const { q, status } = filters;
  const page = {
    limit: PAGE_ROWS,
    ids: idsOf(filters),
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
  return (
    <form method="get" action="/payments" role="search" class="filters">
      <FormField
        id="q"
        label={t('payments.search')}
        hint={t('payments.search_hint')}
        input={{ type: 'search', value: filters.q, maxLength: MAX_SEARCH_CHARS }}
      />
      <p class="field">
        <label for="status">{t('payments.status')}</label>
        <select id="status" name="status">
          <option value="">{t('payments.any')}</option>
          {PAYMENT_STATUSES.map((status) => (
            <option key={status} value={status} selected={status === filters.status}>
              {t(`status.${status}`)}
            </option>
          ))}
        </select>
      </p>
      <FormField
        id="from"
        label={t('payments.from')}
        input={{ type: 'date', value: filters.from }}
      />
      <FormField id="to" label={t('payments.to')} input={{ type: 'date', value: filters.to }} />
      <button class="main-button">{t('payments.show')}</button>
      {isFiltered(filters) && <a href="/payments">{t('payments.all')}</a>}
    </form>
  );
}

function PaymentTable({ request, rows }: { request: StaffRequest; rows: readonly Payment[] }) {
  const { t, locale } = request;
  return (
    <div class="scroll">
      <table class="rows" id="payments">
        <thead>
          <tr>
            <th scope="col">{t('payments.created')}</th>
            <th scope="col">{t('payments.amount')}</th>
            <th scope="col">{t('payments.status')}</th>
            <th scope="col">{t('payments.order')}</th>
            <th scope="col">{t('payments.card')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((payment) => {
            const { _id: id, created_at, amount, currency, order_id } = payment;
            const card = lastAttempt(payment)?.card;
            return (
              <tr key={id}>
                <th scope="row">
                  <a href={`/payments/${id}`}>
                    <Time request={request} at={created_at} />
                  </a>
                </th>
                <td>
                  <Amount amount={amount} currency={currency} locale={locale} />
                </td>
                <td>
                  <Status request={request} of={payment} />
                </td>
                <td>{order_id}</td>
                <td>{card && cardText(card)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface AroundProps {
  readonly request: StaffRequest;
  readonly filters: Filters;
  readonly place: Place;
  readonly found: Found;
}

/** The links to the pages around this one. */
function Around({ request, filters, place, found: { rows, next } }: AroundProps) {
  const [first, last] = [rows[0]?._id, rows.at(-1)?._id];
  const isBack = place.before !== undefined;
  const isStart = !isBack && place.after === undefined;
  const newer = isBack ? next : (!isStart && first) || null;
  const older = isBack ? last : next;
  const isPart = next !== null && rows.length < PAGE_ROWS;
  return (
    <>
      {isPart && <p class="hint">{request.t('payments.part')}</p>}
      <Pager
        request={request}
        newest={!isStart && addressOf(filters, {})}
        newer={newer && addressOf(filters, { before: newer })}
        older={older && addressOf(filters, { after: older })}
      />
    </>
  );
}
