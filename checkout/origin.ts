/** Refuses forms that the page of another site submits. */
import type { Context, Middleware } from 'koa';
import { parseUrl } from '../domain/url.ts';

/**
 * Creates the middleware, which throws 403. The forms change nothing without a payment's secret
 * address, and no cookie helps a foreign page. So requests that do not say where they come from are
 * served.
 */
export function refuseForeignForms(checkoutUrl: string): Middleware {
  const own = new URL(checkoutUrl).origin;
  return async (ctx, next) => {
    if (ctx.method === 'POST' && isForeign(ctx, own)) ctx.throw(403);
    await next();
  };
}

function isForeign(ctx: Context, own: string): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  // `none` is the customer's own doing, such as a restored tab.
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('Origin');
  // With `no-referrer`, browsers send `null` with our own forms.
  if (origin !== '' && origin !== 'null') return origin !== own;
  const referrer = ctx.get('Referer');
  return referrer !== '' && parseUrl(referrer)?.origin !== own;
}
