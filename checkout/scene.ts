/** What every page is drawn from: its language, its addresses, and the payment it is about. */
import type { Context } from 'koa';
import { LOCALES, lastAttempt } from '../domain/payment.ts';
import type { Locale, Payment } from '../domain/payment.ts';
import type { LanguageLink } from '../ui/languages.tsx';
import type { Addresses } from './address.ts';
import type { AssetName, Assets } from './assets.ts';
import type { PageName } from './table.ts';
import { LANGUAGE_NAMES, readLocale, sayIn } from './text.ts';
import type { Say } from './text.ts';

/** What a page needs that is about no payment. */
export interface Stage {
  readonly locale: Locale;
  readonly say: Say;
  /** The address of a file that pages need. */
  readonly asset: (name: AssetName) => string;
  readonly languages: readonly LanguageLink[];
}

interface SceneLinks {
  readonly checkout: string;
  readonly pay: string;
  readonly cancel: string;
  readonly check: string;
  readonly status: string;
  readonly bank: string;
  readonly code: string;
}

export interface Scene extends Stage {
  readonly payment: Payment;
  /** The merchant's name, for the pages that tell a customer whom he pays. */
  readonly payee: string | null;
  readonly now: Date;
  /** Each keeps the language that the customer chose. */
  readonly links: SceneLinks;
}

/** The language of a request: chosen in the address, else the payment's, else the browser's. */
export function chooseLocale(ctx: Context, payment?: Payment): Locale {
  const known = chosenLocale(ctx) ?? payment?.locale;
  // English comes first: it is the answer for browsers that ask for none of ours.
  return known ?? readLocale(ctx.acceptsLanguages('en', 'hy', 'ru')) ?? 'en';
}

function chosenLocale(ctx: Context): Locale | undefined {
  return readLocale(ctx.query['lang']);
}

/** `path` with the language that the customer chose, if he chose one: the only state there is. */
export function keepLanguage(ctx: Context, path: string): string {
  const locale = chosenLocale(ctx);
  return locale ? inLanguage(path, locale) : path;
}

function inLanguage(path: string, locale: Locale): string {
  return `${path}?lang=${locale}`;
}

/** `self` is the path of the page, for its own language links; '' for the address asked for. */
export function setStage(
  { locale, assets }: { locale: Locale; assets: Assets },
  self: string,
): Stage {
  const languages = LOCALES.map((each) => ({
    locale: each,
    name: LANGUAGE_NAMES[each],
    href: inLanguage(self, each),
  }));
  return { locale, say: sayIn(locale), asset: (name) => assets.address(name), languages };
}

/** The path of a page of that payment; the bank's pages are those of its last attempt. */
export function pathOf(addresses: Addresses, payment: Payment, page: PageName): string {
  const attemptId = lastAttempt(payment)?.id;
  if (page === 'cancel') return addresses.checkout(payment.checkout_token, '/cancel');
  if (page === 'checkout' || attemptId === undefined) {
    return addresses.checkout(payment.checkout_token);
  }
  return addresses.bank({ paymentId: payment._id, attemptId }, page === 'code' ? '/code' : '');
}

/** Every address that a page of the payment may lead to, by `keep` in the chosen language. */
export function sceneLinks(
  addresses: Addresses,
  payment: Payment,
  keep: (path: string) => string,
): SceneLinks {
  const token = payment.checkout_token;
  return {
    checkout: keep(addresses.checkout(token)),
    pay: keep(addresses.checkout(token, '/pay')),
    cancel: keep(addresses.checkout(token, '/cancel')),
    check: keep(addresses.checkout(token, '/check')),
    status: keep(addresses.checkout(token, '/status')),
    bank: keep(pathOf(addresses, payment, 'bank')),
    code: keep(pathOf(addresses, payment, 'code')),
  };
}
