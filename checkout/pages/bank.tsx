/** The sandbox bank's pages. They look unlike the checkout, because a bank is another company. */
import type { ComponentChildren } from 'preact';
import { MAX_WRONG_CODES, SANDBOX_3DS_CODE } from '../../domain/bank.ts';
import { lastCard } from '../../domain/method.ts';
import { lastAttempt } from '../../domain/payment.ts';
import { Document } from '../../ui/document.tsx';
import { ErrorSummary, FormField } from '../../ui/form.tsx';
import { Languages } from '../../ui/languages.tsx';
import { cardInWords } from '../brands.ts';
import type { PaymentContext } from '../context.ts';
import type { LateView, View } from '../state.ts';
import { Price, Row } from './frame.tsx';
import { ChoiceList, QuickChoices, firstChoice } from './outcomes.tsx';

/** Twice the length of the code, so that spaces between its digits fit. */
const MAX_CODE_LENGTH = 12;

export function BankPage(page: PaymentContext) {
  const { t, link, errors } = page;
  const first = `outcome-${firstChoice(page)}`;
  const summary = errors.outcome ? [{ id: first, text: t(errors.outcome) }] : [];
  return (
    <BankFrame {...page} heading={t('bank.heading')} view="bank">
      <Slip {...page} />
      <ErrorSummary title={t('error.heading')} errors={summary} />
      <h2>{t('bank.choose')}</h2>
      <QuickChoices {...page} />
      <form method="post" action={link('bank')} id="bank-form">
        <h2>{t('bank.all')}</h2>
        <ChoiceList {...page} />
        <button type="submit" class="main-button" id="decide">
          {t('bank.send')}
        </button>
      </form>
    </BankFrame>
  );
}

/** The 3-D Secure page. Its form posts to the bank's address. */
export function CodePage(page: PaymentContext) {
  const { t, payment, link, errors } = page;
  const count = lastAttempt(payment)?.wrong_codes ?? 0;
  // From the stored count, so that the text survives a reload and a change of the language.
  const wrong = count > 0 && t('error.code_wrong', { count: MAX_WRONG_CODES - count });
  const error = errors.code ? t(errors.code) : wrong || undefined;
  return (
    <BankFrame {...page} heading={t('code.heading')} view="code">
      <Slip {...page} />
      <ErrorSummary
        title={t('error.heading')}
        errors={error ? [{ id: 'code', text: error }] : []}
      />
      <p>{t('code.text', { code: SANDBOX_3DS_CODE })}</p>
      <form method="post" action={link('bank')} id="code-form" novalidate>
        <input type="hidden" name="outcome" value="approve_3ds" />
        <input type="hidden" name="wrong_codes" value={count} />
        <FormField
          id="code"
          label={t('code.label')}
          error={error}
          input={{
            type: 'text',
            inputMode: 'numeric',
            autocomplete: 'one-time-code',
            required: true,
            maxLength: MAX_CODE_LENGTH,
          }}
        />
        <button type="submit" class="main-button" id="confirm">
          {t('code.send')}
        </button>
      </form>
      <form method="post" action={link('bank')} id="turn-back-form">
        <button type="submit" class="plain-button" name="outcome" value="turn_back" id="turn-back">
          {t('code.back')}
        </button>
      </form>
    </BankFrame>
  );
}

/**
 * The page of an attempt that has ended. It shows nothing of the payment, because its address may
 * be very old.
 */
export function LatePage({ view, ...page }: PaymentContext & { view: LateView }) {
  const { t, link } = page;
  return (
    <BankFrame {...page} heading={t('late.heading')} view={view}>
      <p id="late">{t(view)}</p>
      <a class="main-button" href={link('checkout')} id="onward">
        {t('late.onward')}
      </a>
    </BankFrame>
  );
}

/** The payee, the amount and the card, or the rows of another method. */
export function Slip(page: PaymentContext & { children?: ComponentChildren }) {
  const { t, payment, payee, children } = page;
  const card = lastCard(payment);
  return (
    <dl class="slip">
      <Row term={t('bank.payee')} text={payee} />
      <div>
        <dt>{t('summary.total')}</dt>
        <dd>
          <Price {...page} />
        </dd>
      </div>
      {card && (
        <div>
          <dt>{t('bank.card')}</dt>
          <dd>{cardInWords(card)}</dd>
        </div>
      )}
      {children}
    </dl>
  );
}

interface BankFrameProps extends PaymentContext {
  readonly heading: string;
  readonly view: View;
  readonly children: ComponentChildren;
}

export function BankFrame({
  t,
  asset,
  locale,
  languages,
  heading,
  view,
  children,
}: BankFrameProps) {
  return (
    <Document
      locale={locale}
      title={`${heading} · ${t('bank.name')}`}
      styles={[asset('bank.css')]}
      icon={asset('icon.svg')}
    >
      <header class="bank-head">
        <p class="bank-name">
          <span class="bank-mark" aria-hidden="true" />
          {t('bank.name')}
        </p>
        <Languages label={t('page.language')} current={locale} links={languages} />
      </header>
      <aside class="banner" id="test-banner">
        <strong>{t('bank.banner')}</strong> {t('bank.no_money')}
      </aside>
      <main id="main" data-view={view}>
        <h1>{heading}</h1>
        {children}
      </main>
    </Document>
  );
}
