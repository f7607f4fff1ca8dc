/** The texts of pages, the choice of a language, and durations in words. */
import { LOCALES } from '../domain/merchant.ts';
import type { Locale } from '../domain/merchant.ts';
import { makeTranslator } from '../ui/text.ts';
import type { Translate as Translator } from '../ui/text.ts';
import { METHOD_TEXTS } from './methods/texts.ts';
import { EN } from './text.en.ts';
import { HY } from './text.hy.ts';
import { RU } from './text.ru.ts';

/** Every text, in each language. */
export const TEXTS = {
  hy: { ...HY, ...METHOD_TEXTS.hy },
  en: { ...EN, ...METHOD_TEXTS.en },
  ru: { ...RU, ...METHOD_TEXTS.ru },
} satisfies Record<Locale, Record<TextKey, string>>;

export type TextKey = keyof typeof EN | keyof typeof METHOD_TEXTS.en;

/** The name of each language in itself. */
export const LANGUAGE_NAMES = { hy: 'Հայերեն', en: 'English', ru: 'Русский' } as const;

export type Translate = Translator<TextKey>;

export const translatorOf = makeTranslator(TEXTS);

/** Returns the locale of that name, or undefined if it is not supported. */
export function readLocale(name: unknown): Locale | undefined {
  return LOCALES.find((locale) => locale === name);
}

const UNITS = [
  { unit: 'day', unitMs: 24 * 60 * 60 * 1000 },
  { unit: 'hour', unitMs: 60 * 60 * 1000 },
  { unit: 'minute', unitMs: 60 * 1000 },
] as const;

/**
 * Returns a duration in words, rounded down to its largest unit (`28 minutes`), but at least a
 * minute.
 */
export function timeInWords(ms: number, locale: Locale): string {
  const { unit, unitMs } = UNITS.find((each) => ms >= each.unitMs) ?? UNITS[2];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.floor(ms / unitMs)));
}

const WITH_ZONE = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const;

/** Returns a time as readers of the language write it, with its zone: UTC. */
export function timeWithZone(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, WITH_ZONE).format(at);
}
