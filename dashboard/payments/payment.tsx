/** One payment: what it is, what can be done with it, and everything that happened to it. */
import type { ComponentChildren } from 'preact';
import { isFinal, lastAttempt } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { refundableAmount } from '../../domain/refund.ts';
import type { Refund } from '../../domain/refund.ts';
import { publicPayment } from '../../domain/wire.ts';
import { Amount } from '../../ui/amount.tsx';
import { ActionForm, Copy, Page, Time } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { loadPayment } from './act.ts';
import { Status, cardText } from './status.tsx';
import { isUnderWay, readStory } from './story.ts';
import { Timeline } from './timeline-list.tsx';

/** `GET /payments/:id`. The part `live` is loaded again by a script while something may happen. */
export async function showPayment(request: StaffRequest): Promise<Result> {
  const payment = await loadPayment(request);
  const story = await readStory(request, payment);
  return {
    page: (
      <Page request={request} title={request.t('payment.title')}>
        <div id="live" {...(isUnderWay(story) && { 'data-live': '' })}>
          <Facts request={request} of={payment} />
          <Acts request={request} of={payment} />
          {story.refunds.length > 0 && <Refunds request={request} of={story.refunds} />}
          <Timeline request={request} story={story} />
          <Technical request={request} of={payment} />
        </div>
      </Page>
    ),
  };
}

interface OfPayment {
  readonly request: StaffRequest;
  readonly of: Payment;
}

function Facts({ request, of }: OfPayment) {
  const { t, locale } = request;
  const { amount, currency, amount_refunded: refunded, metadata } = of;
  const card = lastAttempt(of)?.card;
  const money = (minor: number) => <Amount amount={minor} currency={currency} locale={locale} />;
  return (
    <section>
      <h2 class="sum">
        {money(amount)} <Status request={request} of={of} />
      </h2>
      <dl class="facts">
        <Fact name={t('payments.created')}>
          <Time request={request} at={of.created_at} exact />
        </Fact>
        {!isFinal(of.status) && (
          <Fact name={t('payment.expires')}>
            <Time request={request} at={of.expires_at} exact />
          </Fact>
        )}
        <Fact name={t('payment.description')}>{of.description ?? t('none')}</Fact>
        <Fact name={t('payments.order')}>{of.order_id ?? t('none')}</Fact>
        <Fact name={t('payments.card')}>{card ? cardText(card) : t('none')}</Fact>
        {of.failure_code && (
          <Fact name={t('payment.failure')}>{t(`failure.${of.failure_code}`)}</Fact>
        )}
        {of.status === 'completed' && (
          <Fact name={t('payment.refunded')}>
            {money(refunded)}, {t('payment.refundable')} {money(refundableAmount(of))}
          </Fact>
        )}
        <Fact name={t('payment.return_url')}>
          <code>{of.return_url}</code>
        </Fact>
        {of.cancel_url && (
          <Fact name={t('payment.cancel_url')}>
            <code>{of.cancel_url}</code>
          </Fact>
        )}
        {Object.entries(metadata).map(([key, value]) => (
          <Fact key={key} name={`${t('payment.metadata')} ${key}`}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The actions that the payment's status and the user's role allow. */
function Acts({ request, of }: OfPayment) {
  const { t } = request;
  const mayRefund = request.may('payments.refund') && refundableAmount(of) > 0;
  const mayCancel = request.may('payments.cancel') && !isFinal(of.status);
  if (!mayRefund && !mayCancel) return null;
  return (
    <div class="buttons">
      {mayRefund && (
        <a id="refund" class="button" href={`/payments/${of._id}/refund`}>
          {t('refund.title')}
        </a>
      )}
      {mayCancel && (
        <details id="cancel">
          <summary id="cancel-summary">{t('payment.cancel')}</summary>
          <ActionForm request={request} to={`/payments/${of._id}/cancel`}>
            <p>{t('payment.cancel_hint')}</p>
            <button id="cancel-button" class="danger-button">
              {t('payment.cancel')}
            </button>
          </ActionForm>
        </details>
      )}
    </div>
  );
}

function Refunds({ request, of }: { request: StaffRequest; of: readonly Refund[] }) {
  const { t, locale } = request;
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
            {of.map(({ _id: id, created_at, amount, currency, status, reason }) => (
              <tr key={id} id={id}>
                <th scope="row">
                  <Time request={request} at={created_at} />
                </th>
                <td>
                  <Amount amount={amount} currency={currency} locale={locale} />
                </td>
                <td>{t(`refund_status.${status}`)}</td>
                <td>{reason === null ? t('none') : t(`reason.${reason}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The section for developers: the id, the API call with its response, and the workflow. */
function Technical({ request, of }: OfPayment) {
  const { t, services } = request;
  const { apiUrl, temporalUiUrl, links } = services;
  const curl = `curl ${apiUrl}/v1/payments/${of._id} -H "Authorization: Bearer $KEY"`;
  return (
    <section id="technical">
      <h2>{t('payment.technical')}</h2>
      <p>
        <Copy request={request} text={of._id} />
      </p>
      <p>
        <Copy request={request} text={curl} />
      </p>
      {temporalUiUrl !== undefined && request.may('developers.read') && (
        <p>
          <a id="workflow" href={`${temporalUiUrl}/${of._id}`}>
            {t('payment.workflow')}
          </a>
        </p>
      )}
      <details id="raw">
        <summary id="raw-summary">{t('payment.raw')}</summary>
        <pre>
          <code>{JSON.stringify(publicPayment(of, links), null, 2)}</code>
        </pre>
      </details>
    </section>
  );
}
