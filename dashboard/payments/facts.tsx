/** The fields of a payment, its refunds, and the section for developers. */
import { lastMethod, lastReference } from '../../domain/method.ts';
import { endedAt, isFinal } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { refundableAmount } from '../../domain/refund.ts';
import { publicPayment } from '../../domain/wire.ts';
import { Amount } from '../../ui/amount.tsx';
import { Copy, Time } from '../layout.tsx';
import { Facts, Table } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import { LANGUAGE_NAMES } from '../text.ts';
import { addressOf } from './query.ts';
import { RefundStatus, methodText } from './status.tsx';
import { MAX_REFUNDS } from './story.ts';
import type { Story } from './story.ts';

/** The limits of what merchants put into metadata. They keep the page short. */
const MAX_PAIRS = 20;
const MAX_VALUE_CHARS = 80;
const MAX_JSON_CHARS = 4_000;

interface OfPayment {
  readonly request: StaffRequest;
  readonly of: Payment;
}

export function PaymentFacts({ request, of }: OfPayment) {
  const { t, locale } = request;
  const { currency, amount_refunded: refunded, refunds, metadata } = of;
  const method = lastMethod(of);
  const ended = endedAt(of);
  const pending = refunds?.pending ?? 0;
  const money = (minor: number) => <Amount amount={minor} currency={currency} locale={locale} />;
  const hasRefunds = refunded + pending > 0;
  return (
    <Facts
      of={[
        [t('payment.refunded'), refunded > 0 ? money(refunded) : null],
        [t('payment.refunding'), pending > 0 ? money(pending) : null],
        [t('payment.left'), hasRefunds ? money(refundableAmount(of)) : null],
        [t('payments.order'), of.order_id === null ? null : <OrderLink id={of.order_id} />],
        [t('payment.description'), of.description],
        [t('payments.method'), method && methodText(request, method)],
        [t('payments.reference'), lastReference(of)],
        [t('payment.language'), LANGUAGE_NAMES[of.locale]],
        [t('payments.created'), <Time request={request} at={of.created_at} exact />],
        [
          t('payment.expires'),
          isFinal(of.status) ? null : <Time request={request} at={of.expires_at} exact />,
        ],
        [t(`status.${of.status}`), ended && <Time request={request} at={ended} exact />],
        ...Object.entries(metadata)
          .slice(0, MAX_PAIRS)
          .map(
            ([key, value]) =>
              [`${t('payment.metadata')} ${key}`, cut(value, MAX_VALUE_CHARS)] as const,
          ),
      ]}
    />
  );
}

/** The order id, with a link to all payments of the order. */
function OrderLink({ id }: { id: string }) {
  return <a href={addressOf({ path: '/payments', filters: { q: id } })}>{id}</a>;
}

/** Returns the beginning of a text, without half a character at its end. */
function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${Array.from(text).slice(0, chars).join('')}…`;
}

export function Refunds({ request, story }: { request: StaffRequest; story: Story }) {
  const { t, locale } = request;
  const { payment, refunds, isCut } = story;
  return (
    <section id="refunds">
      <h2>{t('payment.refunds')}</h2>
      <Table
        head={[
          t('payments.created'),
          [t('payments.amount'), 'number'],
          t('payments.status'),
          t('refund.reason'),
        ]}
      >
        {refunds.map(({ _id: id, created_at, amount, currency, status, ...refund }) => (
          <tr key={id} id={id}>
            <th scope="row">
              <Time request={request} at={created_at} />
            </th>
            <td class="number">
              <Amount amount={amount} currency={currency} locale={locale} />
            </td>
            <td>
              <RefundStatus request={request} status={status} />{' '}
              {refund.failure_code && t(`failure.${refund.failure_code}`)}
            </td>
            <td>{refund.reason && t(`reason.${refund.reason}`)}</td>
          </tr>
        ))}
      </Table>
      {isCut.refunds && (
        <p class="hint">
          {t('story.cut_refunds', { count: MAX_REFUNDS })}{' '}
          <a href={`/payments/refunds?payment_id=${payment._id}`}>{t('story.all_refunds')}</a>
        </p>
      )}
    </section>
  );
}

/** The section for developers: the id, the API call with its response, and the workflow. */
export function Technical({ request, of }: OfPayment) {
  const { t, may, services } = request;
  const { apiUrl, temporalUiUrl, links } = services;
  const { _id: id, return_url, cancel_url } = of;
  const curl = `curl ${apiUrl}/v1/payments/${id} -H "Authorization: Bearer $KEY"`;
  const json = JSON.stringify(publicPayment(of, links), null, 2);
  return (
    <section id="technical">
      <h2>{t('payment.technical')}</h2>
      <p>
        <Copy request={request} text={id} />
      </p>
      <p>
        <Copy request={request} text={curl} />
      </p>
      <Facts
        of={[
          [t('payment.return_url'), <code>{return_url}</code>],
          [t('payment.cancel_url'), cancel_url && <code>{cancel_url}</code>],
        ]}
      />
      {may('developers.read') && (
        <p class="buttons">
          <a href={`/developers/events?payment=${id}`}>{t('story.all_events')}</a>
          {may('developers.advance') && !isFinal(of.status) && (
            <a href={`/developers/payments/${id}`}>{t('advance.title')}</a>
          )}
          {temporalUiUrl !== undefined && (
            <a id="workflow" href={`${temporalUiUrl}/${id}`}>
              {t('payment.workflow')}
            </a>
          )}
        </p>
      )}
      <details id="raw">
        <summary id="raw-summary">{t('payment.raw')}</summary>
        <pre>
          <code>{json.slice(0, MAX_JSON_CHARS)}</code>
        </pre>
        {json.length > MAX_JSON_CHARS && <p class="hint">{t('payment.raw_cut')}</p>}
      </details>
    </section>
  );
}
