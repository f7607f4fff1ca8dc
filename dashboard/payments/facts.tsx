/** What a payment is: its fields, its refunds, and what developers need. */
import type { ComponentChildren } from 'preact';
import { endedAt, isFinal, lastAttempt } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { refundableAmount } from '../../domain/refund.ts';
import { publicPayment } from '../../domain/wire.ts';
import { Amount } from '../../ui/amount.tsx';
import { Copy, Time } from '../layout.tsx';
import type { StaffRequest } from '../request.ts';
import { LANGUAGE_NAMES } from '../text.ts';
import { addressOf } from './query.ts';
import { RefundStatus, cardText } from './status.tsx';
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

export function Facts({ request, of }: OfPayment) {
  const { t, locale } = request;
  const { currency, amount_refunded: refunded, refunds, metadata } = of;
  const card = lastAttempt(of)?.card;
  const ended = endedAt(of);
  const pending = refunds?.pending ?? 0;
  const money = (minor: number) => <Amount amount={minor} currency={currency} locale={locale} />;
  return (
    <dl class="facts">
      {refunded > 0 && <Fact name={t('payment.refunded')}>{money(refunded)}</Fact>}
      {pending > 0 && <Fact name={t('payment.refunding')}>{money(pending)}</Fact>}
      {refunded + pending > 0 && (
        <Fact name={t('payment.left')}>{money(refundableAmount(of))}</Fact>
      )}
      {of.order_id !== null && (
        <Fact name={t('payments.order')}>
          <a href={addressOf({ path: '/payments', filters: { q: of.order_id } })}>{of.order_id}</a>
        </Fact>
      )}
      {of.description !== null && <Fact name={t('payment.description')}>{of.description}</Fact>}
      {card && <Fact name={t('payments.card')}>{cardText(card)}</Fact>}
      <Fact name={t('payment.language')}>{LANGUAGE_NAMES[of.locale]}</Fact>
      <Fact name={t('payments.created')}>
        <Time request={request} at={of.created_at} exact />
      </Fact>
      {!isFinal(of.status) && (
        <Fact name={t('payment.expires')}>
          <Time request={request} at={of.expires_at} exact />
        </Fact>
      )}
      {ended && (
        <Fact name={t(`status.${of.status}`)}>
          <Time request={request} at={ended} exact />
        </Fact>
      )}
      {Object.entries(metadata)
        .slice(0, MAX_PAIRS)
        .map(([key, value]) => (
          <Fact key={key} name={`${t('payment.metadata')} ${key}`}>
            {cut(value, MAX_VALUE_CHARS)}
          </Fact>
        ))}
    </dl>
  );
}

/** Returns the beginning of a text, without half a character at its end. */
function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${Array.from(text).slice(0, chars).join('')}…`;
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Refunds({ request, story }: { request: StaffRequest; story: Story }) {
  const { t, locale } = request;
  const { payment, refunds, isCut } = story;
  return (
    <section id="refunds">
      <h2>{t('payment.refunds')}</h2>
      <div class="scroll">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t('payments.created')}</th>
              <th scope="col">{t('payments.amount')}</th>
              <th scope="col">{t('payments.status')}</th>
              <th scope="col">{t('refund.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {refunds.map(({ _id: id, created_at, amount, currency, status, ...refund }) => (
              <tr key={id} id={id}>
                <th scope="row">
                  <Time request={request} at={created_at} />
                </th>
                <td>
                  <Amount amount={amount} currency={currency} locale={locale} />
                </td>
                <td>
                  <RefundStatus request={request} status={status} />{' '}
                  {refund.failure_code && t(`failure.${refund.failure_code}`)}
                </td>
                <td>{refund.reason && t(`reason.${refund.reason}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
      <dl class="facts">
        <Fact name={t('payment.return_url')}>
          <code>{return_url}</code>
        </Fact>
        {cancel_url && (
          <Fact name={t('payment.cancel_url')}>
            <code>{cancel_url}</code>
          </Fact>
        )}
      </dl>
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
