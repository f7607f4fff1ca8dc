/** The sandbox bank's own pages: another house, so another look. */
import type { ComponentChildren } from 'preact';
import { SANDBOX_3DS_CODE, TEST_CARDS } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import { lastAttempt } from '../../domain/payment.ts';
import type { Card } from '../../domain/payment.ts';
import { Amount } from '../../ui/amount.tsx';
import { renderDocument } from '../../ui/document.tsx';
import { ErrorSummary, FormField } from '../../ui/form.tsx';
import { Languages } from '../../ui/languages.tsx';
import type { Scene } from '../scene.ts';
import type { LateView } from '../table.ts';
import type { TextKey } from '../text.ts';

type Choice = SandboxOutcomeName | 'turn_back';

/** The outcomes in groups; a test holds them against the domain's list. */
export const GROUPS: readonly { readonly title: TextKey; readonly choices: readonly Choice[] }[] = [
  { title: 'bank.group_approve', choices: ['approve', 'approve_3ds'] },
  {
    title: 'bank.group_decline',
    choices: [
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'incorrect_cvc',
      'limit_exceeded',
      'issuer_unavailable',
    ],
  },
  { title: 'bank.group_end', choices: ['suspected_fraud', 'lost_or_stolen'] },
  {
    title: 'bank.group_late',
    choices: ['approve_after_5s', 'approve_after_30s', 'decline_after_30s'],
  },
  { title: 'bank.group_silent', choices: ['approve_after_timeout', 'never_answer'] },
  { title: 'bank.group_leave', choices: ['turn_back'] },
];

/** Codes of real banks are shorter; blanks between the digits are allowed. */
const MAX_CODE_LENGTH = 12;

/** Brands as they write themselves. */
const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard' };

/** What is chosen in advance: a payment keeps of a card only its brand and last four digits. */
export function preselected({ brand, last4 }: Card): SandboxOutcomeName {
  const match = TEST_CARDS.find((card) => card.brand === brand && card.number.endsWith(last4));
  return match?.preselects ?? 'approve';
}

export function drawBank(scene: Scene, fault: TextKey | undefined): string {
  const { say, payment, links } = scene;
  const card = lastAttempt(payment)?.card;
  const chosen = card && preselected(card);
  const errors = fault ? [{ id: `outcome-${chosen}`, text: say(fault) }] : [];
  return drawBankFrame(scene, {
    heading: say('bank.heading'),
    view: 'bank',
    children: (
      <>
        <Slip scene={scene} />
        <ErrorSummary title={say('error.heading')} errors={errors} />
        <form method="post" action={links.bank} id="bank-form">
          <h2>{say('bank.choose')}</h2>
          {GROUPS.map(({ title, choices }) => (
            <fieldset key={title}>
              <legend>{say(title)}</legend>
              {choices.map((name) => (
                <Option key={name} name={name} text={say(`outcome.${name}`)} chosen={chosen} />
              ))}
            </fieldset>
          ))}
          <button type="submit" class="main-button" id="decide">
            {say('bank.send')}
          </button>
        </form>
      </>
    ),
  });
}

function Option(props: { name: Choice; text: string; chosen: Choice | undefined }) {
  const id = `outcome-${props.name}`;
  return (
    <label class="option" for={id}>
      <input
        type="radio"
        name="outcome"
        id={id}
        value={props.name}
        checked={props.name === props.chosen}
      />
      <span>{props.text}</span>
      <code>{props.name}</code>
    </label>
  );
}

/** The 3-D Secure page. It keeps nothing: the code goes to the bank's own address. */
export function drawCode(scene: Scene, fault: TextKey | undefined): string {
  const { say, links } = scene;
  const error = fault && say(fault);
  return drawBankFrame(scene, {
    heading: say('code.heading'),
    view: 'code',
    children: (
      <>
        <Slip scene={scene} />
        <p>{say('code.text', { code: SANDBOX_3DS_CODE })}</p>
        <form method="post" action={links.bank} id="code-form" novalidate>
          <input type="hidden" name="outcome" value="approve_3ds" />
          <FormField
            id="code"
            label={say('code.label')}
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
            {say('code.send')}
          </button>
        </form>
        <form method="post" action={links.bank} id="turn-back-form">
          <button
            type="submit"
            class="plain-button"
            name="outcome"
            value="turn_back"
            id="turn-back"
          >
            {say('code.back')}
          </button>
        </form>
      </>
    ),
  });
}

/**
 * Draws the page of an attempt that has ended. It shows nothing of the payment, because its address
 * may be very old.
 */
export function drawLate(scene: Scene, view: LateView): string {
  const { say, links } = scene;
  return drawBankFrame(scene, {
    heading: say('late.heading'),
    view,
    children: (
      <>
        <p id="late">{say(view)}</p>
        <a class="main-button" href={links.checkout} id="onward">
          {say('late.onward')}
        </a>
      </>
    ),
  });
}

/** Who is paid, how much, and by which card. */
function Slip({ scene }: { scene: Scene }) {
  const { say, locale, payment, payee } = scene;
  const card = lastAttempt(payment)?.card;
  return (
    <dl class="slip">
      {payee !== null && (
        <div>
          <dt>{say('bank.payee')}</dt>
          <dd dir="auto">{payee}</dd>
        </div>
      )}
      <div>
        <dt>{say('summary.total')}</dt>
        <dd>
          <Amount amount={payment.amount} currency={payment.currency} locale={locale} />
        </dd>
      </div>
      {card && (
        <div>
          <dt>{say('bank.card')}</dt>
          <dd>{`${BRANDS[card.brand] ?? card.brand} •••• ${card.last4}`}</dd>
        </div>
      )}
    </dl>
  );
}

interface BankFrameProps {
  heading: string;
  view: string;
  children: ComponentChildren;
}

function drawBankFrame(scene: Scene, { heading, view, children }: BankFrameProps): string {
  const { say, asset, locale, languages } = scene;
  return renderDocument({
    locale,
    title: `${heading} · ${say('bank.name')}`,
    styles: [asset('bank.css')],
    icon: asset('icon.svg'),
    children: (
      <>
        <header class="bank-head">
          <p class="bank-name">
            <span class="bank-mark" aria-hidden="true" />
            {say('bank.name')}
          </p>
          <Languages label={say('page.language')} current={locale} links={languages} />
        </header>
        <aside class="banner" id="test-banner">
          {say('test.banner')} {say('bank.no_money')}
        </aside>
        <main id="main" data-view={view}>
          <h1>{heading}</h1>
          {children}
        </main>
      </>
    ),
  });
}
