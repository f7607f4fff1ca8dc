/** The page of a payment that has ended. */
import { isHardDecline } from '../../domain/bank.ts';
import { localAmount } from '../../domain/money.ts';
import { endedAt } from '../../domain/payment.ts';
import { fillPlaceholders } from '../../domain/wire.ts';
import type { PaymentContext } from '../context.ts';
import type { Ending } from '../state.ts';
import { Frame, Summary } from './frame.tsx';
import { Receipt } from './receipt.tsx';

/**
 * The time to read the page before it returns to the shop, or to choose to stay, in seconds. WCAG
 * 2.2.1 asks for 20.
 */
const RETURN_SECONDS = 20;

/**
 * How long after its end a payment is shown in full. The page needs no password, and its address
 * stays in browser histories and emails.
 */
const SHOWN_MS = 24 * 60 * 60 * 1000;

interface FinishedPageProps extends PaymentContext {
  readonly view: Ending;
  /** True for the page that stays, so that it can be printed. */
  readonly isReceipt?: boolean;
}

export function FinishedPage({ view, isReceipt = false, ...page }: FinishedPageProps) {
  const { t, payment, link, now } = page;
  const end = endedAt(payment) ?? payment.expires_at;
  const isPast = now.getTime() >= end.getTime() + SHOWN_MS;
  const href = isPast ? new URL(payment.return_url).origin : returnUrl(page, view);
  const isPaid = view === 'completed' && !isPast;
  const returns = isPaid && !isReceipt;
  const refresh = (
    <noscript>
      <meta http-equiv="refresh" content={`${RETURN_SECONDS};url=${href}`} />
    </noscript>
  );
  return (
    <Frame
      {...page}
      title={t(`${view}.heading`)}
      view={isReceipt ? 'receipt' : view}
      script={isPaid ? 'finished.js' : undefined}
      head={returns && refresh}
    >
      {!isPast && <Summary {...page} />}
      <div class={`ending ending-${view}`} role="status" id="ending">
        <h1>{t(`${view}.heading`)}</h1>
        {isPast ? <p id="past">{t('finished.past')}</p> : <Result view={view} {...page} />}
      </div>
      {isPaid && <Receipt {...page} />}
      <a
        class="main-button"
        href={href}
        id="return"
        data-after-ms={returns ? RETURN_SECONDS * 1000 : undefined}
      >
        {t('finished.return')}
      </a>
      {returns && (
        <p class="aside">
          {t('completed.returning', { seconds: RETURN_SECONDS })}{' '}
          <a href={link('receipt')} id="stay">
            {t('completed.stay')}
          </a>
        </p>
      )}
    </Frame>
  );
}

/** How the payment ended, whether anything was charged, and what the customer can do. */
function Result({ view, ...page }: PaymentContext & { view: Ending }) {
  const { t, payment, locale } = page;
  const { failure_code: code } = payment;
  const amount = localAmount(payment.amount, payment.currency, locale);
  return (
    <>
      {view === 'failed' && (
        <p id="reason">
          {t(code && isHardDecline(code) ? `failure.${code}` : 'failed.no_attempts')}
        </p>
      )}
      <p>{t(`${view}.text`, { amount })}</p>
    </>
  );
}

/** Returns the merchant's URL for the customer's return. It may name the order. */
function returnUrl({ payment }: PaymentContext, ending: Ending): string {
  const cancelUrl = ending === 'canceled' ? payment.cancel_url : null;
  return fillPlaceholders(cancelUrl ?? payment.return_url, payment);
}
