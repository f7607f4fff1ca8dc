/** The sandbox bank's pages. They look unlike the checkout, because a bank is another company. */
import type { ComponentChildren } from 'preact';
import { SANDBOX_3DS_CODE, TEST_CARDS } from '../../domain/bank.ts';
import type { CHOICES } from '../../domain/bank.ts';
import { lastAttempt } from '../../domain/payment.ts';
import type { Card } from '../../domain/payment.ts';
import { Amount } from '../../ui/amount.tsx';
import { Document } from '../../ui/document.tsx';
import { ErrorSummary, FormField } from '../../ui/form.tsx';
import { Languages } from '../../ui/languages.tsx';
import type { PaymentContext } from '../context.ts';
import type { LateView, View } from '../state.ts';
import type { TextKey } from '../text.ts';
import { Row } from './frame.tsx';

type Choice = (typeof CHOICES)[number];

/** The choices in groups, each with its title. */
const GROUPS: readonly (readonly [TextKey, readonly Choice[]])[] = [
  ['bank.group_approve', ['approve', 'approve_3ds']],
  [
    'bank.group_decline',
    [
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'incorrect_cvc',
      'limit_exceeded',
      'issuer_unavailable',
    ],
  ],
  ['bank.group_end', ['suspected_fraud', 'lost_or_stolen']],
  ['bank.group_late', ['approve_after_5s', 'approve_after_30s', 'decline_after_30s']],
  ['bank.group_silent', ['approve_after_timeout', 'never_answer']],
  ['bank.group_leave', ['turn_back']],
];

/** Twice the length of the code, so that spaces between its digits fit. */
const MAX_CODE_LENGTH = 12;

/** The spelling of each brand. */
const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard' };

/** Returns the choice for a test card. A payment has only the card's brand and last digits. */
function preselect({ brand, last4 }: Card): Choice {
  const match = TEST_CARDS.find((card) => card.brand === brand && card.number.endsWith(last4));
  return match?.preselects ?? 'approve';
}

export function BankPage(page: PaymentContext) {
  const { t, payment, link, errors } = page;
  const card = lastAttempt(payment)?.card;
  const chosen = card && preselect(card);
  const summary = errors.outcome ? [{ id: `outcome-${chosen}`, text: t(errors.outcome) }] : [];
  return (
    <BankFrame {...page} heading={t('bank.heading')} view="bank">
      <Slip {...page} />
      <ErrorSummary title={t('error.heading')} errors={summary} />
      <form method="post" action={link('bank')} id="bank-form">
        <h2>{t('bank.choose')}</h2>
        {GROUPS.map(([title, choices]) => (
          <fieldset key={title}>
            <legend>{t(title)}</legend>
            {choices.map((name) => (
              <Option key={name} name={name} text={t(`outcome.${name}`)} chosen={chosen} />
            ))}
          </fieldset>
        ))}
        <button type="submit" class="main-button" id="decide">
          {t('bank.send')}
        </button>
      </form>
    </BankFrame>
  );
}

function Option(props: { name: Choice; text: string; chosen: Choice | undefined }) {
  const { name, text, chosen } = props;
  const id = `outcome-${name}`;
  return (
    <label class="option" for={id}>
      <input type="radio" name="outcome" id={id} value={name} checked={name === chosen} />
      <span>{text}</span>
      <code>{name}</code>
    </label>
  );
}

/** The 3-D Secure page. Its form posts to the bank's address. */
export function CodePage(page: PaymentContext) {
  const { t, link, errors } = page;
  return (
    <BankFrame {...page} heading={t('code.heading')} view="code">
      <Slip {...page} />
      <p>{t('code.text', { code: SANDBOX_3DS_CODE })}</p>
      <form method="post" action={link('bank')} id="code-form" novalidate>
        <input type="hidden" name="outcome" value="approve_3ds" />
        <FormField
          id="code"
          label={t('code.label')}
          error={errors.code && t(errors.code)}
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

/** The payee, the amount and the card. */
function Slip({ t, locale, payment, payee }: PaymentContext) {
  const card = lastAttempt(payment)?.card;
  return (
    <dl class="slip">
      <Row term={t('bank.payee')} text={payee} />
      <div>
        <dt>{t('summary.total')}</dt>
        <dd>
          <Amount amount={payment.amount} currency={payment.currency} locale={locale} />
        </dd>
      </div>
      {card && (
        <div>
          <dt>{t('bank.card')}</dt>
          <dd>{`${BRANDS[card.brand] ?? card.brand} •••• ${card.last4}`}</dd>
        </div>
      )}
    </dl>
  );
}

interface BankFrameProps extends PaymentContext {
  readonly heading: string;
  readonly view: View;
  readonly children: ComponentChildren;
}

function BankFrame({ t, asset, locale, languages, heading, view, children }: BankFrameProps) {
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
        {t('test.banner')} {t('bank.no_money')}
      </aside>
      <main id="main" data-view={view}>
        <h1>{heading}</h1>
        {children}
      </main>
    </Document>
  );
}
