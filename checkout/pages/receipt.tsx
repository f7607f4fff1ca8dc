/** What a receipt has beside the summary of the payment: when, with what, and its id. */
import { lastCard, lastReference } from '../../domain/method.ts';
import { localAmount } from '../../domain/money.ts';
import { cardInWords } from '../brands.ts';
import type { PaymentContext } from '../context.ts';
import { Row } from './frame.tsx';
import { Time } from './time.tsx';

export function Receipt({ t, payment, locale }: PaymentContext) {
  const { _id: id, completed_at: at, amount_refunded: refunded, currency } = payment;
  const card = lastCard(payment);
  const returned = refunded > 0 ? localAmount(refunded, currency, locale) : null;
  return (
    <dl class="receipt" id="receipt">
      {at && (
        <div>
          <dt>{t('receipt.date')}</dt>
          <dd>
            <Time at={at} locale={locale} id="paid-at" />
          </dd>
        </div>
      )}
      <Row term={t('receipt.card')} text={card ? cardInWords(card) : null} id="paid-with" />
      <Row term={t('transfer.reference')} text={lastReference(payment)} id="reference" />
      <Row term={t('receipt.refunded')} text={returned} id="refunded" />
      <Row term={t('receipt.payment')} text={id} id="payment-id" />
    </dl>
  );
}
