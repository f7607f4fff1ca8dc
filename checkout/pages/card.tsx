/** The page on which a customer enters a card. */
import { TEST_CARDS } from '../../domain/bank.ts';
import { localAmount } from '../../domain/money.ts';
import { MAX_ATTEMPTS, countAttempts, lastAttempt } from '../../domain/payment.ts';
import { ErrorSummary, FormField, Notice } from '../../ui/form.tsx';
import { CARD_FIELDS } from '../card.ts';
import type { CardField } from '../card.ts';
import type { PaymentContext } from '../context.ts';
import { timeInWords } from '../text.ts';
import { Frame, Summary } from './frame.tsx';

/** The longest card number, with spaces between its digits. */
const MAX_NUMBER_LENGTH = 23;
const MAX_EXPIRY_LENGTH = 7;
const MAX_CVC_LENGTH = 4;

export function CardPage(page: PaymentContext) {
  const { t, payment, link, locale, now, errors } = page;
  const { amount, currency, expires_at: expiresAt, livemode } = payment;
  const errorTexts = CARD_FIELDS.flatMap((id) => {
    const key = errors[id];
    return key ? [{ id, text: t(key) }] : [];
  });
  const price = localAmount(amount, currency, locale);
  const time = timeInWords(expiresAt.getTime() - now.getTime(), locale);
  return (
    <Frame {...page} title={`${t('page.title')} · ${price}`} view="form">
      <Summary {...page} />
      {errorTexts.length === 0 && <LastAttempt {...page} />}
      <ErrorSummary title={t('error.heading')} errors={errorTexts} />
      <h1>{t('form.heading')}</h1>
      <form method="post" action={link('pay')} id="card-form" novalidate>
        <CardFields {...page} />
        <button type="submit" class="main-button" id="pay">
          {t('form.pay', { amount: price })}
        </button>
      </form>
      {!livemode && <TestCards {...page} />}
      <p class="aside">
        <time datetime={expiresAt.toISOString()} id="time-left">
          {t('form.time_left', { time })}
        </time>
      </p>
      <p class="aside">
        <a href={link('cancel')} id="cancel">
          {t('form.cancel')}
        </a>
      </p>
    </Frame>
  );
}

/** The result of the last attempt, and the number of attempts left. */
function LastAttempt({ t, payment }: PaymentContext) {
  const last = lastAttempt(payment);
  if (!last) return null;
  if (last.failure_code === null) {
    return (
      <Notice kind="plain" id="turned-back">
        <p>{t('form.turned_back')}</p>
      </Notice>
    );
  }
  const count = MAX_ATTEMPTS - countAttempts(payment);
  return (
    <Notice kind="bad" id="declined" title={t('form.declined')}>
      <p id="decline-reason">{t(`failure.${last.failure_code}`)}</p>
      <p id="attempts-left">{t('form.attempts_left', { count })}</p>
    </Notice>
  );
}

function CardFields({ t, errors }: PaymentContext) {
  const field = (
    id: CardField,
    autocomplete: 'cc-number' | 'cc-exp' | 'cc-csc',
    maxLength: number,
  ) => ({
    id,
    label: t(`form.${id}`),
    error: errors[id] && t(errors[id]),
    input: { type: 'text', inputMode: 'numeric', required: true, autocomplete, maxLength } as const,
  });
  return (
    <>
      <FormField {...field('card_number', 'cc-number', MAX_NUMBER_LENGTH)} />
      <div class="pair">
        <FormField {...field('expiry', 'cc-exp', MAX_EXPIRY_LENGTH)} hint={t('form.expiry_hint')} />
        <FormField {...field('cvc', 'cc-csc', MAX_CVC_LENGTH)} hint={t('form.cvc_hint')} />
      </div>
    </>
  );
}

/** The list of test cards. It is open if the card number was refused. */
function TestCards({ t, errors }: PaymentContext) {
  return (
    <details class="test-cards" id="test-cards" open={errors.card_number !== undefined}>
      <summary>{t('form.test_cards')}</summary>
      <p class="hint">{t('form.test_cards_hint')}</p>
      <dl>
        {TEST_CARDS.map(({ number, preselects }) => (
          <div key={number}>
            <dt>{number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</dt>
            <dd>{t(`outcome.${preselects}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
