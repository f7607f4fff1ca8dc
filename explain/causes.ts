/**
 * The mistakes that lead to a wrong signature. Each one is a key or a text that code used instead
 * of the right one, with a sentence that says how to mend it.
 */
import { firstDifference, rewritings } from './bodies.ts';
import { FORMS, KEYS, hmac, join } from './forms.ts';
import type { Form, Parts } from './forms.ts';

interface Mistake {
  readonly code: string;
  readonly says: string;
}

/** A secret or a time that is not the request's; `whose` completes "It was made with". */
export interface Other {
  readonly value: string;
  readonly whose: string;
}

export interface Request extends Parts {
  /** The secrets that signed it: several while one is being replaced. */
  readonly secrets: readonly string[];
  /** Others that the merchant may have used: old ones, and those of other endpoints. */
  readonly otherSecrets?: readonly Other[];
  /** The times of other attempts of the delivery. */
  readonly otherTimes?: readonly Other[];
  /** The body that the merchant's code signed, if that is known. */
  readonly signedBody?: string | undefined;
}

/** A signature that somebody may have, and the mistakes that lead to it. */
export interface Candidate {
  readonly form: Form;
  readonly mistakes: readonly Mistake[];
  readonly digest: () => Buffer;
}

/** A key or a text; without a mistake it is the right one. */
interface Choice<T> {
  readonly value: T;
  readonly mistake?: Mistake;
}

const wrong = <T>(value: T, code: string, says: string): Choice<T> => {
  return { value, mistake: { code, says } };
};

/** Returns every key with every text of these forms. */
export function candidatesOf(forms: readonly Form[], from: Request): Candidate[] {
  return forms.flatMap((form) => {
    const texts = textsOf(form, from);
    return keysOf(form, from).flatMap((key) =>
      texts.map((text) => ({
        form,
        mistakes: [key.mistake, text.mistake].filter((mistake) => mistake !== undefined),
        digest: () => hmac(key.value, text.value),
      })),
    );
  });
}

function keysOf(form: Form, { secrets, otherSecrets = [] }: Request): Choice<Buffer>[] {
  const { name, key: right, keyText } = FORMS[form];
  const others = Object.entries(KEYS).filter(([code]) => code !== right);
  return [
    ...secrets.map((secret) => ({ value: KEYS[right].of(secret) })),
    ...secrets.flatMap((secret) =>
      others.map(([code, { of, how }]) =>
        wrong(of(secret), code, `The key of ${name} is ${keyText}. The key used is ${how}.`),
      ),
    ),
    ...otherSecrets.map(({ value, whose }) =>
      wrong(KEYS[right].of(value), 'other_secret', `It was made with ${whose}. ${OWN_SECRET}`),
    ),
  ];
}

function textsOf(form: Form, from: Request): Choice<string>[] {
  const { timestamp, body, otherTimes = [], signedBody = body } = from;
  const text = (changed: Partial<Parts>) => join({ ...from, ...changed }, FORMS[form].signs);
  const bodies = signedBody === body ? [] : [{ code: 'body_differs', how: '', body: signedBody }];
  return [
    { value: text({}) },
    ...[...bodies, ...rewritings(body)].map(({ code, how, body: other }) =>
      wrong(text({ body: other }), code, bodyDiffers(body, other, how)),
    ),
    ...layouts(form, from),
    ...absences(form).map(({ changed, code, says }) => wrong(text(changed), code, says)),
    wrong(text({ timestamp: `${timestamp}000` }), 'timestamp_ms', MILLISECONDS),
    ...otherTimes.map(({ value, whose }) =>
      wrong(text({ timestamp: value }), 'other_attempt', `It was made with ${whose}. ${OWN_TIME}`),
    ),
  ];
}

const OWN_SECRET = 'Use the secret of the endpoint that the request was sent to.';
const MILLISECONDS =
  'The timestamp was in milliseconds: sign the timestamp header as it is, in whole seconds.';
const OWN_TIME =
  'Each attempt is signed at its own time: read signature and timestamp from the same request.';

/** Returns the sentence about a body that was signed in place of the one that was sent. */
export const bodyDiffers = (sent: string, signed: string, how = ''): string =>
  `The body that was signed is not the one that was sent${how}. Sign the raw bytes as they came, ` +
  `before any JSON parser. ${firstDifference(sent, signed)}`;

const LAYOUTS: readonly (readonly (keyof Parts)[])[] = [
  ['body'],
  ['id', 'body'],
  ['timestamp', 'body'],
  ['id', 'timestamp', 'body'],
  ['timestamp', 'id', 'body'],
];

const written = (names: readonly string[]): string => names.join(' + "." + ');

/** Returns texts with parts that were left out, added or swapped. */
function layouts(form: Form, from: Request): Choice<string>[] {
  const { name, signs } = FORMS[form];
  return LAYOUTS.filter((names) => written(names) !== written(signs)).map((names) => {
    const code = names.includes('timestamp') ? 'parts' : 'timestamp_missing';
    const says = `${name} signs ${written(signs)}. What was signed is ${written(names)}.`;
    return wrong(join(from, names), code, says);
  });
}

/** What languages write into a text for a missing header. */
const ABSENT = ['', 'undefined', 'null', 'None'];

/** Returns what stands in a text for headers that were not found. */
function absences(form: Form) {
  const kinds: (keyof Parts)[][] = [['timestamp'], ['id'], ['id', 'timestamp']];
  return kinds.slice(0, form === 'service' ? 1 : 3).flatMap((names) =>
    ABSENT.map((word) => ({
      changed: Object.fromEntries(names.map((name) => [name, word])),
      code: `${names.at(-1)}_missing`,
      says:
        `No ${names.join(' and no ')} was found: ${word || 'nothing'} was signed instead. Look at ` +
        'which header is read. Many frameworks have their names in lower case.',
    })),
  );
}
