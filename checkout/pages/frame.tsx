/** The document and frame of every checkout page, and the summary of its payment. */
import type { ComponentChildren } from 'preact';
import { localAmount } from '../../domain/money.ts';
import { isFinal } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { Amount } from '../../ui/amount.tsx';
import { Document } from '../../ui/document.tsx';
import { signFontsOf } from '../../ui/fonts.ts';
import { Languages } from '../../ui/languages.tsx';
import type { AssetName } from '../assets.ts';
import type { PageContext, PaymentContext } from '../context.ts';

interface FrameProps extends PageContext {
  readonly title: string;
  /** The page's name, for scripts and tests. */
  readonly view: string;
  /** Adds the banner of test mode if the payment is not live. */
  readonly payment?: Payment;
  /** The address of the style sheet with the merchant's colour. */
  readonly colour?: string | null;
  readonly head?: ComponentChildren;
  readonly script?: AssetName | undefined;
  readonly children: ComponentChildren;
}

export function Frame(props: FrameProps) {
  const { t, asset, locale, languages, title, view, payment, colour, head, script, children } =
    props;
  const own = colour ? [colour] : [];
  return (
    <Document
      locale={locale}
      title={title}
      styles={[asset('checkout.css'), ...own]}
      script={script && asset(script)}
      icon={asset('icon.svg')}
      head={head}
    >
      <a class="skip" href="#main">
        {t('page.skip')}
      </a>
      {payment?.livemode === false && (
        <header class="banner" id="test-banner">
          {t('test.banner')}
        </header>
      )}
      <main id="main" class="card" data-view={view}>
        {children}
      </main>
      <footer class="foot">
        <Languages label={t('page.language')} current={locale} links={languages} />
        <p>{t('page.made_by')}</p>
      </footer>
    </Document>
  );
}

/** The amount, the payee, and the merchant's description and reference. */
export function Summary(page: PaymentContext) {
  const { payment, payee, logo, t } = page;
  const { description, order_id: orderId, status } = payment;
  return (
    <header class="summary">
      {logo && <img class="logo" id="logo" {...logo} alt={payee ?? ''} />}
      <dl>
        <div class="due">
          <dt>{t(isFinal(status) ? 'summary.total' : 'summary.amount')}</dt>
          <dd>
            <Price {...page} />
          </dd>
        </div>
        <Row term={t('summary.to')} text={payee} id="payee" />
        <Row term={t('summary.about')} text={description} id="description" />
        <Row term={t('summary.order')} text={orderId} id="order" />
      </dl>
    </header>
  );
}

/** The payment's amount, and the font of its sign, which browsers load beside the style sheet. */
export function Price({ payment: { amount, currency }, locale, asset }: PaymentContext) {
  const fonts = signFontsOf(localAmount(amount, currency, locale)).map(asset);
  return (
    <>
      {fonts.map((href) => (
        <link
          key={href}
          rel="preload"
          as="font"
          type="font/woff2"
          href={href}
          crossOrigin="anonymous"
        />
      ))}
      <Amount amount={amount} currency={currency} locale={locale} />
    </>
  );
}

/** A row of a summary. Renders nothing if there is no text. */
export function Row({ term, text, id }: { term: string; text: string | null; id?: string }) {
  if (text === null) return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd id={id} dir="auto">
        {text}
      </dd>
    </div>
  );
}
