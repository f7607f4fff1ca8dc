/** The pages on which a customer waits for the bank. A script reloads them when the page changes. */
import type { PaymentContext } from '../context.ts';
import { Frame, Summary } from './frame.tsx';

/** How often a browser without scripts reloads the page, in seconds. */
const REFRESH_SECONDS = 3;

type WaitingView = 'waiting' | 'leaving' | 'silent';

export function WaitingPage({ view, ...page }: PaymentContext & { view: WaitingView }) {
  const { t, link, method } = page;
  const { Details } = method;
  const isSilent = view === 'silent';
  const refresh = (
    <noscript>
      <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
    </noscript>
  );
  const waitProps = { 'data-status': link('status'), 'data-view': view };
  return (
    <Frame
      {...page}
      title={t(`${view}.heading`)}
      view={view}
      script="wait.js"
      head={!isSilent && refresh}
    >
      <Summary {...page} />
      <div class={isSilent ? 'silent' : 'waiting'} role="status" id="wait" {...waitProps}>
        {!isSilent && <span class="spinner" aria-hidden="true" />}
        <h1>{t(`${view}.heading`)}</h1>
        <p>{t(`${view}.text`)}</p>
      </div>
      {view === 'waiting' && Details && <Details {...page} />}
      {isSilent && (
        <form method="post" action={link('check')} id="check-form">
          <button type="submit" class="main-button" id="check">
            {t('silent.check')}
          </button>
        </form>
      )}
    </Frame>
  );
}
