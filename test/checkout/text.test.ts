import { describe, expect, it } from 'vitest';
import { TEXTS, readLocale, timeInWords, translatorOf } from '../../checkout/text.ts';
import type { TextKey } from '../../checkout/text.ts';
import type { FailureCode } from '../../domain/bank.ts';
import { CHOICES, FAILURE_MESSAGES, TRANSFER_OUTCOMES } from '../../domain/bank.ts';
import { LOCALES } from '../../domain/merchant.ts';

const keys = Object.keys(TEXTS.en) as TextKey[];
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => String(name)))].toSorted();
const SCRIPTS = { en: /[a-z]/i, hy: /\p{Script=Armenian}/u, ru: /\p{Script=Cyrillic}/u };

describe.each(LOCALES)('the catalogue in %s', (locale) => {
  it('has exactly the keys of English', () => {
    expect(Object.keys(TEXTS[locale]).toSorted()).toEqual(keys.toSorted());
  });

  it.each(keys)('%s has its own script and the placeholders of English', (key) => {
    const text = TEXTS[locale][key];
    expect(text.trim()).toBe(text);
    expect(text).toMatch(SCRIPTS[locale]);
    expect(placeholders(text)).toEqual(placeholders(TEXTS.en[key]));
  });

  it.each(keys)('%s is filled in', (key) => {
    const names = placeholders(TEXTS[locale][key]);
    const values = Object.fromEntries(names.map((name) => [name, name === 'count' ? 2 : 'X']));
    const text = translatorOf(locale)(key, values);
    expect(text).not.toMatch(/[{}]|undefined/);
    expect(text.length).toBeGreaterThan(1);
  });

  it('has a text for every failure and every choice at the bank', () => {
    for (const code of Object.keys(FAILURE_MESSAGES) as FailureCode[]) {
      expect(keys).toContain(`failure.${code}`);
    }
    for (const choice of CHOICES) expect(keys).toContain(`outcome.${choice}`);
    for (const outcome of TRANSFER_OUTCOMES) expect(keys).toContain(`transfer.${outcome}`);
  });
});

describe('timeInWords', () => {
  const MINUTE = 60_000;

  it.each([
    ['en', 90 * 1000, '1 minute'],
    ['en', 5_000, '1 minute'],
    ['en', 29 * MINUTE, '29 minutes'],
    ['ru', 2 * MINUTE, '2 минуты'],
    ['ru', 5 * 60 * MINUTE, '5 часов'],
    ['hy', 29 * MINUTE, '29 րոպե'],
    ['en', 49 * 60 * MINUTE, '2 days'],
  ] as const)('in %s writes %d ms as %s', (locale, ms, words) => {
    expect(timeInWords(ms, locale)).toBe(words);
  });
});

describe('readLocale', () => {
  it.each(['de', '', 'EN', undefined, ['en'], 'constructor'])('refuses %j', (name) => {
    expect(readLocale(name)).toBeUndefined();
  });
});
