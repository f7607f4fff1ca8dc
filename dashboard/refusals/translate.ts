/** Refusals in the reader's language. The operations write theirs in English. */
import type { Locale } from '../../domain/merchant.ts';
import { Refusal } from '../../operations/refusal.ts';
import type { FieldError } from '../../operations/refusal.ts';
import { CODES } from './codes.ts';
import { REASONS } from './reasons.ts';

interface Reader {
  readonly locale: Locale;
  /** Returns the label of a parameter's field, if it has one. */
  readonly labelOf: (param: string) => string | undefined;
}

/** A message of the dashboard's own texts, which is in the reader's language already. */
const TRANSLATED = /[\p{Script=Armenian}\p{Script=Cyrillic}]/u;

const PATTERNS = REASONS.map((reason) => {
  const parts = reason.en.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { reason, pattern: new RegExp(`^${parts.join('(.+)')}$`) };
});

/** Returns the refusal with its reasons in the reader's language. */
export function translateRefusal(refusal: Refusal, reader: Reader): Refusal {
  const errors = refusal.errors.map((error) => ({ ...error, message: translate(error, reader) }));
  const translated = Refusal.ofFields(errors);
  return Object.assign(translated, { headers: refusal.headers });
}

/** Returns the translation of the message, or else the meaning of the code after the label. */
function translate({ code, message, param }: FieldError, { locale, labelOf }: Reader): string {
  if (locale === 'en' || TRANSLATED.test(message)) return message;
  for (const { reason, pattern } of PATTERNS) {
    const found = pattern.exec(message);
    if (found) {
      const values = found.slice(1);
      return reason[locale].replaceAll('{}', () => values.shift() ?? '');
    }
  }
  const label = param === null ? undefined : labelOf(param);
  return label === undefined ? CODES[code][locale] : `${label}. ${CODES[code][locale]}`;
}
