/** The page of an HTTP error. It is the same for every unknown address. */
import { renderDocument } from '../../ui/document.tsx';
import type { PageContext } from '../context.ts';
import { Frame } from './frame.tsx';

export type ErrorKind = 'not_found' | 'method' | 'form' | 'too_many' | 'unavailable' | 'fault';

/** Returns the page as HTML. Its button leads to `retryHref`, if there is one. */
export function renderError(page: PageContext, kind: ErrorKind, retryHref?: string): string {
  const { t } = page;
  return renderDocument(
    <Frame {...page} title={t(`notice.${kind}`)} view={kind}>
      <h1>{t(`notice.${kind}`)}</h1>
      <p>{t(`notice.${kind}_text`)}</p>
      {retryHref !== undefined && (
        <a class="main-button" href={retryHref} id="again">
          {t('notice.again')}
        </a>
      )}
    </Frame>,
  );
}
