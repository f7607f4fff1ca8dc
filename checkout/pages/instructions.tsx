/** The page with all that a customer needs to pay elsewhere. A script reloads it when it changes. */
import { localAmount } from '../../domain/money.ts';
import type { PaymentContext } from '../context.ts';
import { Frame, Summary } from './frame.tsx';

export function InstructionsPage(page: PaymentContext) {
  const { t, payment, link, locale, method } = page;
  const { Details } = method;
  const amount = localAmount(payment.amount, payment.currency, locale);
  const heading = t('transfer.instructions', { amount });
  const view = 'instructions';
  return (
    <Frame {...page} title={heading} view={view} script="wait.js">
      <Summary {...page} />
      <h1>{heading}</h1>
      <p id="wait" data-status={link('status')} data-view={view}>
        {t('transfer.text')}
      </p>
      {Details && <Details {...page} />}
      {!payment.livemode && (
        <a class="main-button" href={link('bank')} id="sandbox">
          {t('transfer.sandbox')}
        </a>
      )}
      <p class="aside">
        <a href={link('checkout')} id="check">
          {t('transfer.check')}
        </a>
      </p>
      <form method="post" action={link('bank')} id="turn-back-form">
        <button type="submit" class="plain-button" name="outcome" value="turn_back" id="turn-back">
          {t('transfer.back')}
        </button>
        <p class="aside">{t('transfer.back_hint')}</p>
      </form>
    </Frame>
  );
}
