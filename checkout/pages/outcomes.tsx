/** The choices at the sandbox bank. Their names and order are a contract: `docs/guides/testing.md`. */
import { SANDBOX_OUTCOMES, TEST_CARDS } from '../../domain/bank.ts';
import type { Choice, DecisionName } from '../../domain/bank.ts';
import { lastCard } from '../../domain/method.ts';
import { TRANSITIONS } from '../../domain/payment.ts';
import type { Card } from '../../domain/payment.ts';
import { changeAfter } from '../../domain/verdict.ts';
import type { PaymentContext } from '../context.ts';
import { timeInWords } from '../text.ts';
import type { TextKey } from '../text.ts';

/** The choices in groups, each with its title. */
const GROUPS = [
  ['approve', ['approve', 'approve_3ds']],
  [
    'decline',
    [
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'incorrect_cvc',
      'limit_exceeded',
      'issuer_unavailable',
    ],
  ],
  ['end', ['suspected_fraud', 'lost_or_stolen']],
  ['late', ['approve_after_5s', 'approve_after_30s', 'decline_after_30s']],
  ['silent', ['approve_after_timeout', 'never_answer']],
  ['leave', ['turn_back']],
] as const satisfies readonly (readonly [string, readonly Choice[]])[];

/** Returns the choice for a test card. A payment has only the card's brand and last digits. */
function preselect({ brand, last4 }: Card): Choice {
  const match = TEST_CARDS.find((card) => card.brand === brand && card.number.endsWith(last4));
  return match?.preselects ?? 'approve';
}

/** Returns the choice that is checked in the list. */
export function firstChoice({ payment }: PaymentContext): Choice {
  const card = lastCard(payment);
  return card ? preselect(card) : 'approve';
}

/**
 * Buttons for the choice of the card, for an approval, and for turning back. They form a form of
 * their own, so that Enter in the list still sends the list.
 */
export function QuickChoices(page: PaymentContext) {
  const { t, link } = page;
  const choices = new Set<Choice>([firstChoice(page), 'approve']);
  return (
    <form method="post" action={link('bank')} id="quick-form">
      {[...choices].map((name, index) => (
        <button
          key={name}
          type="submit"
          class={index === 0 ? 'main-button' : 'plain-button'}
          name="quick"
          value={name}
          id={`quick-${name}`}
        >
          {quickText(page, name)}
        </button>
      ))}
      <button type="submit" class="plain-button" name="quick" value="turn_back" id="turn-back">
        {t('outcome.turn_back')}
      </button>
    </form>
  );
}

/** Returns the text of a button. Those of declines name only the reason in the list. */
function quickText({ t }: PaymentContext, name: Choice): string {
  const outcome = t(`outcome.${name}`);
  const isDecline = name !== 'turn_back' && SANDBOX_OUTCOMES[name].says.answer === 'declined';
  return isDecline ? t('bank.decline', { outcome }) : outcome;
}

export function ChoiceList(page: PaymentContext) {
  const { t, payment, locale, now } = page;
  const time = timeInWords(payment.due_at.getTime() - now.getTime(), locale);
  return GROUPS.map(([group, choices]) => (
    <fieldset key={group} {...(group === 'silent' && { 'aria-describedby': 'bank-time' })}>
      <legend>{t(`bank.group_${group}`)}</legend>
      {group === 'silent' && (
        <p class="hint" id="bank-time">
          {t('bank.time_left', { time })}
        </p>
      )}
      {choices.map((name) => (
        <Option
          key={name}
          name={name}
          text={t(`outcome.${name}`)}
          then={consequence(page, name)}
          isChosen={name === firstChoice(page)}
        />
      ))}
    </fieldset>
  ));
}

interface OptionProps {
  readonly name: DecisionName | 'turn_back';
  readonly text: string;
  /** What follows from the choice. */
  readonly then?: string;
  readonly isChosen: boolean;
}

/** A choice in the list. */
export function Option({ name, text, then, isChosen }: OptionProps) {
  const id = `outcome-${name}`;
  return (
    <div class="option">
      <input
        type="radio"
        name="outcome"
        id={id}
        value={name}
        checked={isChosen}
        {...(then !== undefined && { 'aria-describedby': `${id}-then` })}
      />
      <label for={id}>{text}</label>
      <code>{name}</code>
      {then !== undefined && (
        <p class="hint" id={`${id}-then`}>
          {then}
        </p>
      )}
    </div>
  );
}

/** Returns a sentence with the status of the payment after a choice, and the event. */
function consequence({ t, payment, now }: PaymentContext, name: Choice): string {
  const { transition, code } = changeAfter(payment, name, now);
  const { to, event } = TRANSITIONS[transition];
  if (event === null) return t('bank.then_back', { status: to });
  const status = code === 'bank_timeout' ? `${to} (${code})` : to;
  const then = t(templateOf(name), { status, event });
  return name === 'approve_after_timeout' ? `${then} ${t('bank.then_reversed')}` : then;
}

function templateOf(name: Choice): TextKey {
  if (name === 'approve_3ds') return 'bank.then_code';
  const outcome = name === 'turn_back' ? undefined : SANDBOX_OUTCOMES[name];
  const isLate = outcome && (outcome.delayMs > 0 || outcome.says.answer === 'none');
  return isLate ? 'bank.then_later' : 'bank.then';
}
