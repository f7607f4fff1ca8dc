/** One payment: what it is, what can be done with it, and everything that happened to it. */
import { isFinal, mayOpenAttempt } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { localAmount } from '../../domain/money.ts';
import { judgeRefund } from '../../domain/refund.ts';
import { checkoutUrl } from '../../domain/wire.ts';
import { ActionForm, Copy, Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { loadPayment } from './act.ts';
import { PaymentFacts, Refunds, Technical } from './facts.tsx';
import { Status, statusKey } from './status.tsx';
import { isUnderWay, readStory } from './story.ts';
import type { Story } from './story.ts';
import { endText, lastFailure } from './timeline.ts';
import { Timeline } from './timeline-list.tsx';

/** `GET /payments/:id`. The part `live` is loaded again by a script while something may happen. */
export async function showPayment(request: StaffRequest): Promise<Result> {
  const { t, locale } = request;
  const payment = await loadPayment(request);
  const story = await readStory(request, payment);
  const amount = localAmount(payment.amount, payment.currency, locale);
  const title = t('payment.title', { amount });
  const live = { 'data-live': `/payments/${payment._id}` };
  const said = `${title}: ${t(statusKey(payment))}`;
  return {
    page: (
      <Page request={request} title={title}>
        <div id="live" data-said={said} {...(isUnderWay(story) && live)}>
          <div class="head">
            <p id="now">
              <Status request={request} of={payment} /> <Reason request={request} story={story} />
            </p>
            <Acts request={request} of={payment} />
          </div>
          <CheckoutLink request={request} of={payment} />
          <PaymentFacts request={request} of={payment} />
          {story.refunds.length > 0 && <Refunds request={request} story={story} />}
          <Timeline request={request} story={story} />
          <Technical request={request} of={payment} />
        </div>
      </Page>
    ),
  };
}

/** The reason of the payment's status, in words for the customer. */
function Reason({ request, story }: { request: StaffRequest; story: Story }) {
  const { t } = request;
  const { status, cancellation } = story.payment;
  const failure = lastFailure(request, story);
  if (status === 'canceled') {
    const reason = cancellation?.reason;
    return <>{[endText(request, story), reason].filter(Boolean).join(': ')}</>;
  }
  if (failure === undefined || status === 'completed') return null;
  return <>{status === 'failed' ? failure : t('payment.last_attempt', { reason: failure })}</>;
}

/** The actions that the payment's status and the user's role allow. */
function Acts({ request, of }: { request: StaffRequest; of: Payment }) {
  const { t, may } = request;
  const mayRefund = may('payments.refund') && 'amount' in judgeRefund(of, {});
  const mayCancel = may('payments.cancel') && !isFinal(of.status);
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

/** The address of the customer's page, while it can be paid there. */
function CheckoutLink({ request, of }: { request: StaffRequest; of: Payment }) {
  const { t, services, now } = request;
  if (!mayOpenAttempt(of, now)) return null;
  return (
    <p id="checkout">
      {t('payment.checkout')} <Copy request={request} text={checkoutUrl(of, services.links)} />
    </p>
  );
}
