/** The cookie that remembers the customer's choice of a language. */
import type { Context, Middleware } from 'koa';
import type { Locale } from '../domain/merchant.ts';
import { readLocale } from './text.ts';

const NAME = 'tollgate-language';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Returns the language that the customer chose before, if any. */
export function rememberedLocale(ctx: Context): Locale | undefined {
  return readLocale(ctx.cookies.get(NAME));
}

/** Creates the middleware that remembers the language in the address of a page. */
export function rememberLanguage({ path, isTls }: { path: string; isTls: boolean }): Middleware {
  return async (ctx, next) => {
    const chosen = readLocale(ctx.query['lang']);
    if (chosen && chosen !== rememberedLocale(ctx)) {
      // A proxy in front speaks TLS, so this connection may be plain.
      ctx.cookies.secure = isTls;
      const options = { httpOnly: true, secure: isTls, sameSite: 'lax', path } as const;
      ctx.cookies.set(NAME, chosen, { ...options, maxAge: YEAR_MS });
    }
    await next();
  };
}
