/** The page that confirms a cancellation, and the one that refuses it during a bank visit. */
import { Notice } from '../../ui/form.tsx';
import type { PaymentContext } from '../context.ts';
import { Frame, Summary } from './frame.tsx';

export function CancelPage(page: PaymentContext) {
  const { t, link } = page;
  return (
    <Frame {...page} title={t('cancel.heading')} view="cancel">
      <Summary {...page} />
      <h1>{t('cancel.heading')}</h1>
      <p>{t('cancel.text')}</p>
      <form method="post" action={link('cancel')} id="cancel-form">
        <button type="submit" class="danger-button" id="cancel-yes">
          {t('cancel.yes')}
        </button>
      </form>
      <p class="aside">
        <a href={link('checkout')} id="cancel-no">
          {t('cancel.no')}
        </a>
      </p>
    </Frame>
  );
}

export function RefusedPage(page: PaymentContext) {
  const { t, link } = page;
  return (
    <Frame {...page} title={t('cancel.refused')} view="refused">
      <Summary {...page} />
      <h1>{t('cancel.refused')}</h1>
      <Notice kind="plain" id="refused">
        <p>{t('cancel.refused_text')}</p>
      </Notice>
      <a class="main-button" href={link('checkout')} id="onward">
        {t('cancel.onward')}
      </a>
    </Frame>
  );
}
