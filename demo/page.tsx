/** What all pages share: the document around them and their small parts. */

import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { SHOP_NAME } from './goods.ts';
import type { OrderStatus } from './orders.ts';
import { Mark } from './pictures.tsx';

/** Without a script an open order's page loads itself anew after this time. */
const RELOAD_SECONDS = 5;

interface PageProps {
  title: string;
  children: ComponentChildren;
  /** Reloads by itself where scripts are off. */
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
        <link rel="stylesheet" href="/assets/goods.css" />
        <link rel="stylesheet" href="/assets/orders.css" />
        <script type="module" src="/assets/shop.js"></script>
        {reloads && (
          <noscript>
            <meta http-equiv="refresh" content={String(RELOAD_SECONDS)} />
          </noscript>
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <aside class="ribbon" aria-label="About this shop">
          <strong>Demo shop.</strong> Nothing is sold, nothing is sent, no money moves.
        </aside>
        <header class="top">
          <a class="brand" href="/">
            <Mark />
            {SHOP_NAME}
          </a>
          <nav aria-label="Main">
            <a href="/">Shop</a>
            <a href="/orders">Orders</a>
          </nav>
        </header>
        <main id="main">{children}</main>
        <p id="announcer" class="unseen" role="status"></p>
        <footer class="bottom">
          <p>{SHOP_NAME} is made up. Payments run through Tollgate, in test mode.</p>
        </footer>
      </body>
    </html>
  );
}

/** The whole document. */
export function draw(page: PageProps): string {
  return `<!doctype html>\n${renderToString(<Page {...page} />)}`;
}

/** The form that makes an order; the token makes a second press the same order. */
export function OrderForm(props: { sku: string; token: string; label: string; name: string }) {
  return (
    <form method="post" action="/orders">
      <input type="hidden" name="sku" value={props.sku} />
      <input type="hidden" name="token" value={props.token} />
      <button type="submit">
        {props.label}
        <span class="unseen">{` ${props.name}`}</span>
      </button>
    </form>
  );
}

/** The status as a coloured word. */
export function Badge({ status }: { status: OrderStatus }) {
  return <span class={`badge ${status}`}>{status}</span>;
}

/** A moment, to the second, in UTC so that it can be held against logs. */
export function Time({ at }: { at: string }) {
  return <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}</time>;
}
