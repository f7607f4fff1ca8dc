/** The form that begins a bank transfer. It has no fields. */
import type { PaymentContext } from '../../context.ts';

export function TransferForm({ t, link }: PaymentContext) {
  return (
    <form method="post" action={link('pay')} id="transfer-form">
      <p>{t('transfer.about')}</p>
      <button type="submit" class="main-button" id="pay">
        {t('transfer.start')}
      </button>
    </form>
  );
}
