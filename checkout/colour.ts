/** The style sheet that gives a merchant's pages its colour. The CSP forbids inline styles. */
import type { RouterContext } from '@koa/router';
import { darkerShade, isReadable, readColour } from '../domain/colour.ts';
import { IMMUTABLE, hashOf } from '../http/assets.ts';
import type { Services } from './request.ts';

/** Returns the address of the style sheet, with its hash. Takes `#rrggbb`. */
export function colourSheet(
  { addresses }: { readonly addresses: Pick<Services['addresses'], 'base'> },
  colour: string,
): string {
  return `${addresses.base}/colours/${colour.slice(1)}?v=${hashOf(cssOf(colour))}`;
}

/** Sends the style sheet of the colour in the address. Throws 404 if pages may not have it. */
export function sendColour(ctx: RouterContext): void {
  const colour = readColour(`#${ctx.params['colour'] ?? ''}`);
  if (colour === undefined || !isReadable(colour)) return ctx.throw(404);
  ctx.set('Cache-Control', IMMUTABLE);
  ctx.type = 'text/css';
  ctx.body = cssOf(colour);
}

const cssOf = (colour: string): string =>
  `:root {\n  --accent: ${colour};\n  --accent-dark: ${darkerShade(colour)};\n}\n`;
