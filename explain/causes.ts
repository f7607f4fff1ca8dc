/**
 * The mistakes that lead to a wrong signature. Each one is a key or a text that code used instead
 * of the right one, with a sentence that explains how to correct it.
 */
import { FORMS, KEYS, hmac, join } from './forms.ts';
import type { Form, Parts } from './forms.ts';

interface Mistake {
  readonly code: string;
  readonly says: string;
}

/** Another secret. `whose` completes "It was made with". */
export interface Other {
  readonly value: string;
  readonly whose: string;
}

export interface Request extends Parts {
  /** The secrets that signed it: several while one is being replaced. */
  readonly secrets: readonly string[];
  /** Other secrets that the merchant may have used. */
  readonly otherSecrets?: readonly Other[];
  /** The body that the merchant's code signed, if it is known. */
  readonly signedBody?: string | undefined;
}

/** A signature that somebody may have, and the mistakes that lead to it. */
export interface Candidate {
  readonly form: Form;
  readonly mistakes: readonly Mistake[];
  readonly digest: () => Buffer;
}

/** A key or a text, with the mistake that led to it. The right one has no mistake. */
type Choice<T> = readonly [value: T, mistake?: Mistake];

/** Returns every key with every text of these forms. */
export function candidatesOf(forms: readonly Form[], from: Request): Candidate[] {
  return forms.flatMap((form) => {
    const texts = textsOf(form, from);
    return keysOf(form, from).flatMap(([key, wrongKey]) =>
      texts.map(([text, wrongText]) => ({
        form,
        mistakes: [wrongKey, wrongText].filter((mistake) => mistake !== undefined),
        digest: () => hmac(key, text),
      })),
    );
  });
}

const OWN_SECRET =
  'Use the secret of the endpoint that the request was sent to, as it was at that time.';

function keysOf(form: Form, { secrets, otherSecrets = [] }: Request): Choice<Buffer>[] {
  const { name, key: right, keyText } = FORMS[form];
  return [
    ...secrets.flatMap((secret): Choice<Buffer>[] =>
      Object.entries(KEYS).map(([code, { of, how }]) => {
        const says = `The key of ${name} is ${keyText}. The key used is ${how}.`;
        return code === right ? [of(secret)] : [of(secret), { code, says }];
      }),
    ),
    ...otherSecrets.map(({ value, whose }): Choice<Buffer> => {
      const says = `It was made with ${whose}. ${OWN_SECRET}`;
      return [KEYS[right].of(value), { code: 'other_secret', says }];
    }),
  ];
}

/** The texts that programming languages produce for a missing header. */
const ABSENT = ['', 'undefined', 'null', 'None'];
const NOT_FOUND =
  'was signed in place of a missing header. Check the name of the header that your code reads: ' +
  'many frameworks use lower case.';
const MILLISECONDS =
  'The timestamp was in milliseconds: sign the value of the timestamp header, in whole seconds.';

function textsOf(form: Form, from: Request): Choice<string>[] {
  const { timestamp, body, signedBody = body } = from;
  const { signs } = FORMS[form];
  const given = { code: 'body_differs', how: '', body: signedBody };
  const changes = [
    ...[given, ...rewritings(body)]
      .filter((other) => other.body !== body)
      .map((other) => ({ ...other, says: bodyDiffers(body, other.body, other.how) })),
    { timestamp: `${timestamp}000`, code: 'timestamp_ms', says: MILLISECONDS },
    ...ABSENT.flatMap((word) => {
      const missing = { code: 'timestamp_missing', says: `${word || 'Nothing'} ${NOT_FOUND}` };
      return [{ timestamp: word }, { id: word, timestamp: word }].map((parts) => {
        return { ...parts, ...missing };
      });
    }),
  ];
  return [
    [join(from, signs)],
    ...changes.map(({ code, says, ...parts }): Choice<string> => {
      return [join({ ...from, ...parts }, signs), { code, says }];
    }),
    ...layouts(form, from),
  ];
}

const LAYOUTS = ['body', 'id.body', 'timestamp.body', 'id.timestamp.body', 'timestamp.id.body'];

/** Returns texts with parts that were left out, added or swapped. */
function layouts(form: Form, from: Request): Choice<string>[] {
  const { name, signs } = FORMS[form];
  return LAYOUTS.filter((layout) => layout !== signs.join('.')).map((layout) => {
    const code = layout.includes('timestamp') ? 'parts' : 'timestamp_missing';
    const says = `${name} signs ${signs.join('.')}. The text that was signed is ${layout}.`;
    return [join(from, layout.split('.') as (keyof Parts)[]), { code, says }];
  });
}

/** Returns common ways to write the same JSON. Others can be found only with `signedBody`. */
function rewritings(body: string): { code: string; how: string; body: string }[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [];
  }
  // JSON has no line breaks inside strings, so all line breaks are between its parts.
  const spaced = JSON.stringify(value, undefined, 1)
    .replaceAll(/,\n\s*/g, ', ')
    .replaceAll(/\n\s*/g, '');
  const all: readonly (readonly [string, string, string])[] = [
    ['json_compact', 'without spaces', JSON.stringify(value)],
    ['json_spaced', 'with spaces after commas and colons', spaced],
    ['json_indent_2', 'with an indent of 2', JSON.stringify(value, undefined, 2)],
  ];
  return all.map(([code, how, text]) => {
    return { code, how: `, but the same JSON written again ${how}`, body: text };
  });
}

const SHOWN_BYTES = 12;

/** Returns the sentence about a body that was signed instead of the one that was sent. */
export function bodyDiffers(sent: string, signed: string, how = ''): string {
  const [a, b] = [Buffer.from(sent), Buffer.from(signed)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const show = (bytes: Buffer): string =>
    at < bytes.length ? JSON.stringify(bytes.toString('utf8', at, at + SHOWN_BYTES)) : 'its end';
  return (
    `The body that was signed is not the one that was sent${how}. Sign the raw bytes as they came, ` +
    `before any JSON parser. The first difference is at byte ${at}: ${show(a)} in the body, ` +
    `${show(b)} in what was signed.`
  );
}
