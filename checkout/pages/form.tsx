/** The page on which a customer chooses a method of payment and begins to pay. */
import { localAmount } from '../../domain/money.ts';
import { attemptsLeft, lastAttempt } from '../../domain/payment.ts';
import { ErrorSummary, Notice } from '../../ui/form.tsx';
import type { PaymentContext } from '../context.ts';
import type { TextKey } from '../text.ts';
import { Frame, Summary } from './frame.tsx';
import { TimeLeft } from './timeleft.tsx';

/** From this number on, the page says how many attempts are left. More would only worry people. */
const FEW_ATTEMPTS = 3;

export function FormPage(page: PaymentContext) {
  const { t, payment, link, locale, errors, method } = page;
  const { amount, currency } = payment;
  const errorTexts = Object.entries(errors).map(([id, key]: [string, TextKey]) => ({
    id,
    text: t(key),
  }));
  const price = localAmount(amount, currency, locale);
  return (
    <Frame {...page} title={`${t('page.title')} · ${price}`} view="form" script="form.js">
      <Summary {...page} />
      {errorTexts.length === 0 && <LastAttempt {...page} />}
      <ErrorSummary title={t('error.heading')} errors={errorTexts} />
      <MethodChoice {...page} />
      <h1>{t(method.heading)}</h1>
      <method.StartForm {...page} />
      <TimeLeft {...page} />
      <p class="aside">
        <a href={link('cancel')} id="cancel">
          {t('form.cancel')}
        </a>
      </p>
    </Frame>
  );
}

/** The methods, as links, so that the choice needs no script. Nothing if there is no choice. */
function MethodChoice({ t, choices, method }: PaymentContext) {
  if (choices.length < 2) return null;
  return (
    <nav class="methods" id="method" aria-label={t('method.choose')}>
      {choices.map(({ type, name, href }) => (
        <a key={type} href={href} id={`method-${type}`} aria-current={type === method.type}>
          {t(name)}
        </a>
      ))}
    </nav>
  );
}

/** The result of the last attempt, and the number of attempts left if they are few. */
function LastAttempt({ t, payment }: PaymentContext) {
  const last = lastAttempt(payment);
  if (!last) return null;
  const count = attemptsLeft(payment);
  const left = count <= FEW_ATTEMPTS && (
    <p id="attempts-left">{t('form.attempts_left', { count })}</p>
  );
  if (last.failure_code === null) {
    return (
      <Notice kind="plain" id="turned-back">
        <p>{t('form.turned_back')}</p>
        {left}
      </Notice>
    );
  }
  return (
    <Notice kind="bad" id="declined" title={t('form.declined')}>
      <p id="decline-reason">{t(`failure.${last.failure_code}`)}</p>
      <p>{t('form.not_charged')}</p>
      {left}
    </Notice>
  );
}
