/** The document around every page, and the parts that pages share. */

import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { SHOP_NAME } from './goods.ts';
import type { OrderStatus } from './orders.ts';

/** How often an open order's page reloads in a browser without scripts. */
const RELOAD_SECONDS = 5;

interface PageProps {
  title: string;
  children: ComponentChildren;
  /** True if the page reloads by itself where scripts are off. */
  reloads?: boolean;
}

function Page({ title, children, reloads = false }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${SHOP_NAME}`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/shop.css" />
        <script type="module" src="/assets/shop.js"></script>
        {reloads && (
          <noscript>
            <meta http-equiv="refresh" content={String(RELOAD_SECONDS)} />
          </noscript>
        )}
      </head>
      <body>
        <aside class="ribbon" aria-label="About this shop">
          <strong>Demo shop.</strong> Nothing is sold, nothing is sent, no money moves.
        </aside>
        <header class="top">
          <a class="unseen" href="#main">
            Skip to content
          </a>
          <a class="brand" href="/">
            <img src="/assets/icon.svg" width="30" height="30" alt="" />
            {SHOP_NAME}
          </a>
          <nav aria-label="Main">
            <a href="/">Shop</a>
            <a href="/orders">Orders</a>
          </nav>
        </header>
        <main id="main">{children}</main>
        <p id="announcer" class="unseen" role="status"></p>
        <footer class="small">
          {SHOP_NAME} is made up. Payments run through Tollgate, in test mode.
        </footer>
      </body>
    </html>
  );
}

/** Returns the whole document as HTML text. */
export function renderPage(page: PageProps): string {
  return `<!doctype html>\n${renderToString(<Page {...page} />)}`;
}

interface OrderFormProps {
  sku: string;
  /** Sending a form with the same token again leads to the same order. */
  token: string;
  label: string;
  /** The name of the button for screen readers, if it is more than the label. */
  name?: string;
}

/** A button that places an order. */
export function OrderForm({ sku, token, label, name = label }: OrderFormProps) {
  return (
    <form method="post" action="/orders">
      <input type="hidden" name="sku" value={sku} />
      <input type="hidden" name="token" value={token} />
      <button type="submit" aria-label={name}>
        {label}
      </button>
    </form>
  );
}

/** The picture of a good. It is decoration: the text beside it names the good. */
export function Picture({ sku }: { sku: string }) {
  return <img class="picture" src={`/assets/${sku}.svg`} width="240" height="160" alt="" />;
}

/** The status as a coloured word. */
export function Badge({ status }: { status: OrderStatus }) {
  return <span class={`badge ${status}`}>{status}</span>;
}

/** A time to the second, in UTC, to be compared with logs. */
export function Time({ at }: { at: string }) {
  return <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}</time>;
}
