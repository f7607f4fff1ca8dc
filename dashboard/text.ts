/** The texts of pages, and the choice of a language. */
import type { Context } from 'koa';
import { LOCALES } from '../domain/merchant.ts';
import type { Locale } from '../domain/merchant.ts';
import type { FieldError } from '../operations/refusal.ts';
import { makeTranslator } from '../ui/text.ts';
import type { Translate as Translator } from '../ui/text.ts';
import { DEVELOPERS } from './developers/texts.ts';
import { EXPORTS } from './exports/texts.ts';
import { KEYS } from './keys/texts.ts';
import { REASONS } from './overview/reason-texts.ts';
import { STEPS } from './overview/step-texts.ts';
import { OVERVIEW } from './overview/texts.ts';
import { PAYMENTS } from './payments/texts.ts';
import { SETTINGS } from './settings/texts.ts';
import { ACCOUNT } from './staff/account-texts.ts';
import { ACTS } from './staff/audit-texts.ts';
import { REQUIREMENT } from './staff/requirement-texts.ts';
import { STAFF } from './staff/texts.ts';
import { COMMON } from './texts.ts';
import { WEBHOOKS } from './webhooks/texts.ts';

const ALL = {
  ...DEVELOPERS,
  ...EXPORTS,
  ...KEYS,
  ...REASONS,
  ...OVERVIEW,
  ...STEPS,
  ...PAYMENTS,
  ...SETTINGS,
  ...ACCOUNT,
  ...ACTS,
  ...REQUIREMENT,
  ...STAFF,
  ...COMMON,
  ...WEBHOOKS,
};

export type TextKey = keyof typeof ALL;
export type Translate = Translator<TextKey>;

const textsIn = (locale: Locale): Record<TextKey, string> =>
  Object.fromEntries(Object.entries(ALL).map(([key, text]) => [key, text[locale]])) as Record<
    TextKey,
    string
  >;

/** Returns a function that returns the texts of a language. */
export const makeTranslate = makeTranslator({
  hy: textsIn('hy'),
  en: textsIn('en'),
  ru: textsIn('ru'),
});

/** The name of each language in itself. */
export const LANGUAGE_NAMES = { hy: 'Հայերեն', en: 'English', ru: 'Русский' } as const;

type Notice<Key> = Key extends `done.${infer Name}` ? Name : never;
/** The name of a notice that an action was done. */
export type NoticeKey = Notice<TextKey>;

/** Returns the key of the notice's text, or undefined if there is no such notice. */
export function noticeOf(name: unknown): TextKey | undefined {
  const key = `done.${String(name)}`;
  return Object.hasOwn(ALL, key) ? (key as TextKey) : undefined;
}

/** Returns the locale of that name, or undefined if it is not supported. */
export function readLocale(name: unknown): Locale | undefined {
  return LOCALES.find((locale) => locale === name);
}

/** Returns the language in the address, else the browser's. */
export function chooseLocale(ctx: Context): Locale {
  const browsers = ctx.acceptsLanguages('en', 'hy', 'ru');
  return readLocale(ctx.query['lang']) ?? readLocale(browsers) ?? 'en';
}

/** Returns the label of the field that a parameter has, in the language of `t`. */
export function labelOf(t: Translate, param: string): string | undefined {
  const key = `field.${param.replace('-', '_')}`;
  return Object.hasOwn(ALL, key) ? t(key as TextKey) : undefined;
}

/** Returns the reason of a refusal, which `translateRefusal` has put in the reader's language. */
export function refusalText({ message }: FieldError): string {
  return message;
}
