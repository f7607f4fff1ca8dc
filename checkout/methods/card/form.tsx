/** The form in which a customer enters a card. */
import { TEST_CARDS } from '../../../domain/bank.ts';
import { localAmount } from '../../../domain/money.ts';
import { FormField } from '../../../ui/form.tsx';
import { BRANDS, groupDigits } from '../../brands.ts';
import type { CardField } from './check.ts';
import type { PaymentContext } from '../../context.ts';

/** The longest card number, with spaces between its digits. */
const MAX_NUMBER_LENGTH = 23;
const MAX_EXPIRY_LENGTH = 7;
const MAX_CVC_LENGTH = 4;

export function CardForm(page: PaymentContext) {
  const { t, payment, link, locale } = page;
  const { amount, currency, livemode } = payment;
  const price = localAmount(amount, currency, locale);
  return (
    <>
      <form method="post" action={link('pay')} id="card-form" novalidate>
        <CardFields {...page} />
        <button type="submit" class="main-button" id="pay">
          {t('form.pay', { amount: price })}
        </button>
      </form>
      {!livemode && <TestCards {...page} />}
    </>
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
      <div class="number">
        <FormField {...field('card_number', 'cc-number', MAX_NUMBER_LENGTH)} />
        <p
          class="brand"
          role="status"
          id="brand"
          data-brands={JSON.stringify(Object.values(BRANDS))}
        />
      </div>
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
            <dt>{groupDigits(number)}</dt>
            <dd>{t(`outcome.${preselects}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
