/** The sandbox bank's page of a transfer. It decides when the money arrives, and whether it does. */
import type { TRANSFER_OUTCOMES } from '../../../domain/bank.ts';
import { ErrorSummary } from '../../../ui/form.tsx';
import type { PaymentContext } from '../../context.ts';
import { BankFrame, Slip } from '../../pages/bank.tsx';
import { Option } from '../../pages/outcomes.tsx';
import type { TextKey } from '../../text.ts';
import { Reference } from './details.tsx';

type Outcome = (typeof TRANSFER_OUTCOMES)[number];

const DEFAULT: Outcome = 'approve';

/** The outcomes in groups, each with its title. */
const GROUPS: readonly (readonly [TextKey, readonly Outcome[]])[] = [
  ['transfer.group_arrives', ['approve', 'approve_after_5s', 'approve_after_30s']],
  ['transfer.group_returned', ['wrong_amount']],
  ['transfer.group_never', ['approve_after_timeout', 'never_answer']],
];

export function TransferBankPage(page: PaymentContext) {
  const { t, link, errors } = page;
  const summary = errors.outcome ? [{ id: `outcome-${DEFAULT}`, text: t(errors.outcome) }] : [];
  return (
    <BankFrame {...page} heading={t('bank.heading')} view="bank">
      <Slip {...page}>
        <Reference {...page} />
      </Slip>
      <ErrorSummary title={t('error.heading')} errors={summary} />
      <form method="post" action={link('bank')} id="bank-form">
        <h2>{t('transfer.choose')}</h2>
        {GROUPS.map(([title, outcomes]) => (
          <fieldset key={title}>
            <legend>{t(title)}</legend>
            {outcomes.map((name) => (
              <Option
                key={name}
                name={name}
                text={t(`transfer.${name}`)}
                isChosen={name === DEFAULT}
              />
            ))}
          </fieldset>
        ))}
        <button type="submit" class="main-button" id="decide">
          {t('transfer.decide')}
        </button>
      </form>
      <p>
        <a href={link('checkout')} id="details">
          {t('transfer.to_details')}
        </a>
      </p>
    </BankFrame>
  );
}
