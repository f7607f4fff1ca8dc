/** The data that pages are rendered from: the language, the addresses and the payment. */
import type { Context } from 'koa';
import { LOCALES } from '../domain/merchant.ts';
import type { Locale } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { LanguageLink } from '../ui/languages.tsx';
import type { AddressName } from './address.ts';
import type { AssetName, Assets } from './assets.ts';
import type { FieldErrors } from './form.ts';
import { writeErrors } from './kept.ts';
import { rememberedLocale } from './language.ts';
import type { ShownLogo } from './logo.ts';
import type { Method } from './methods/method.ts';
import { LANGUAGE_NAMES, readLocale, translatorOf } from './text.ts';
import type { Translate } from './text.ts';

/** The data of every page. */
export interface PageContext {
  readonly locale: Locale;
  /** Returns a text in the page's language. */
  readonly t: Translate;
  /** Returns the address of a style sheet, script or icon. */
  readonly asset: (name: AssetName) => string;
  readonly languages: readonly LanguageLink[];
}

export interface Choice extends Pick<Method, 'type' | 'name'> {
  readonly href: string;
}

/** The data of a page about a payment. */
export interface PaymentContext extends PageContext {
  readonly payment: Payment;
  /** The merchant's name; null if the merchant is unknown. */
  readonly payee: string | null;
  readonly logo: ShownLogo | null;
  /** The address of the style sheet with the merchant's colour. */
  readonly colour: string | null;
  readonly now: Date;
  /** The method of the form, or on other pages that of the last attempt. */
  readonly method: Method;
  /** The methods that the customer can choose from, with the addresses of their forms. */
  readonly choices: readonly Choice[];
  /** Returns an address of the payment, in the language that the customer chose. */
  readonly link: (name: AddressName) => string;
  /** The errors of the submitted form, by field. */
  readonly errors: FieldErrors;
}

/**
 * Returns a response's language: the one in the address, else the one that the customer chose
 * before, else the payment's or browser's.
 */
export function chooseLocale(ctx: Context, payment?: Payment): Locale {
  const known = chosenLocale(ctx) ?? rememberedLocale(ctx) ?? payment?.locale;
  // English comes first, so it is the default for browsers that accept any language.
  return known ?? readLocale(ctx.acceptsLanguages('en', 'hy', 'ru')) ?? 'en';
}

function chosenLocale(ctx: Context): Locale | undefined {
  return readLocale(ctx.query['lang']);
}

/** Returns `path` with the language in the address of the request, for browsers without cookies. */
export function keepLanguage(ctx: Context, path: string): string {
  const locale = chosenLocale(ctx);
  return locale ? inLanguage(path, locale) : path;
}

function inLanguage(path: string, locale: Locale): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`;
}

interface PageOptions {
  readonly locale: Locale;
  readonly assets: Assets;
  /** The path of the language links; '' keeps the path. */
  readonly self: string;
  /** The errors that the page has in the other languages too. */
  readonly errors?: FieldErrors;
}

/** Creates the data of a page. */
export function makeContext({ locale, assets, self, errors = {} }: PageOptions): PageContext {
  const kept = writeErrors(errors);
  const tail = kept && `&errors=${kept}`;
  const languages = LOCALES.map((each) => ({
    locale: each,
    name: LANGUAGE_NAMES[each],
    href: inLanguage(self, each) + tail,
  }));
  return { locale, t: translatorOf(locale), asset: (name) => assets.address(name), languages };
}
