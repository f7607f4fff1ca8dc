/** The catalogue of texts, the choice of a language, and times in words. */
import { IntlMessageFormat } from 'intl-messageformat';
import { LOCALES } from '../domain/payment.ts';
import type { Locale } from '../domain/payment.ts';
import { EN } from './text.en.ts';
import type { TextKey } from './text.en.ts';
import { HY } from './text.hy.ts';
import { RU } from './text.ru.ts';

export type { TextKey } from './text.en.ts';

/** A key that is missing in one of the languages does not compile. */
export const TEXTS: Readonly<Record<Locale, Readonly<Record<TextKey, string>>>> = {
  hy: HY,
  en: EN,
  ru: RU,
};

/** Each language's name in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  hy: 'Հայերեն',
  en: 'English',
  ru: 'Русский',
};

export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

const messages = new Map<string, IntlMessageFormat>();

/** The texts of a language, with their placeholders filled. Every message is parsed only once. */
export function sayIn(locale: Locale): Say {
  return (key, values = {}) => {
    const name = `${locale} ${key}`;
    let message = messages.get(name);
    if (!message) {
      message = new IntlMessageFormat(TEXTS[locale][key], locale, undefined, { ignoreTag: true });
      messages.set(name, message);
    }
    return String(message.format(values));
  };
}

/** The locale of that name, or undefined when it is none of ours. */
export function readLocale(name: unknown): Locale | undefined {
  return LOCALES.find((locale) => locale === name);
}

const UNITS = [
  { unit: 'day', ms: 24 * 60 * 60 * 1000 },
  { unit: 'hour', ms: 60 * 60 * 1000 },
  { unit: 'minute', ms: 60 * 1000 },
] as const;

/**
 * A length of time in words, cut to its largest whole unit (`28 minutes`), a minute at least: it
 * is the same everywhere, while a clock time would need the customer's time zone.
 */
export function timeInWords(ms: number, locale: Locale): string {
  const { unit, ms: unitMs } = UNITS.find((each) => ms >= each.ms) ?? UNITS[2];
  const count = Math.max(1, Math.floor(ms / unitMs));
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(count);
}
