/** The page on which a customer enters a card, and the one on which he may give up. */
import { TEST_CARDS } from '../../domain/bank.ts';
import { MAX_ATTEMPTS, countAttempts, lastAttempt } from '../../domain/payment.ts';
import { localAmount } from '../../domain/money.ts';
import { ErrorSummary, FormField, Notice } from '../../ui/form.tsx';
import { CARD_FIELDS } from '../card.ts';
import type { CardErrors } from '../card.ts';
import type { Scene } from '../scene.ts';
import { timeInWords } from '../text.ts';
import { drawFrame } from './frame.tsx';
import { Summary } from './summary.tsx';

/** The longest input that can still be a card number, with blanks between its digits. */
const MAX_NUMBER_LENGTH = 23;
const MAX_EXPIRY_LENGTH = 7;
const MAX_CVC_LENGTH = 4;

export function drawForm(scene: Scene, faults: CardErrors): string {
  const { say, payment, links, locale, now } = scene;
  const errors = CARD_FIELDS.flatMap((id) => {
    const key = faults[id];
    return key ? [{ id, text: say(key) }] : [];
  });
  const leftMs = payment.expires_at.getTime() - now.getTime();
  const amount = localAmount(payment.amount, payment.currency, locale);
  return drawFrame(scene, {
    title: `${say('page.title')}: ${amount}`,
    isTest: !payment.livemode,
    view: 'form',
    children: (
      <>
        <Summary scene={scene} />
        {errors.length === 0 && <LastTry scene={scene} />}
        <ErrorSummary title={say('error.heading')} errors={errors} />
        <h1>{say('form.heading')}</h1>
        <form method="post" action={links.pay} id="card-form" novalidate>
          <CardFields scene={scene} faults={faults} />
          <button type="submit" class="main-button" id="pay">
            {say('form.pay', { amount })}
          </button>
        </form>
        {!payment.livemode && <TestCards scene={scene} open={faults.card_number !== undefined} />}
        <p class="aside">
          <time datetime={payment.expires_at.toISOString()} id="time-left">
            {say('form.time_left', { time: timeInWords(leftMs, locale) })}
          </time>
        </p>
        <p class="aside">
          <a href={links.cancel} id="cancel">
            {say('form.cancel')}
          </a>
        </p>
      </>
    ),
  });
}

/** What came of the last try, and how many are left. */
function LastTry({ scene }: { scene: Scene }) {
  const { say, payment } = scene;
  const last = lastAttempt(payment);
  if (last && last.failure_code === null) {
    return (
      <Notice kind="plain" id="turned-back">
        <p>{say('form.turned_back')}</p>
      </Notice>
    );
  }
  if (!last?.failure_code) return null;
  const count = MAX_ATTEMPTS - countAttempts(payment);
  return (
    <Notice kind="bad" id="declined" title={say('form.declined')}>
      <p id="decline-reason">{say(`failure.${last.failure_code}`)}</p>
      <p id="attempts-left">{say('form.attempts_left', { count })}</p>
    </Notice>
  );
}

function CardFields({ scene, faults }: { scene: Scene; faults: CardErrors }) {
  const { say } = scene;
  const error = (id: keyof CardErrors) => {
    const key = faults[id];
    return key && say(key);
  };
  const digits = { type: 'text', inputMode: 'numeric', required: true } as const;
  return (
    <>
      <FormField
        id="card_number"
        label={say('form.card_number')}
        error={error('card_number')}
        input={{ ...digits, autocomplete: 'cc-number', maxLength: MAX_NUMBER_LENGTH }}
      />
      <div class="pair">
        <FormField
          id="expiry"
          label={say('form.expiry')}
          hint={say('form.expiry_hint')}
          error={error('expiry')}
          input={{ ...digits, autocomplete: 'cc-exp', maxLength: MAX_EXPIRY_LENGTH }}
        />
        <FormField
          id="cvc"
          label={say('form.cvc')}
          hint={say('form.cvc_hint')}
          error={error('cvc')}
          input={{ ...digits, autocomplete: 'cc-csc', maxLength: MAX_CVC_LENGTH }}
        />
      </div>
    </>
  );
}

function TestCards({ scene, open }: { scene: Scene; open: boolean }) {
  const { say } = scene;
  return (
    <details class="test-cards" id="test-cards" open={open}>
      <summary>{say('form.test_cards')}</summary>
      <p class="hint">{say('form.test_cards_hint')}</p>
      <dl>
        {TEST_CARDS.map(({ number, preselects }) => (
          <div key={number}>
            <dt>{number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</dt>
            <dd>{say(`outcome.${preselects}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
