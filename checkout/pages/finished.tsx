/** The page of a payment that has ended. */
import { localAmount } from '../../domain/money.ts';
import { endedAt } from '../../domain/payment.ts';
import { fillPlaceholders } from '../../domain/wire.ts';
import type { PaymentContext } from '../context.ts';
import type { Ending } from '../state.ts';
import { Frame, Summary } from './frame.tsx';

/** The time to read the page before it returns to the shop, in seconds. */
const RETURN_SECONDS = 5;

/**
 * How long after its end a payment is shown in full. The page needs no password, and its address
 * stays in browser histories and emails.
 */
const SHOWN_MS = 24 * 60 * 60 * 1000;

export function FinishedPage({ view, ...page }: PaymentContext & { view: Ending }) {
  const { t, payment, locale, now } = page;
  const end = endedAt(payment) ?? payment.expires_at;
  const isPast = now.getTime() >= end.getTime() + SHOWN_MS;
  const amount = localAmount(payment.amount, payment.currency, locale);
  const href = isPast ? new URL(payment.return_url).origin : returnUrl(page, view);
  const returns = view === 'completed' && !isPast;
  return (
    <Frame
      {...page}
      title={t(`${view}.heading`)}
      view={view}
      head={returns && <meta http-equiv="refresh" content={`${RETURN_SECONDS};url=${href}`} />}
    >
      {!isPast && <Summary {...page} />}
      <div class={`ending ending-${view}`} role="status" id="ending">
        <h1>{t(`${view}.heading`)}</h1>
        {isPast ? <p id="past">{t('finished.past')}</p> : <p>{t(`${view}.text`, { amount })}</p>}
      </div>
      <a class="main-button" href={href} id="return">
        {t('finished.return')}
      </a>
      {returns && <p class="aside">{t('completed.returning')}</p>}
    </Frame>
  );
}

/** Returns the merchant's URL for the customer's return. It may name the order. */
function returnUrl({ payment }: PaymentContext, ending: Ending): string {
  const cancelUrl = ending === 'canceled' ? payment.cancel_url : null;
  return fillPlaceholders(cancelUrl ?? payment.return_url, payment);
}
