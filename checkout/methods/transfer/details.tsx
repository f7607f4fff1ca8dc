/** What a customer needs to send a bank transfer. */
import { lastReference } from '../../../domain/method.ts';
import { Amount } from '../../../ui/amount.tsx';
import type { PaymentContext } from '../../context.ts';
import { Row } from '../../pages/frame.tsx';
import { timeInWords } from '../../text.ts';

/** An account that no bank has. Fewer digits than the numbers of cards and real accounts. */
const SANDBOX_ACCOUNT = 'SANDBOX-0001';

export function TransferDetails({ t, locale, payment, payee, now }: PaymentContext) {
  const { amount, currency, expires_at: expiresAt } = payment;
  const time = timeInWords(expiresAt.getTime() - now.getTime(), locale);
  return (
    <>
      <dl class="details" id="transfer">
        <Row term={t('bank.payee')} text={payee} />
        <Row term={t('transfer.bank')} text={t('bank.name')} />
        <Row term={t('transfer.account')} text={SANDBOX_ACCOUNT} />
        <div>
          <dt>{t('summary.total')}</dt>
          <dd>
            <Amount amount={amount} currency={currency} locale={locale} />
          </dd>
        </div>
        <Reference t={t} payment={payment} />
      </dl>
      <p>{t('transfer.no_money')}</p>
      <p>
        <time datetime={expiresAt.toISOString()} id="time-left">
          {t('transfer.time_left', { time })}
        </time>
      </p>
    </>
  );
}

/** The row with the text by which the bank recognises the transfer. */
export function Reference({ t, payment }: Pick<PaymentContext, 't' | 'payment'>) {
  return <Row term={t('transfer.reference')} text={lastReference(payment)} id="reference" />;
}
