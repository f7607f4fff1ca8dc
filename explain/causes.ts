/**
 * The mistakes that lead to a wrong signature: another key, another text, or another way to write
 * it. Each has a sentence that explains how to correct it.
 */
import { createHmac } from 'node:crypto';
import { FORMS, KEYS } from './forms.ts';
import type { Form, Parts, Signature } from './forms.ts';

export interface Finding {
  readonly code: string;
  /** A mistake makes the signature differ. A note only gives information. */
  readonly kind: 'mistake' | 'note';
  /** The header in lower case; null for the request. */
  readonly about: string | null;
  readonly says: string;
}

/** A finding about any header, by default a mistake. */
export type Cause = Pick<Finding, 'code' | 'says'> & { readonly kind?: 'note' };

export interface Request extends Parts {
  /** The secrets that signed it: several while one is being replaced. */
  readonly secrets: readonly string[];
  /** Other secrets that the merchant may have used. `whose` completes "It was made with". */
  readonly otherSecrets?: readonly { readonly value: string; readonly whose: string }[];
  /** The body that the merchant's code signed, if it is known. */
  readonly signedBody?: string | undefined;
}

/** A key or a text, with the mistake that led to it. The right one has no mistake. */
type Choice<T> = readonly [value: T, mistake?: Cause];

export type Candidate = ReturnType<typeof candidatesOf>[number];

/** Returns the signatures that code may make in a form: every key with every text. */
export function candidatesOf(form: Form, request: Request) {
  const texts = textsOf(form, request);
  return keysOf(form, request).flatMap(([key, wrongKey]) =>
    texts.map(([text, wrongText]) => ({
      form,
      mistakes: [wrongKey, wrongText].filter((mistake) => mistake !== undefined),
      digest: () => createHmac('sha256', key).update(text).digest(),
    })),
  );
}

function keysOf(form: Form, { secrets, otherSecrets = [] }: Request): Choice<Buffer>[] {
  const { header, key: right } = FORMS[form];
  const derived = secrets.flatMap((secret) =>
    Object.entries(KEYS).map(([code, { text, of }]): Choice<Buffer> => {
      const says = `The key of ${header} is ${KEYS[right].text}. The key used is ${text}.`;
      return code === right ? [of(secret)] : [of(secret), { code, says }];
    }),
  );
  const others = otherSecrets.map(({ value, whose }): Choice<Buffer> => {
    const says = `It was made with ${whose}. Use the secret that the receiving endpoint had then.`;
    return [KEYS[right].of(value), { code: 'other_secret', says }];
  });
  return [...derived, ...others];
}

const MILLISECONDS: Cause = {
  code: 'timestamp_ms',
  says: 'The timestamp was in milliseconds. Sign the whole seconds that its header has.',
};
const NO_TIMESTAMP: Cause = {
  code: 'timestamp_missing',
  says: 'The timestamp was not signed. Check the name of its header: it may be in lower case.',
};

function textsOf(form: Form, request: Request): Choice<string>[] {
  const { timestamp, body } = request;
  const textOf = FORMS[form].text;
  const changed = (parts: Partial<Parts>, cause: Cause): Choice<string> => {
    return [textOf({ ...request, ...parts }), cause];
  };
  return [
    [textOf(request)],
    ...otherBodies(request).map((other) => changed({ body: other }, bodyDiffers(body, other))),
    changed({ timestamp: `${timestamp}000` }, MILLISECONDS),
    // Programming languages produce these texts for a missing header.
    ...['', 'undefined', 'None'].map((word) => changed({ timestamp: word }, NO_TIMESTAMP)),
    [body, NO_TIMESTAMP],
  ];
}

/** Returns the known body, and common ways to write the same JSON. No other body can be found. */
function otherBodies({ body, signedBody = body }: Request): string[] {
  const bodies = [signedBody];
  try {
    const value: unknown = JSON.parse(body);
    // JSON has no line breaks inside strings, so all line breaks are between its parts.
    const lines = JSON.stringify(value, undefined, 1).replaceAll(/,\n */g, ', ');
    const spaced = lines.replaceAll(/\n */g, '');
    bodies.push(JSON.stringify(value), spaced, JSON.stringify(value, undefined, 2));
  } catch {
    // A body that is not JSON cannot be written again as JSON.
  }
  return bodies.filter((signed) => signed !== body);
}

const SHOWN_BYTES = 12;

/** Returns the mistake of a body that was signed instead of the one that was sent. */
export function bodyDiffers(sent: string, signed: string): Cause {
  const [a, b] = [Buffer.from(sent), Buffer.from(signed)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const show = (bytes: Buffer): string =>
    at < bytes.length ? JSON.stringify(bytes.toString('utf8', at, at + SHOWN_BYTES)) : 'its end';
  const says =
    'The body that was signed is not the one that was sent. Sign the raw bytes as they came, ' +
    `before any JSON parser. The first difference is at byte ${at}: ${show(a)} in the body, ` +
    `${show(b)} in what was signed.`;
  return { code: 'body_differs', says };
}

/** Returns what is wrong with how a signature is written. */
export function writingCauses(form: Form, { digest, text, prefix }: Signature): Cause[] {
  const { header, prefix: start, encoding } = FORMS[form];
  const right = encoding === 'hex' ? 'hex in lower case' : 'base64 with its padding';
  const says =
    `Each signature in ${header} is ${start} once, and then ${right}. Compare both with the prefix, ` +
    'or both without it.';
  if (text !== digest.toString(encoding)) return [{ code: 'encoding', says }];
  if (prefix === start) return [];
  // It is right to remove the prefix from the header before the comparison.
  return [{ code: 'prefix', says, ...(prefix === '' && { kind: 'note' }) }];
}
