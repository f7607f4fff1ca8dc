/** The text of an empty list of payments. It names the search and the filters. */
import { readSearch } from '../../domain/search.ts';
import type { Reading } from '../../domain/search.ts';
import type { StaffRequest } from '../request.ts';
import type { Filters } from './list.tsx';
import { addressOf } from './query.ts';

export function NothingFound({ request, filters }: { request: StaffRequest; filters: Filters }) {
  const { t } = request;
  const { q, status, from, to } = filters;
  const isNarrowed = [status, from, to].some((field) => field !== '');
  if (q === '' && !isNarrowed) return <p class="empty">{t('payments.none')}</p>;
  const limits = [
    status !== '' && `${t('payments.status')}: ${t(`status.${status}`)}`,
    from !== '' && `${t('payments.from')}: ${from}`,
    to !== '' && `${t('payments.to')}: ${to}`,
  ].filter((text) => text !== false);
  return (
    <section id="no-payments" aria-labelledby="none-found">
      <h2 id="none-found">{t('payments.none_found')}</h2>
      {q !== '' && (
        <>
          <p>{t('payments.searched')}</p>
          <ul>
            {[...new Set(readSearch(q).flatMap(textsOf(request)))].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {isNarrowed && (
        <p>
          {t('payments.narrowed', { filters: limits.join(', ') })}{' '}
          {q !== '' && (
            <a href={addressOf({ path: '/payments', filters: { q } })}>{t('payments.widen')}</a>
          )}
        </p>
      )}
      {q !== '' && <p class="hint">{t('payments.exactly')}</p>}
    </section>
  );
}

/** Returns a function that says what a reading looks for. */
function textsOf({ t }: StaffRequest): (reading: Reading) => string[] {
  const card = (last4: string): string => `${t('payments.card')}: •••• ${last4}`;
  const part = (text: string): string => `${t('payments.order_part')}: ${text}`;
  return (reading) => {
    switch (reading.kind) {
      case 'order':
        return [`${t('payments.order')}: ${reading.orderId}`];
      case 'part':
        return [part(reading.words.join(' '))];
      case 'card':
        return [card(reading.last4)];
      case 'digits':
        return [part(reading.last4), card(reading.last4)];
      case 'amount':
        return [`${t('payments.amount')}: ${reading.term.slice(1)} ${reading.currency ?? ''}`];
      case 'metadata':
        return [`${t('payment.metadata')} ${reading.key} = ${reading.value}`];
    }
  };
}
