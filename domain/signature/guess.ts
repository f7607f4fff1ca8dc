/**
 * Finding out how a wrong signature was made: every usual mistake with the key, the message, the
 * timestamp and the body is tried, alone and together, until one gives the very same digest.
 */
import { FORM_NAMES, isSame, joined, keyOf, signedBytes } from './forms.ts';
import type { Form, Hmac, SignedParts } from './forms.ts';
import { keyWays } from './keys.ts';
import type { OtherSecret } from './keys.ts';
import type { Rewritten } from './rewrite.ts';
import type { GivenDigest } from './values.ts';
import { headWays, isName } from './ways.ts';
import type { GivenTime, Head, Mistake, Way } from './ways.ts';

export interface Suspect {
  readonly form: Form;
  readonly parts: SignedParts;
  /** Those that requests are signed with. */
  readonly secrets: readonly string[];
  /** Others that the merchant may have used instead. */
  readonly otherSecrets: readonly OtherSecret[];
  /** Times that he may have used instead. */
  readonly givenTimes: readonly GivenTime[];
  /** What the body may have become; asked for only when it is needed. */
  readonly rewritings: () => readonly Rewritten[];
  /** Signatures that were sent: they are right whether or not their secret is still at hand. */
  readonly sent: Readonly<Record<Form, readonly Uint8Array[]>>;
  readonly hmac: Hmac;
}

/** People rarely do more than this wrong at once, and each one more multiplies the trials. */
export const MAX_MISTAKES = 3;
/** The same where the key and the message have changed places, which is one of them. */
const MAX_MISTAKES_WHEN_SWAPPED = 2;

type Fits = (key: Uint8Array, message: Uint8Array) => boolean;

/**
 * So many mistakes that lead to this digest, none when it is right; a wrong hash is not counted.
 * Undefined when no so many of them do.
 */
export function guessMistakes(
  suspect: Suspect,
  given: GivenDigest,
  count: number,
): readonly Mistake[] | undefined {
  const { form, hmac } = suspect;
  const { digest, algorithm } = given;
  const wrongHash = algorithm === 'sha256' ? [] : [hashMistake(algorithm)];
  if (count === 0) return isOfForm(form, suspect, given) ? wrongHash : undefined;
  const other = form === 'service' ? 'standard' : 'service';
  if (count === 1 && isOfForm(other, suspect, given)) {
    return [otherForm(form, other), ...wrongHash];
  }
  const ways = {
    heads: headWays(form, { ...suspect.parts, givenTimes: suspect.givenTimes }),
    bodies: bodyWays(suspect),
    keys: keyWays(suspect),
  };
  const fits: Fits = (key, message) => isSame(hmac(algorithm, key, message), digest);
  const found = search(ways, count, fits);
  if (found) return [...found, ...wrongHash];
  if (count > MAX_MISTAKES_WHEN_SWAPPED) return undefined;
  const swapped = search(ways, count - 1, (key, message) => fits(message, key));
  return swapped && [SWAPPED, ...swapped, ...wrongHash];
}

interface Ways {
  readonly heads: readonly Way<Head>[];
  readonly bodies: readonly Way<Uint8Array>[];
  readonly keys: readonly Way<Uint8Array>[];
}

/** Tries what has exactly so many mistakes. */
function search(
  { heads, bodies, keys }: Ways,
  count: number,
  fits: Fits,
): readonly Mistake[] | undefined {
  const isTried = ({ maxMistakes, mistakes }: Way<unknown>): boolean =>
    mistakes.length <= count && (maxMistakes ?? MAX_MISTAKES) >= count;
  const [triedBodies, triedKeys] = [bodies.filter(isTried), keys.filter(isTried)];
  for (const head of heads.filter(isTried)) {
    for (const body of triedBodies) {
      const left = count - head.mistakes.length - body.mistakes.length;
      const fitting = triedKeys.filter(({ mistakes }) => mistakes.length === left);
      if (fitting.length === 0) continue;
      const message = messageOf(head.value, body.value);
      const key = fitting.find(({ value }) => fits(value, message));
      if (key) return [key, head, body].flatMap(({ mistakes }) => mistakes);
    }
  }
  return undefined;
}

function messageOf({ layout, id, timestamp }: Head, body: Uint8Array): Uint8Array {
  const values = { id, timestamp, body };
  return joined(layout.map((part) => (isName(part) ? values[part] : part)));
}

function bodyWays({ parts, rewritings }: Suspect): Way<Uint8Array>[] {
  const others = rewritings().map(({ code, body: value, says, maxMistakes }) => {
    return { value, mistakes: [{ code, says }], maxMistakes };
  });
  return [{ value: parts.body, mistakes: [] }, ...others];
}

/** Whether it is a signature of that form, by a hash that may be wrong. */
function isOfForm(
  form: Form,
  { parts, secrets, sent, hmac }: Omit<Suspect, 'form'>,
  { digest, algorithm }: GivenDigest,
): boolean {
  if (sent[form].some((each) => isSame(each, digest))) return true;
  return secrets.some((secret) => {
    const key = keyOf(form, secret);
    return key && isSame(hmac(algorithm, key, signedBytes(form, parts)), digest);
  });
}

function otherForm(form: Form, other: Form): Mistake {
  const says =
    `This is what ${FORM_NAMES[other]} has, and not to be compared with ${FORM_NAMES[form]}, ` +
    'which signs other bytes with another key.';
  return { code: 'other_form', says };
}

const SWAPPED: Mistake = {
  code: 'key_message_swapped',
  says:
    'The key and the message changed places in the call of the HMAC function: the secret was ' +
    'signed with the message as its key. Look up the order of its arguments.',
};

function hashMistake(algorithm: string): Mistake {
  const name = algorithm.replace('sha', 'SHA-');
  return { code: 'hash', says: `It was made with ${name}: it has to be HMAC-SHA256.` };
}
