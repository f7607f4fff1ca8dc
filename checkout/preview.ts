/** Requests that no customer has made: prefetches of browsers, and previews of links. */
import type { Context } from 'koa';

/** The headers by which browsers mark a page that is fetched before anybody asks for it. */
const PURPOSES = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];
const EARLY = /prefetch|prerender|preview/i;
/** Programs of messengers, search engines and mail filters that open the links in a message. */
const PROGRAMS =
  /(?<!cu)bot\b|crawler|spider|preview|facebookexternalhit|meta-external|whatsapp\/|viber|vkshare/i;

/** Returns true for such a request. It gets the page, but is no opening of it. */
export function isPreview(ctx: Context): boolean {
  if (PURPOSES.some((name) => EARLY.test(ctx.get(name)))) return true;
  return PROGRAMS.test(ctx.get('User-Agent'));
}
