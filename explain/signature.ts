/**
 * Explains the signature of a webhook request: the signed bytes, the right headers, and the mistake
 * that leads to a value that somebody computed or received.
 */
import { signatureHeaders } from '../outbound/sign.ts';
import { bodyDiffers, candidatesOf } from './causes.ts';
import type { Candidate, Request } from './causes.ts';
import { FORMS, TOLERANCE_SECONDS, join, readSignatures, writingOf } from './forms.ts';
import type { Form } from './forms.ts';

/** Headers by their names in lower case. */
type Headers = Readonly<Record<string, string>>;

/** A request, and what the merchant has of it. */
export interface Explained extends Request {
  /** The headers that were sent, if they are on record. */
  readonly sent?: Headers | undefined;
  /** The headers that the merchant received. */
  readonly given?: Headers | undefined;
  /** The signatures that the merchant's code computed, of either form. */
  readonly computed?: readonly string[] | undefined;
}

export interface Finding {
  readonly code: string;
  /** A mistake makes the signature differ. A note only gives information. */
  readonly kind: 'mistake' | 'note';
  /** The header in lower case; null for the request. */
  readonly about: string | null;
  readonly says: string;
}

export type Explanation = ReturnType<typeof explainSignature>;

const BOTH = ['service', 'standard'] as const;

/** Explains what was received and computed for a request. Shows nothing of a secret. */
export function explainSignature({ sent, given = {}, computed: values = [], ...from }: Explained) {
  const { id, timestamp, body, secrets, signedBody = body } = from;
  const signed = signatureHeaders({ id, timestamp: Number(timestamp), body }, secrets);
  const lower = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value] as const);
  // A replaced secret may no longer be stored, but the headers that it signed are right.
  const expected: Headers = { ...Object.fromEntries(lower), ...sent };
  const received = BOTH.flatMap((form) => {
    const value = given[FORMS[form].header];
    return value === undefined ? [] : judge(value, { expected, from, form });
  });
  const computed = values.flatMap((value) => judge(value, { expected, from }));
  const findings = combine(received, computed);
  if (signedBody !== body && !findings.some(({ code }) => code === 'body_differs')) {
    findings.push(mistake(null, 'body_differs', bodyDiffers(body, signedBody)));
  }
  return {
    forms: BOTH.map((form) => {
      const { signs, keyText: key } = FORMS[form];
      return { form, signed: join(from, signs), key };
    }),
    headers: Object.entries(expected).map(([name, value]) => compare(name, value, given[name])),
    findings,
  };
}

function compare(name: string, expected: string, given: string | undefined) {
  if (given === undefined) return { name, expected };
  // A header has several signatures while a secret is replaced, and one that fits is enough.
  const split = (value: string): string[] => value.split(name === 'service-signature' ? ',' : ' ');
  const fits = split(given).some((each) => split(expected).includes(each.trim()));
  return { name, expected, given, fits };
}

interface Trial {
  readonly expected: Headers;
  readonly from: Request;
  /** The form whose header held the value; undefined if the value was computed. */
  readonly form?: Form;
}

/** Explains a value, which may hold several signatures, by the fewest mistakes. */
function judge(value: string, trial: Trial): Finding[] {
  const about = trial.form === undefined ? null : FORMS[trial.form].header;
  const signatures = readSignatures(value);
  if (signatures.length === 0) return [mistake(about, 'value_malformed', MALFORMED)];
  const candidates = candidatesFor(trial);
  const verdicts = signatures.flatMap((signature) =>
    BOTH.flatMap((form) => {
      const found = candidates.find(
        (each) => each.form === form && each.digest().equals(signature.digest),
      );
      if (!found) return [];
      const name = about ?? FORMS[form].header;
      const mistakes = found.mistakes.map(({ code, says }) => mistake(name, code, says));
      const writing = writingOf(form, signature);
      const all = writing ? [...mistakes, { ...writing, about: name }] : mistakes;
      const isRight = all.every(({ kind }) => kind === 'note');
      return [isRight ? [note('fits', FITS, name), ...all] : all];
    }),
  );
  const [best] = verdicts.toSorted((a, b) => weigh(a) - weigh(b));
  return best ?? [mistake(about, 'unexplained', UNEXPLAINED)];
}

/** The weights of findings; by default 1. A value is probably of the form whose encoding it has. */
const WEIGHTS: Readonly<Record<string, number>> = { fits: 0, encoding: 1.5 };
const weigh = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { code }) => sum + (WEIGHTS[code] ?? 1), 0);

/** Returns the right signatures first, then those of the other form, then those of mistakes. */
function candidatesFor({ expected, from, form }: Trial): Candidate[] {
  const right = BOTH.flatMap((each) => {
    const says =
      `This is the signature of ${FORMS[each].name}: compare it with that header. The two headers ` +
      'sign different bytes with different keys.';
    const mistakes = form === undefined || form === each ? [] : [{ code: 'other_form', says }];
    const signatures = readSignatures(expected[FORMS[each].header] ?? '');
    return signatures.map(({ digest }) => ({ form: each, mistakes, digest: () => digest }));
  });
  return [...right, ...candidatesOf(form === undefined ? BOTH : [form], from)];
}

const isFit = ({ code }: Finding): boolean => code === 'fits';

/** Blames the secret or the request if the computation is right and what was received is not. */
function combine(received: readonly Finding[], computed: readonly Finding[]): Finding[] {
  const all = [...received, ...computed];
  if (received.length === 0 || received.some(isFit) || !computed.some(isFit)) return all;
  return all.map((each) => {
    if (isFit(each)) return { ...each, code: 'computed_rightly', says: COMPUTED_RIGHTLY };
    const isReceived = received.includes(each) && each.code === 'unexplained';
    return isReceived ? { ...each, code: 'signed_otherwise', says: SIGNED_OTHERWISE } : each;
  });
}

const mistake = (about: string | null, code: string, says: string): Finding => {
  return { code, kind: 'mistake', about, says };
};

export const note = (code: string, says: string, about: string | null = null): Finding => {
  return { code, kind: 'note', about, says };
};

/** Returns a note if a receiver with that clock, in unix seconds, refuses the timestamp. */
export function clockNotes(timestamp: string, clock: number, whose: string): Finding[] {
  const ahead = Math.round(clock - Number(timestamp));
  if (!(Math.abs(ahead) > TOLERANCE_SECONDS)) return [];
  const says =
    `${whose} has a clock that is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the ` +
    `timestamp, and a receiver refuses more than ${TOLERANCE_SECONDS} s of difference. Set the ` +
    'clock if the request is new.';
  return [note('clock', says)];
}

const MALFORMED =
  'The value is not a signature: it has neither 64 characters of hex nor base64 of 32 bytes.';
const FITS =
  'The signature is right. A receiver that compares it with this header can refuse it only for ' +
  `its timestamp, which must be within ${TOLERANCE_SECONDS} s of the receiver's clock.`;
const COMPUTED_RIGHTLY =
  'What was computed is right for this secret, timestamp and body: the code is not wrong.';
const SIGNED_OTHERWISE =
  'What was received was made with another secret, or over another body or timestamp. Use the ' +
  'secret of the endpoint that the request was sent to, and the raw body as it was received.';
const UNEXPLAINED =
  'None of the usual mistakes gives this value. Most likely it was made with another secret, or ' +
  'over another body or timestamp: compare the exact bytes that your code signs.';
