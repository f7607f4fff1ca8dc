/** Texts in several languages, in the ICU message format. */
import { IntlMessageFormat } from 'intl-messageformat';

/** Texts by their key, each in every language. */
export type Texts<Locale extends string> = Readonly<
  Record<string, Readonly<Record<Locale, string>>>
>;

/** Returns the text of that key. Fills its placeholders with `values`. */
export type Translate<Key extends string> = (
  key: Key,
  values?: Record<string, string | number>,
) => string;

/** Returns a function that returns the texts of a language. Parses every message only once. */
export function makeTranslator<Locale extends string, Key extends string>(
  texts: Readonly<Record<Locale, Readonly<Record<Key, string>>>>,
): (locale: Locale) => Translate<Key> {
  const messages = new Map<string, IntlMessageFormat>();
  return (locale) =>
    (key, values = {}) => {
      const name = `${locale} ${key}`;
      let message = messages.get(name);
      if (!message) {
        message = new IntlMessageFormat(texts[locale][key], locale, undefined, { ignoreTag: true });
        messages.set(name, message);
      }
      return String(message.format(values));
    };
}
